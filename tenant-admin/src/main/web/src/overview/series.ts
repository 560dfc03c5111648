/** The days and hours of the charts, and their sums. */
import { lastDays } from '../kit/scale';
import type { Day, Hour } from './queries';

/** One entry for each of the last days of UTC, with zeros where nothing was settled. */
export function series(figures: readonly Day[], days: number, now = new Date()): Day[] {
  const byDay = new Map(figures.map((day) => [day.day, day]));
  return lastDays(days, now).map(
    (day) => byDay.get(day) ?? { day, delivered: 0, sent: 0, bounced: 0, complained: 0 },
  );
}

export function sum(days: readonly Day[], field: keyof Results): number {
  return days.reduce((total, day) => total + day[field], 0);
}

export type Totals = Readonly<Record<Exclude<keyof Hour, 'at'>, number>>;

/** Results of a period. */
export type Results = Pick<Totals, 'delivered' | 'sent' | 'bounced' | 'complained'>;

/** A number against that of the period before, such as +12%; empty if it is equal, unknown, or there was none. */
export function change(now: number, before: number | undefined): string {
  if (!before || now === before) return '';
  const share = ((now - before) / before) * 100;
  return `${share < 0 ? '−' : '+'}${Math.abs(share).toFixed(Math.abs(share) < 9.5 ? 1 : 0)}%`;
}

/** The sums of hours. A mail that was reported as spam had arrived: it counts as delivered too. */
export function totals(hours: readonly Hour[]): Totals {
  const of = (field: keyof Totals) => hours.reduce((total, hour) => total + hour[field], 0);
  return {
    accepted: of('accepted'),
    waiting: of('waiting'),
    scheduled: of('scheduled'),
    sent: of('sent'),
    delivered: of('delivered') + of('complained'),
    bounced: of('bounced'),
    complained: of('complained'),
    failed: of('failed'),
  };
}

/** Delivered mails in percent of those delivered or bounced; null without any. */
export function deliveredShare({ delivered, bounced }: Pick<Totals, 'delivered' | 'bounced'>): number | null {
  const settled = delivered + bounced;
  return settled === 0 ? null : (delivered / settled) * 100;
}
