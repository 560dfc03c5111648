import { describe, expect, it } from 'vitest';
import { change, deliveredShare, series, sum, totals } from './series';

const hour = {
  at: '2026-11-21T10:00:00Z',
  accepted: 8,
  waiting: 1,
  scheduled: 1,
  sent: 0,
  delivered: 3,
  bounced: 1,
  complained: 1,
  failed: 1,
};

describe('the charts of the overview', () => {
  it('fill the days on which nothing was settled', () => {
    const days = series(
      [{ day: '2026-11-21', delivered: 3, sent: 1, bounced: 0, complained: 0 }],
      3,
      new Date('2026-11-22T10:00:00Z'),
    );
    expect(days.map((day) => day.day)).toEqual(['2026-11-20', '2026-11-21', '2026-11-22']);
    expect(sum(days, 'delivered')).toBe(3);
  });

  it('count an email that was reported as spam as delivered', () => {
    expect(totals([hour, hour])).toMatchObject({ accepted: 16, waiting: 2, delivered: 8, complained: 2 });
  });

  it('have no share before the first result', () => {
    expect(deliveredShare({ delivered: 3, bounced: 1 })).toBe(75);
    expect(deliveredShare({ delivered: 0, bounced: 0 })).toBeNull();
  });

  it('compare a number with that of the period before', () => {
    expect(change(112, 100)).toBe('+12%');
    expect(change(97, 100)).toBe('−3.0%');
    expect(change(0, 4)).toBe('−100%');
    expect(change(5, 0)).toBe('');
    expect(change(5, 5)).toBe('');
    expect(change(5, undefined)).toBe('');
  });
});
