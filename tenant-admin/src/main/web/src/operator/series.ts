/** Samples of the queue, in buckets of equal time, and sums of intervals. */
import type { TrafficPoint } from './queries';

/** Length of a bucket. */
export const BUCKET_MS = 10_000;

/** Number of buckets of a chart. */
export const MAX_BUCKETS = 60;

export interface Sample {
  /** Time in milliseconds. */
  readonly at: number;
  /** Mails settled since midnight of UTC. */
  readonly settled: number;
  /** Age of the oldest due mail in seconds. */
  readonly oldest: number;
}

export interface Bucket {
  /** Beginning in milliseconds. */
  readonly at: number;
  /** Mails settled per second; null without a sample. */
  readonly rate: number | null;
  /** Largest age of the oldest due mail in seconds; null without a sample. */
  readonly oldest: number | null;
}

/** The samples that a chart can still show, with a new one. */
export function appended(samples: readonly Sample[], sample: Sample): readonly Sample[] {
  const since = sample.at - (MAX_BUCKETS + 1) * BUCKET_MS;
  return [...samples.filter(({ at }) => at > since && at < sample.at), sample];
}

/** The buckets up to the newest sample. The count starts again at midnight, so a negative difference is not shown. */
export function buckets(samples: readonly Sample[]): readonly Bucket[] {
  const last = samples.at(-1);
  if (!last) return [];
  const end = Math.floor(last.at / BUCKET_MS);
  const rates = new Map<number, number[]>();
  const ages = new Map<number, number>();
  samples.forEach((sample, index) => {
    const slot = Math.floor(sample.at / BUCKET_MS);
    ages.set(slot, Math.max(ages.get(slot) ?? 0, sample.oldest));
    const before = samples[index - 1];
    if (before && sample.at - before.at < BUCKET_MS && sample.settled >= before.settled) {
      rates.set(slot, [
        ...(rates.get(slot) ?? []),
        ((sample.settled - before.settled) * 1000) / (sample.at - before.at),
      ]);
    }
  });
  return Array.from({ length: MAX_BUCKETS }, (_, index) => {
    const slot = end - MAX_BUCKETS + 1 + index;
    const values = rates.get(slot);
    return {
      at: slot * BUCKET_MS,
      rate: values ? values.reduce((a, b) => a + b, 0) / values.length : null,
      oldest: ages.get(slot) ?? null,
    };
  });
}

/** Mails settled per second lately; null with fewer than two samples. */
export function currentRate(samples: readonly Sample[]): number | null {
  const last = samples.at(-1);
  const first = samples.find(({ at }) => last && last.at - at <= BUCKET_MS);
  if (!last || !first || first === last || last.settled < first.settled) return null;
  return ((last.settled - first.settled) * 1000) / (last.at - first.at);
}

type Counts = Pick<TrafficPoint, 'at' | 'accepted' | 'delivered' | 'bounced' | 'failed' | 'deferred'>;

/** The sums of consecutive intervals, the newest group complete. */
export function grouped(points: readonly Counts[], each: number): Counts[] {
  const groups = Array.from({ length: Math.ceil(points.length / each) }, (_, index) => {
    const end = points.length - index * each;
    return points.slice(Math.max(0, end - each), end);
  }).toReversed();
  const sum = (group: readonly Counts[], field: Exclude<keyof Counts, 'at'>) =>
    group.reduce((total, point) => total + point[field], 0);
  return groups.map((group) => ({
    at: group[0]!.at,
    accepted: sum(group, 'accepted'),
    delivered: sum(group, 'delivered'),
    bounced: sum(group, 'bounced'),
    failed: sum(group, 'failed'),
    deferred: sum(group, 'deferred'),
  }));
}

/** At most five round steps from zero to a value or above it. */
export function steps(max: number): number[] {
  const top = Math.max(1, max);
  const power = 10 ** Math.floor(Math.log10(top / 4));
  const step = Math.max(
    1,
    [1, 2, 5, 10].map((factor) => factor * power).find((candidate) => candidate >= top / 4) ?? 1,
  );
  return Array.from({ length: Math.ceil(top / step) + 1 }, (_, index) => index * step);
}
