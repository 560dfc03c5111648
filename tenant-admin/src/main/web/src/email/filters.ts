/** Filters of the list of mails, as the URL has them. */
import type { TagInput } from '../gen/graphql';

export type Period = '1h' | '24h' | '7d' | '30d';

export const periods: readonly (readonly [Period, string])[] = [
  ['1h', 'Last hour'],
  ['24h', 'Last 24 hours'],
  ['7d', 'Last 7 days'],
  ['30d', 'Last 30 days'],
];

const HOUR_MS = 3_600_000;
const lengths: Record<Period, number> = {
  '1h': HOUR_MS,
  '24h': 24 * HOUR_MS,
  '7d': 7 * 24 * HOUR_MS,
  '30d': 30 * 24 * HOUR_MS,
};

/** The beginning of a period that ends now; null for any time. */
export function startOf(period: Period | null, now = Date.now()): string | null {
  return period === null ? null : new Date(now - lengths[period]).toISOString();
}

/** A tag from its text: a name, or a name and a value as in kind=shipped. */
export function tagOf(text: string | null): TagInput | null {
  const [name, ...value] = (text ?? '').split('=');
  if (!name?.trim()) return null;
  return { name: name.trim(), value: value.length > 0 ? value.join('=').trim() : null };
}
