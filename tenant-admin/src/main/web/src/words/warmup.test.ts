import { describe, expect, it } from 'vitest';
import { delayedUntil, isUsedUp, lastDayOf, planText, usedText, type Warmup } from './warmup';

const warmup: Warmup = {
  day: 2,
  allowance: 300,
  usedToday: 120,
  resetsAt: '2026-11-24T00:00:00Z',
  allowances: [200, 300, 450, 675],
};

describe('the warm-up of a domain', () => {
  it('is used up when the emails of today reach the limit', () => {
    expect([isUsedUp(warmup), isUsedUp({ ...warmup, usedToday: 300 })]).toEqual([false, true]);
    expect(usedText(warmup)).toBe('120 of 300 campaign emails today');
  });

  it('delays emails beyond the limits of the days', () => {
    expect([lastDayOf(0, warmup), lastDayOf(180, warmup)]).toEqual([null, null]);
    expect(lastDayOf(181, warmup)).toBe('2026-11-24T00:00:00.000Z');
    expect(lastDayOf(180 + 450, warmup)).toBe('2026-11-24T00:00:00.000Z');
    expect(lastDayOf(180 + 451, warmup)).toBe('2026-11-25T00:00:00.000Z');
  });

  it('delays no mail beyond the first day without a limit', () => {
    expect(lastDayOf(1_000_000, warmup)).toBe('2026-11-26T00:00:00.000Z');
    expect(lastDayOf(1_000_000, { ...warmup, day: 4 })).toBe('2026-11-24T00:00:00.000Z');
  });

  it('names the day on which a campaign is expected to end', () => {
    expect(delayedUntil(1000, null)).toBeNull();
    expect(delayedUntil(100, warmup)).toBeNull();
    expect(
      delayedUntil(
        1000,
        { ...warmup, resetsAt: new Date(2026, 10, 24, 12).toISOString() },
        new Date(2026, 10, 23),
      ),
    ).toBe('25 Nov');
  });

  it('shows the limits of its days', () => {
    expect(planText([200, 300, 450, 675, 1013, 1519])).toBe('200, 300, 450, 675 … 1,519, over 6 days');
    expect(planText([200])).toBe('200, over 1 day');
  });
});
