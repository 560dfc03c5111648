/** Numbers, times and names as the app shows them. Times are in the account's zone. */

let language = 'en-GB';
let whole = new Intl.NumberFormat(language, { maximumFractionDigits: 0 });

/** Takes over the forms of a browser's English; readers of other languages see British ones, as the app is English. */
export function setLanguage(tag: string): void {
  if (!/^en\b/.test(tag)) return;
  language = tag;
  whole = new Intl.NumberFormat(tag, { maximumFractionDigits: 0 });
}

/** A count in a table: 18,412, and a dash for nothing. */
export function count(value: number | null | undefined): string {
  return value ? whole.format(value) : '–';
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

type Style = Intl.DateTimeFormatOptions;

const DATE: Style = { dateStyle: 'medium' };
const DAY: Style = { day: 'numeric', month: 'short' };
const YEAR: Style = { year: 'numeric' };
const CLOCK: Style = { timeStyle: 'short' };
const SECONDS: Style = { timeStyle: 'medium' };
const EXACT: Style = { hour: 'numeric', minute: 'numeric', second: 'numeric', fractionalSecondDigits: 3 };
const WITH_ZONE: Style = { hour: 'numeric', minute: '2-digit', timeZoneName: 'short' };
const FULL: Style = { dateStyle: 'medium', timeStyle: 'long' };

let zone: string | undefined;
const formats = new Map<Style, Intl.DateTimeFormat>();

/** Sets the zone of all times. One that this browser does not know is replaced by UTC. */
export function setZone(name: string | undefined): void {
  zone = name;
  formats.clear();
  try {
    shown(DATE, new Date());
  } catch {
    zone = 'UTC';
  }
}

/** The zone of all times, such as Europe/Berlin: that of the browser until it is set. */
export function zoneName(): string {
  return zone ?? Intl.DateTimeFormat().resolvedOptions().timeZone;
}

function shown(style: Style, at: Date): string {
  let format = formats.get(style);
  if (!format) formats.set(style, (format = new Intl.DateTimeFormat(language, { ...style, timeZone: zone })));
  return format.format(at);
}

/** The day of a time, or nothing if it is today, before the time of day. */
function withDay(iso: string, now: Date, text: string): string {
  return shown(DATE, new Date(iso)) === shown(DATE, now) ? text : `${date(iso, now)}, ${text}`;
}

/** A time: 14:02:11 today, 21 Nov, 09:12 this year, otherwise 2 Feb 2025, 09:12. */
export function time(iso: string, now = new Date()): string {
  const text = shown(SECONDS, new Date(iso));
  return withDay(iso, now, text) === text ? text : minute(iso, now);
}

/** A time to the minute: 14:02 today, otherwise as above. */
export function minute(iso: string, now = new Date()): string {
  return withDay(iso, now, shown(CLOCK, new Date(iso)));
}

/** A time to the minute with the zone, in which it may be another day than in UTC: 1 Dec, 01:00 CET. */
export function zoned(iso: string, now = new Date()): string {
  return `${date(iso, now)}, ${shown(WITH_ZONE, new Date(iso))}`;
}

/** A day: 21 Nov, with the year unless it is this one. */
export function date(iso: string, now = new Date()): string {
  const at = new Date(iso);
  return shown(shown(YEAR, at) === shown(YEAR, now) ? DAY : DATE, at);
}

/** A day of UTC, such as 2026-11-21: 21 Nov, with the year unless it is this one. */
export function utcDay(day: string): string {
  return new Date(day).toLocaleDateString(language, {
    ...DAY,
    ...(new Date().toISOString().startsWith(day.slice(0, 4)) ? {} : YEAR),
    timeZone: 'UTC',
  });
}

/** A time to the millisecond, for timelines: 14:32:08.391, with the day unless it is today. */
export function exact(iso: string, now = new Date()): string {
  return withDay(iso, now, shown(EXACT, new Date(iso)));
}

/** A time with its zone, and in UTC, for titles: 21 Nov 2026, 15:02:11 CET · 2026-11-21 14:02:11 UTC. */
export function full(iso: string): string {
  const at = new Date(iso);
  return `${shown(FULL, at)} · ${at.toISOString().slice(0, 19).replace('T', ' ')} UTC`;
}

/** An id in a list: its first 8 and last 4 characters. */
export function shortId(id: string): string {
  return id.length > 16 ? `${id.slice(0, 8)}…${id.slice(-4)}` : id;
}

/** Several addresses in a narrow place: the first, and the number of the others. */
export function recipients(addresses: readonly string[]): string {
  return addresses.length > 1 ? `${addresses[0]} and ${addresses.length - 1} more` : (addresses[0] ?? '');
}
