import { describe, expect, it } from 'vitest';
import { isUneven, lastDays, ticks } from './scale';

describe('axes', () => {
  it('have at most five round steps from zero', () => {
    expect(ticks(0)).toEqual([0, 1]);
    expect(ticks(3)).toEqual([0, 1, 2, 3]);
    expect(ticks(43_000)).toEqual([0, 20_000, 40_000, 60_000]);
    for (const max of [1, 7, 99, 1234, 250_000]) expect(ticks(max).length).toBeLessThanOrEqual(5);
  });

  it('are uneven if a few bars hide the others', () => {
    expect(isUneven([0, 3, 4, 900, 5])).toBe(true);
    expect(isUneven([3, 4, 9, 5])).toBe(false);
    expect(isUneven([0, 0, 900])).toBe(false);
  });

  it('have the days of UTC, the present one last', () => {
    expect(lastDays(3, new Date('2026-11-22T10:00:00Z'))).toEqual(['2026-11-20', '2026-11-21', '2026-11-22']);
  });
});
