/** The days of a chart. */
import { lastDays } from '../kit/scale';
import type { Day } from './queries';

/** One entry for each of the last days of UTC, with zeros where nothing was settled. */
export function series(figures: readonly Day[], days: number, now = new Date()): Day[] {
  const byDay = new Map(figures.map((day) => [day.day, day]));
  return lastDays(days, now).map((day) => byDay.get(day) ?? { day, delivered: 0, sent: 0, hardBounced: 0, complained: 0 });
}

export function sum(days: readonly Day[], field: 'delivered' | 'sent' | 'hardBounced' | 'complained'): number {
  return days.reduce((total, day) => total + day[field], 0);
}
