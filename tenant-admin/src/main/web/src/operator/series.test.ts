import { describe, expect, it } from 'vitest';
import {
  appended,
  BUCKET_MS,
  buckets,
  currentRate,
  grouped,
  MAX_BUCKETS,
  steps,
  type Sample,
} from './series';

const sample = (seconds: number, settled: number, oldest = 0): Sample => ({
  at: 1_000_000_000 + seconds * 1000,
  settled,
  oldest,
});

describe('the live charts of the queue', () => {
  it('show the rate between samples and the largest age in each bucket', () => {
    const shown = buckets([sample(0, 100, 1), sample(2, 140, 5), sample(4, 180, 2), sample(10, 180, 0)]);
    expect(shown).toHaveLength(MAX_BUCKETS);
    expect(shown.at(-2)).toMatchObject({ rate: 20, oldest: 5 });
    expect(shown.at(-1)).toMatchObject({ rate: 0, oldest: 0 });
    expect(shown[0]).toMatchObject({ rate: null, oldest: null });
  });

  it('leave out the step back at midnight', () => {
    expect(buckets([sample(0, 9000), sample(2, 4)]).at(-1)!.rate).toBeNull();
    expect(currentRate([sample(0, 9000), sample(2, 4)])).toBeNull();
    expect(currentRate([sample(0, 4)])).toBeNull();
    expect(currentRate([sample(0, 4), sample(2, 14)])).toBe(5);
  });

  it('forget what is too old to be shown', () => {
    const old = [sample(0, 1)];
    expect(appended(old, sample(((MAX_BUCKETS + 2) * BUCKET_MS) / 1000, 2))).toHaveLength(1);
    expect(appended(old, sample(2, 2))).toHaveLength(2);
  });

  it('have at most five round steps', () => {
    expect(steps(0)).toEqual([0, 1]);
    expect(steps(412)).toEqual([0, 200, 400, 600]);
    for (const max of [1, 7, 30, 99, 1234]) expect(steps(max).length).toBeLessThanOrEqual(5);
  });
});

describe('the attempts of a time', () => {
  it('are added up from the newest interval back', () => {
    const points = [1, 2, 3, 4, 5].map((delivered) => ({
      at: `${delivered}`,
      accepted: 0,
      delivered,
      bounced: 1,
      failed: 0,
      deferred: 0,
    }));
    expect(grouped(points, 2).map(({ at, delivered, bounced }) => [at, delivered, bounced])).toEqual([
      ['1', 1, 1],
      ['2', 5, 2],
      ['4', 9, 2],
    ]);
  });
});
