/** Filters of the list of mails, as the URL has them. */
import type { EmailState, EmailStatus, TagInput } from '../gen/graphql';

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

/** The status of each state, in the order of the filter. */
export const states: Readonly<Record<EmailState, EmailStatus>> = {
  SCHEDULED: 'PENDING',
  QUEUED: 'PENDING',
  DEFERRED: 'PENDING',
  SENT: 'SENT',
  DELIVERED: 'DELIVERED',
  BOUNCED: 'BOUNCED',
  COMPLAINED: 'COMPLAINED',
  FAILED: 'FAILED',
  SUPPRESSED: 'FAILED',
  CANCELLED: 'FAILED',
};

const all = Object.keys(states) as EmailState[];

const ofStatus = (status: string) => all.filter((state) => states[state] === status);

/** The states that the text of a URL names: a status with all of its states, or states after a point. */
export function chosenStates(text: string | undefined): readonly EmailState[] {
  if (!text) return [];
  if (!text.startsWith('.')) return ofStatus(text);
  const names = text.slice(1).split('.');
  return all.filter((state) => names.includes(state));
}

/** The text of states for the URL. A status has an exact list, so it is used if the states are all of its own. */
export function statusOf(chosen: readonly EmailState[]): string | undefined {
  if (chosen.length === 0 || chosen.length === all.length) return undefined;
  const status = states[chosen[0]!];
  const own = ofStatus(status);
  return own.length === chosen.length && own.every((state) => chosen.includes(state))
    ? status
    : `.${all.filter((state) => chosen.includes(state)).join('.')}`;
}

/** The state of an email. */
export function stateOf(status: EmailStatus, lastEvent: string): EmailState {
  if (status === 'PENDING')
    return lastEvent === 'scheduled' ? 'SCHEDULED' : lastEvent === 'delivery_delayed' ? 'DEFERRED' : 'QUEUED';
  if (status === 'FAILED')
    return lastEvent === 'cancelled' ? 'CANCELLED' : lastEvent === 'suppressed' ? 'SUPPRESSED' : 'FAILED';
  return status;
}

export const streams = {
  transactional: { value: 'TRANSACTIONAL', text: 'Transactional' },
  campaign: { value: 'CAMPAIGN', text: 'Campaigns' },
} as const;

/** A tag from its text: a name, or a name and a value as in kind=shipped. */
export function tagOf(text: string | null): TagInput | null {
  const [name, ...value] = (text ?? '').split('=');
  if (!name?.trim()) return null;
  return { name: name.trim(), value: value.length > 0 ? value.join('=').trim() : null };
}
