import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { request } from '../app/graphql';
import { lastDays } from '../kit/scale';
import {
  DaysBeforeDocument,
  OverviewCampaignsDocument,
  OverviewDocument,
  RecentMailsDocument,
  type OverviewCampaignsQuery,
  type OverviewQuery,
  type RecentMailsQuery,
} from '../gen/graphql';
import { sum, totals, type Results, type Totals } from './series';

export type Overview = NonNullable<OverviewQuery['viewer']>;
export type Day = Overview['dailyFigures'][number];
export type Hour = NonNullable<RecentMailsQuery['viewer']>['recentFigures']['hours'][number];
export type Campaigns = NonNullable<OverviewCampaignsQuery['viewer']>;

export const overviewQuery = (days: number, domain: string | undefined) =>
  queryOptions({
    queryKey: ['overview', 'one', { days, domain }],
    queryFn: async () => (await request(OverviewDocument, { days, domain: domain ?? null })).viewer!,
    placeholderData: keepPreviousData,
  });

/** The mails of 24 hours, and the results of the 24 hours before. */
export interface Today {
  readonly hours: readonly Hour[];
  readonly all: Totals;
  /** Null if not all of them were counted. */
  readonly before: Totals | null;
  /** Whether all mails of the 24 hours were counted. */
  readonly complete: boolean;
  readonly oldestWaitingAt: string | null;
}

const HOURS = 24;

/** The mails of the last 24 hours, read with those of the 24 hours before. */
export const recentQuery = (domain: string | undefined) =>
  queryOptions({
    queryKey: ['overview', 'recent', { domain }],
    queryFn: async (): Promise<Today> => {
      const { viewer } = await request(RecentMailsDocument, { domain: domain ?? null });
      const { complete, hours, oldestWaitingAt } = viewer!.recentFigures;
      const before = totals(hours.slice(0, HOURS));
      return {
        hours: hours.slice(HOURS),
        all: totals(hours.slice(HOURS)),
        before: complete ? before : null,
        // The newest mails are counted: one that is older means that no newer one is missing.
        complete: complete || before.accepted > 0,
        oldestWaitingAt,
      };
    },
    placeholderData: keepPreviousData,
  });

export const campaignsQuery = queryOptions({
  queryKey: ['overview', 'campaigns'],
  queryFn: async () => (await request(OverviewCampaignsDocument)).viewer!,
});

/** Time for which the figures of the period before are kept: nearly all of its mails have their result. */
const BEFORE_MS = 5 * 60_000;

/** The results of as many days before. */
export const beforeQuery = (days: number, domain: string | undefined) =>
  queryOptions({
    // Apart from the figures that events refresh.
    queryKey: ['overview-before', { days, domain }],
    staleTime: BEFORE_MS,
    queryFn: async () => {
      const last = lastDays(2 * days);
      const { viewer } = await request(DaysBeforeDocument, {
        from: last[0]!,
        to: last[days - 1]!,
        domain: domain ?? null,
      });
      return results(viewer!.dailyFigures);
    },
  });

/** The results of days. */
export function results(days: readonly Day[]): Results {
  return {
    delivered: sum(days, 'delivered'),
    sent: sum(days, 'sent'),
    bounced: sum(days, 'bounced'),
    complained: sum(days, 'complained'),
  };
}
