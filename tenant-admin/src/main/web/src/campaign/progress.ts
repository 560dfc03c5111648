/** Progress and rate of a campaign, and its results over time. */
import type { CampaignInterval } from '../gen/graphql';
import type { CampaignView, Point } from './queries';

type Counts = Pick<CampaignView, 'status' | 'totalContacts' | 'sentCount' | 'failedCount'>;

/** Number of recipients whose mail has a result. Skipped contacts are partly no recipients, so they do not count. */
export function through({ sentCount, failedCount }: Counts): number {
  return sentCount + failedCount;
}

/** Share of the recipients whose mail has a result, in percent. A campaign that is sent has all. */
export function share(counts: Counts): number {
  if (counts.status === 'SENT') return 100;
  return counts.totalContacts === 0 ? 0 : Math.min(100, (through(counts) / counts.totalContacts) * 100);
}

/** Number of recipients whose mail has no result yet. */
export function waiting(counts: Counts): number {
  return counts.status === 'SENT' ? 0 : Math.max(0, counts.totalContacts - through(counts));
}

const MINUTE_MS = 60_000;
const lengths: Record<CampaignInterval, number> = {
  MINUTE: MINUTE_MS,
  HOUR: 60 * MINUTE_MS,
  DAY: 24 * 60 * MINUTE_MS,
};

/** Most buckets of a chart, and the fewest. */
const MAX_BUCKETS = 180;
const MIN_BUCKETS = 12;

/** The shortest interval of which at most 180 cover a time. */
export function intervalFor(from: number, to: number): CampaignInterval {
  return (
    (['MINUTE', 'HOUR'] as const).find((interval) => (to - from) / lengths[interval] <= MAX_BUCKETS - 2)
    ?? 'DAY'
  );
}

/** Even buckets from a time to another, with zeros where there was no result. */
export function buckets(
  points: readonly Point[],
  interval: CampaignInterval,
  from: number,
  to: number,
): Point[] {
  const length = lengths[interval];
  const first = Math.floor(from / length);
  const last = Math.max(first + MIN_BUCKETS - 1, Math.min(Math.floor(to / length), first + MAX_BUCKETS - 1));
  const byTime = new Map(points.map((point) => [Math.floor(new Date(point.at).getTime() / length), point]));
  return Array.from(
    { length: last - first + 1 },
    (_, index) =>
      byTime.get(first + index) ?? {
        at: new Date((first + index) * length).toISOString(),
        sent: 0,
        delivered: 0,
        bounced: 0,
        complained: 0,
        failed: 0,
        opened: 0,
        clicked: 0,
        unsubscribed: 0,
        skipped: 0,
      },
  );
}
