import { describe, expect, it } from 'vitest';
import type { DeliveryPhase, EmailStream } from '../gen/graphql';
import { totals } from './totals';

const part = (
  phase: DeliveryPhase,
  stream: EmailStream,
  count: number,
  due: number,
  retries: number,
  scheduled: number,
  oldestSeconds: number,
) => ({ phase, stream, count, due, retries, scheduled, oldestSeconds });

describe('the sums of the queue', () => {
  const queue = [
    part('QUEUED', 'TRANSACTIONAL', 10, 4, 5, 1, 7),
    part('QUEUED', 'CAMPAIGN', 20, 20, 0, 0, 31),
    part('LEASED', 'CAMPAIGN', 3, 0, 0, 0, 0),
    part('IN_DATA', 'TRANSACTIONAL', 2, 0, 0, 0, 0),
  ];

  it('count what is due, in hand and later, with the oldest age', () => {
    expect(totals(queue)).toEqual({ due: 24, inHand: 5, retries: 5, scheduled: 1, oldest: 31 });
  });

  it('are made for one stream too', () => {
    expect(totals(queue, 'TRANSACTIONAL')).toEqual({
      due: 4,
      inHand: 2,
      retries: 5,
      scheduled: 1,
      oldest: 7,
    });
    expect(totals([], 'CAMPAIGN')).toEqual({ due: 0, inHand: 0, retries: 0, scheduled: 0, oldest: 0 });
  });
});
