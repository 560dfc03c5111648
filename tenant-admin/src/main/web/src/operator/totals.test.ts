import { describe, expect, it } from 'vitest';
import { totals } from './totals';

const part = (phase: string, stream: string, count: number, due: number, retries: number, scheduled: number, oldestSeconds: number) => ({ phase, stream, count, due, retries, scheduled, oldestSeconds });

describe('the sums of the queue', () => {
  const queue = [part('queued', 'transactional', 10, 4, 5, 1, 7), part('queued', 'campaign', 20, 20, 0, 0, 31), part('leased', 'campaign', 3, 0, 0, 0, 0), part('in_data', 'transactional', 2, 0, 0, 0, 0)];

  it('count what is due, in hand and later, with the oldest age', () => {
    expect(totals(queue)).toEqual({ due: 24, inHand: 5, retries: 5, scheduled: 1, oldest: 31 });
  });

  it('are made for one stream too', () => {
    expect(totals(queue, 'transactional')).toEqual({ due: 4, inHand: 2, retries: 5, scheduled: 1, oldest: 7 });
    expect(totals([], 'campaign')).toEqual({ due: 0, inHand: 0, retries: 0, scheduled: 0, oldest: 0 });
  });
});
