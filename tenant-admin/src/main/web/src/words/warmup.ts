/** The warm-up of a domain: how many campaign mails a day permits, and until when it delays a campaign. */
import { counted, date, number } from './formats';

export interface Warmup {
  readonly day: number;
  readonly allowance: number;
  readonly usedToday: number;
  readonly resetsAt: string;
  readonly allowances: readonly number[];
}

const DAY_MS = 86_400_000;

/** Whether campaigns of the domain wait for the next day. */
export function isUsedUp({ usedToday, allowance }: Warmup): boolean {
  return usedToday >= allowance;
}

/** The mails of today beside the limit: 120 of 300 campaign mails today. */
export function usedText({ usedToday, allowance }: Warmup): string {
  return `${number(usedToday)} of ${counted(allowance, 'campaign email')} today`;
}

/**
 * The beginning of the day (UTC) on which the last of some mails may be sent, if no other campaign of the domain runs.
 * Null if that is today.
 */
export function lastDayOf(
  mails: number,
  { day, allowance, usedToday, resetsAt, allowances }: Warmup,
): string | null {
  let left = mails - Math.max(0, allowance - usedToday);
  if (left <= 0) return null;
  let at = Date.parse(resetsAt);
  for (const permitted of allowances.slice(day)) {
    left -= permitted;
    if (left <= 0) break;
    at += DAY_MS;
  }
  return new Date(at).toISOString();
}

/** The day on which the last of some mails is expected, in the viewer's zone: 27 Nov. Null if the warm-up does not delay them. */
export function delayedUntil(mails: number, warmup: Warmup | null, now = new Date()): string | null {
  const at = warmup && lastDayOf(mails, warmup);
  return at === null ? null : date(at, now);
}

/** The first limits of a plan, and its length: 200, 300, 450 … 87,579, over 16 days. */
export function planText(allowances: readonly number[]): string {
  const shown =
    allowances.length > 5
      ? `${allowances.slice(0, 4).map(number).join(', ')} … ${number(allowances.at(-1)!)}`
      : allowances.map(number).join(', ');
  return `${shown}, over ${counted(allowances.length, 'day')}`;
}
