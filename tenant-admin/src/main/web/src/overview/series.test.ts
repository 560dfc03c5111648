import { describe, expect, it } from 'vitest';
import { series, sum } from './series';

describe('the chart of the overview', () => {
  it('fills the days on which nothing was settled', () => {
    const days = series([{ day: '2026-11-21', delivered: 3, sent: 1, hardBounced: 0, complained: 0 }], 3, new Date('2026-11-22T10:00:00Z'));
    expect(days.map((day) => day.day)).toEqual(['2026-11-20', '2026-11-21', '2026-11-22']);
    expect(sum(days, 'delivered')).toBe(3);
  });
});
