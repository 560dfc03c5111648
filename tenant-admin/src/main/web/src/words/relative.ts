/** Times as their distance from now. */
import { time } from './formats';

/** The distance of a time from now within a week: just now, 5 min ago, in 3 h; otherwise the time. */
export function relative(iso: string, now = new Date()): string {
  const past = now.getTime() - Date.parse(iso);
  const distance = Math.abs(past);
  if (distance >= 7 * 86_400_000) return time(iso, now);
  if (distance < 60_000) return past < 0 ? 'in a minute' : 'just now';
  const minutes = Math.floor(distance / 60_000);
  const hours = Math.floor(minutes / 60);
  const days = Math.floor(hours / 24);
  const text =
    minutes < 60 ? `${minutes} min` : hours < 48 ? `${hours} h` : `${days} ${days === 1 ? 'day' : 'days'}`;
  return past < 0 ? `in ${text}` : `${text} ago`;
}
