import { describe, expect, it } from 'vitest';
import { series, sum, ticks } from './series';

describe('the chart of the overview', () => {
  it('fills the days on which nothing was settled', () => {
    const days = series([{ day: '2026-11-21', delivered: 3, sent: 1, hardBounced: 0, complained: 0 }], 3, new Date('2026-11-22T10:00:00Z'));
    expect(days.map((day) => day.day)).toEqual(['2026-11-20', '2026-11-21', '2026-11-22']);
    expect(sum(days, 'delivered')).toBe(3);
  });

  it('has at most five round steps from zero', () => {
    expect(ticks(0)).toEqual([0, 1]);
    expect(ticks(3)).toEqual([0, 1, 2, 3]);
    expect(ticks(43_000)).toEqual([0, 20_000, 40_000, 60_000]);
    for (const max of [1, 7, 99, 1234, 250_000]) expect(ticks(max).length).toBeLessThanOrEqual(5);
  });
});
