import { describe, expect, it } from 'vitest';
import { buckets, intervalFor, share, through, waiting } from './progress';

const counts = { status: 'RUNNING', totalContacts: 1000, sentCount: 600, failedCount: 50 } as const;

describe('the progress of a campaign', () => {
  it('counts every recipient whose mail has a result', () => {
    expect([through(counts), share(counts), waiting(counts)]).toEqual([650, 65, 350]);
    expect(share({ ...counts, totalContacts: 0 })).toBe(0);
    expect(waiting({ ...counts, totalContacts: 10 })).toBe(0);
    expect(share({ ...counts, totalContacts: 10 })).toBe(100);
    expect([share({ ...counts, status: 'SENT' }), waiting({ ...counts, status: 'SENT' })]).toEqual([100, 0]);
  });

  it('chooses intervals of which a chart shows at most 180', () => {
    const hour = 3_600_000;
    expect([intervalFor(0, hour), intervalFor(0, 4 * hour), intervalFor(0, 30 * 24 * hour)]).toEqual([
      'MINUTE',
      'HOUR',
      'DAY',
    ]);
  });

  it('fills the intervals in which nothing happened', () => {
    const from = Date.parse('2026-11-21T14:00:30Z');
    const point = {
      at: '2026-11-21T14:02:00Z',
      sent: 3,
      delivered: 3,
      bounced: 0,
      complained: 0,
      failed: 0,
      opened: 0,
      clicked: 0,
      unsubscribed: 0,
      skipped: 0,
    };
    const shown = buckets([point], 'MINUTE', from, from + 25 * 60_000);
    expect(shown.length).toBe(26);
    expect(shown[2]).toBe(point);
    expect(shown[0]).toMatchObject({ at: '2026-11-21T14:00:00.000Z', sent: 0 });
    expect(buckets([], 'MINUTE', from, from).length).toBe(12);
  });
});
