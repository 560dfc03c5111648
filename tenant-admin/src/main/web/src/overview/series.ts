/** The days of a chart, and the steps of its axis. */
import type { Day } from './queries';

const DAY_MS = 86_400_000;

/** One entry for each of the last days of UTC, with zeros where nothing was settled. */
export function series(figures: readonly Day[], days: number, now = new Date()): Day[] {
  const byDay = new Map(figures.map((day) => [day.day, day]));
  return Array.from({ length: days }, (_, index) => {
    const day = new Date(now.getTime() - (days - 1 - index) * DAY_MS).toISOString().slice(0, 10);
    return byDay.get(day) ?? { day, delivered: 0, sent: 0, hardBounced: 0, complained: 0 };
  });
}

/** At most five round steps from zero to a value or above it. */
export function ticks(max: number): number[] {
  const rough = Math.max(1, max) / 4;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = Math.max(1, [1, 2, 5, 10].map((factor) => factor * power).find((candidate) => candidate >= rough)!);
  return Array.from({ length: Math.ceil(Math.max(1, max) / step) + 1 }, (_, index) => index * step);
}

export function sum(days: readonly Day[], field: 'delivered' | 'sent' | 'hardBounced' | 'complained'): number {
  return days.reduce((total, day) => total + day[field], 0);
}
