import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { setZone } from './formats';
import { dayStart, fromInput, future, localInput } from './inputs';

describe('inputs of times', () => {
  beforeAll(() => setZone('America/New_York'));
  afterAll(() => setZone(undefined));

  it('show and read the clock of the zone, in winter and in summer', () => {
    for (const [iso, text] of [
      ['2026-11-21T14:02:00.000Z', '2026-11-21T09:02'],
      ['2026-07-01T03:30:00.000Z', '2026-06-30T23:30'],
    ] as const) {
      expect(localInput(new Date(iso))).toBe(text);
      expect(fromInput(text).toISOString()).toBe(iso);
    }
    expect(fromInput('2026-11-21').toISOString()).toBe('2026-11-21T05:00:00.000Z');
  });

  it('are right beside a change of the clocks', () => {
    expect(fromInput('2026-03-08T01:59').toISOString()).toBe('2026-03-08T06:59:00.000Z');
    expect(fromInput('2026-03-08T03:00').toISOString()).toBe('2026-03-08T07:00:00.000Z');
    expect(fromInput('2026-11-01T02:30').toISOString()).toBe('2026-11-01T07:30:00.000Z');
  });

  it('bound days', () => {
    expect(dayStart('2026-11-30', 1)).toBe('2026-12-01T05:00:00.000Z');
    expect([dayStart(undefined), dayStart('x')]).toEqual([null, null]);
  });

  it('refuse the past, and what is no time', () => {
    expect(future('2001-01-01T08:00')).toBe('Choose a time in the future.');
    expect(future('')).toBe('Choose a time in the future.');
    expect(future('2199-01-01T08:00')).toBeNull();
  });
});
