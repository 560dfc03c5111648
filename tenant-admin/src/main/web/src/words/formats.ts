/** Numbers, times and names as the app shows them. Times are in the viewer's zone. */

const whole = new Intl.NumberFormat('en-US', { maximumFractionDigits: 0 });

/** A count: 18,412, and "none" for nothing. */
export function count(value: number | null | undefined): string {
  return value ? whole.format(value) : 'none';
}

/** A count that is part of a sum or a column: 18,412 and 0. */
export function number(value: number): string {
  return whole.format(value);
}

/** A count with its noun: 1 mail, 2,106 mails, no mails. */
export function counted(value: number, noun: string, plural = noun + 's'): string {
  return value === 0 ? `no ${plural}` : `${whole.format(value)} ${value === 1 ? noun : plural}`;
}

/** A list whose first page was read. */
export interface Part {
  readonly nodes: readonly unknown[];
  readonly pageInfo: { readonly hasNextPage: boolean };
}

/** The number of its items: 3, or 50+ if more follow the page. */
export function atLeast({ nodes, pageInfo }: Part): string {
  return `${number(nodes.length)}${pageInfo.hasNextPage ? '+' : ''}`;
}

/** That number with its noun: 1 key, 50+ keys, no keys. */
export function countedPart(part: Part, noun: string): string {
  return part.pageInfo.hasNextPage ? `${atLeast(part)} ${noun}s` : counted(part.nodes.length, noun);
}

/** A text with a capital at its beginning. */
export function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** A text with a full stop at its end. */
export function dot(text: string): string {
  return text === '' || /[.!?]$/.test(text) ? text : `${text}.`;
}

/** A share: 0.76%, complaints with three digits: 0.060%. */
export function percent(value: number, digits = 2): string {
  return `${value.toFixed(digits)}%`;
}

/** A share of what arrived, rounded down: it is 100% only if nothing is missing, else 99.9%. */
export function shareText(value: number, digits = 1): string {
  const unit = 10 ** digits;
  return percent(Math.floor(value * unit + 1e-6) / unit, value === 100 ? 0 : digits);
}

/** A duration: 163 ms, 1.4 s, 42 s, 3 min, 2 h, 12 days. */
export function duration(ms: number): string {
  if (ms < 1000) return `${Math.round(ms)} ms`;
  const seconds = ms / 1000;
  if (seconds < 10) return `${(Math.floor(seconds * 10) / 10).toFixed(1)} s`;
  if (seconds < 60) return `${Math.floor(seconds)} s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${minutes} min`;
  const hours = Math.floor(minutes / 60);
  return hours < 48 ? `${hours} h` : `${Math.floor(hours / 24)} days`;
}

/** A size: 812 B, 18.2 kB, 1.4 MB. */
export function size(bytes: number): string {
  if (bytes < 1000) return `${bytes} B`;
  return bytes < 1_000_000 ? `${(bytes / 1000).toFixed(1)} kB` : `${(bytes / 1_000_000).toFixed(1)} MB`;
}

const two = (value: number) => String(value).padStart(2, '0');
const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

/** A time: 14:02:11 today, 21 Nov, 09:12 this year, otherwise 2 Feb 2025, 09:12. */
export function time(iso: string, now = new Date()): string {
  const at = new Date(iso);
  if (at.toDateString() === now.toDateString()) return `${clock(at)}:${two(at.getSeconds())}`;
  return `${date(iso, now)}, ${clock(at)}`;
}

/** A day: 21 Nov, with the year unless it is this one. */
export function date(iso: string, now = new Date()): string {
  const at = new Date(iso);
  const day = `${at.getDate()} ${months[at.getMonth()]}`;
  return at.getFullYear() === now.getFullYear() ? day : `${day} ${at.getFullYear()}`;
}

/** A time to the millisecond, for timelines: 14:32:08.391, with the day unless it is today. */
export function exact(iso: string, now = new Date()): string {
  const at = new Date(iso);
  const text = `${clock(at)}:${two(at.getSeconds())}.${String(at.getMilliseconds()).padStart(3, '0')}`;
  return at.toDateString() === now.toDateString() ? text : `${date(iso, now)}, ${text}`;
}

/** The time in UTC, for titles: 2026-11-21 14:02:11 UTC. */
export function utc(iso: string): string {
  return `${new Date(iso).toISOString().slice(0, 19).replace('T', ' ')} UTC`;
}

function clock(at: Date): string {
  return `${two(at.getHours())}:${two(at.getMinutes())}`;
}

/** An id in a list: its first 8 and last 4 characters. */
export function shortId(id: string): string {
  return id.length > 16 ? `${id.slice(0, 8)}…${id.slice(-4)}` : id;
}

/** Several addresses in a narrow place: the first, and the number of the others. */
export function recipients(addresses: readonly string[]): string {
  return addresses.length > 1 ? `${addresses[0]} and ${addresses.length - 1} more` : (addresses[0] ?? '');
}

/** The value of a datetime-local input for a time. */
export function localInput(at: Date): string {
  return `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())}T${clock(at)}`;
}
