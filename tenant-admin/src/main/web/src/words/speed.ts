/** Speed of a campaign, and its expected end. */
import { minute } from './formats';

/** Number of recipients whose mail has a result, at a time. */
export interface Sample {
  readonly at: number;
  readonly through: number;
}

/** Time over which the speed is measured. */
const SPEED_MS = 30_000;
const MIN_SPEED_MS = 3000;

/** Samples after another one, without those that are too old to measure the speed. */
export function sampled(samples: readonly Sample[], sample: Sample): readonly Sample[] {
  const last = samples.at(-1);
  const kept =
    last && sample.through < last.through ? [] : samples.filter(({ at }) => sample.at - at <= SPEED_MS);
  return [...kept, sample];
}

/** Mails in a second; undefined while too little is known. */
export function speed(samples: readonly Sample[]): number | undefined {
  const [first, last] = [samples[0], samples.at(-1)];
  if (!first || !last || last.at - first.at < MIN_SPEED_MS || last.through <= first.through) return undefined;
  return ((last.through - first.through) / (last.at - first.at)) * 1000;
}

/**
 * The minute at which a campaign ends: what remains at the measured speed, but not faster than its pace in mails a minute.
 * Null while neither is known.
 */
export function expectedEnd(
  remaining: number,
  rate: number | undefined,
  pace: number | null,
  now = Date.now(),
): string | null {
  const perSecond = Math.min(rate ?? Infinity, pace === null ? Infinity : pace / 60);
  if (!Number.isFinite(perSecond) || remaining <= 0) return null;
  const at = new Date(now + (remaining / perSecond) * 1000).toISOString();
  return minute(at, new Date(now));
}
