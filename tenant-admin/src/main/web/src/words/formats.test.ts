import { describe, expect, it } from 'vitest';
import {
  atLeast,
  count,
  counted,
  countedPart,
  date,
  duration,
  exact,
  percent,
  recipients,
  shareText,
  shortId,
  size,
  time,
  full,
  minute,
  setLanguage,
  setZone,
  utcDay,
  zoned,
} from './formats';
import { relative } from './relative';

const now = new Date(2026, 10, 22, 18, 0);
const at = (...parts: [number, number, number, number, number, number, number]) =>
  new Date(...parts).toISOString();

describe('formats', () => {
  it('groups the digits of counts, and says none for nothing', () => {
    expect(count(18412)).toBe('18,412');
    expect(count(0)).toBe('–');
    expect(counted(1, 'email')).toBe('1 email');
    expect(counted(2106, 'email')).toBe('2,106 emails');
    expect(counted(0, 'key')).toBe('no keys');
  });

  it('says of a list whose first page was read that it has at least so many items', () => {
    const part = (length: number, hasNextPage: boolean) => ({
      nodes: Array.from({ length }),
      pageInfo: { hasNextPage },
    });
    expect([atLeast(part(3, false)), atLeast(part(20, true))]).toEqual(['3', '20+']);
    expect([0, 1, 3].map((length) => countedPart(part(length, false), 'key'))).toEqual([
      'no keys',
      '1 key',
      '3 keys',
    ]);
    expect(countedPart(part(50, true), 'key')).toBe('50+ keys');
  });

  it('gives shares two digits, and as many as asked for', () => {
    expect(percent(0.76)).toBe('0.76%');
    expect(percent(0.06, 3)).toBe('0.060%');
    expect([shareText(100), shareText(99.99), shareText(4.35, 2), shareText(0)]).toEqual([
      '100%',
      '99.9%',
      '4.35%',
      '0.0%',
    ]);
  });

  it('gives durations and sizes the unit that suits them', () => {
    expect([163, 1449, 9999, 42_000, 180_000, 7_200_000, 12 * 86_400_000].map(duration)).toEqual([
      '163 ms',
      '1.4 s',
      '9.9 s',
      '42 s',
      '3 min',
      '2 h',
      '12 days',
    ]);
    expect([812, 18_204, 1_400_000].map(size)).toEqual(['812 B', '18.2 kB', '1.4 MB']);
  });

  it('shows seconds today, and the day otherwise, with the year unless it is this one', () => {
    expect(time(at(2026, 10, 22, 14, 2, 11, 0), now)).toBe('14:02:11');
    expect(time(at(2026, 10, 21, 9, 12, 0, 0), now)).toBe('21 Nov, 09:12');
    expect(date(at(2025, 1, 2, 9, 12, 0, 0), now)).toBe('2 Feb 2025');
    expect(exact(at(2026, 10, 22, 14, 32, 8, 91), now)).toBe('14:32:08.091');
  });

  it('shows times in the zone of the account, and names it', () => {
    setZone('America/New_York');
    expect(time('2026-11-22T03:00:00Z', now)).toBe('21 Nov, 22:00');
    expect(minute('2026-11-22T14:02:11Z', new Date('2026-11-22T16:00:00Z'))).toBe('09:02');
    expect(date('2026-01-01T02:00:00Z', now)).toBe('31 Dec 2025');
    setZone('Europe/Berlin');
    expect(zoned('2026-12-01T00:00:00Z', now)).toBe('1 Dec, 01:00 CET');
    expect(full('2026-11-21T14:02:11.391Z')).toBe('21 Nov 2026, 15:02:11 CET · 2026-11-21 14:02:11 UTC');
    setZone('Mars/Olympus_Mons');
    expect(zoned('2026-12-01T00:00:00Z', now)).toBe('1 Dec, 00:00 UTC');
    setZone(undefined);
    expect(utcDay('2025-02-02')).toBe('2 Feb 2025');
  });

  it('takes over the forms of English, and of no other language', () => {
    setLanguage('de-DE');
    setZone('UTC');
    expect(date('2026-11-21T14:02:11Z', now)).toBe('21 Nov');
    setLanguage('en-US');
    setZone('UTC');
    expect(zoned('2026-11-21T14:02:11Z', now)).toBe('Nov 21, 2:02 PM UTC');
    expect(count(18412)).toBe('18,412');
    setLanguage('en-GB');
    setZone(undefined);
  });

  it('shortens ids and lists of recipients', () => {
    expect(shortId('01a1fcfa-54d5-7637-aeed-db3819747c84')).toBe('01a1fcfa…7c84');
    expect(recipients(['a@x.test', 'b@x.test', 'c@x.test'])).toBe('a@x.test and 2 more');
  });

  it('says how far a time is from now within a week', () => {
    const from = (minutes: number) => relative(new Date(now.getTime() - minutes * 60_000).toISOString(), now);
    expect([0.5, 5, 90, 49 * 60, -180].map(from)).toEqual([
      'just now',
      '5 min ago',
      '1 h ago',
      '2 days ago',
      'in 3 h',
    ]);
    expect(from(8 * 24 * 60)).toBe('14 Nov, 18:00');
  });
});
