import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { request } from '../app/graphql';
import { lastDays } from '../kit/scale';
import {
  DaysBeforeDocument,
  FiguresBeforeDocument,
  OverviewCampaignsDocument,
  OverviewDocument,
  RecentMailsDocument,
  type OverviewCampaignsQuery,
  type OverviewQuery,
  type RecentMailsQuery,
} from '../gen/graphql';
import { sum, totals, type Results } from './series';

export type Overview = NonNullable<OverviewQuery['viewer']>;
export type Day = Overview['dailyFigures'][number];
export type Recent = NonNullable<RecentMailsQuery['viewer']>['recentFigures'];
export type Hour = Recent['hours'][number];
export type Campaigns = NonNullable<OverviewCampaignsQuery['viewer']>;

export const overviewQuery = (days: number, domain: string | undefined) =>
  queryOptions({
    queryKey: ['overview', 'one', { days, domain }],
    queryFn: async () => (await request(OverviewDocument, { days, domain: domain ?? null })).viewer!,
    placeholderData: keepPreviousData,
  });

/** The mails of the last 24 hours. */
export const recentQuery = (domain: string | undefined) =>
  queryOptions({
    queryKey: ['overview', 'recent', { domain }],
    queryFn: async () =>
      (await request(RecentMailsDocument, { domain: domain ?? null })).viewer!.recentFigures,
    placeholderData: keepPreviousData,
  });

export const campaignsQuery = queryOptions({
  queryKey: ['overview', 'campaigns'],
  queryFn: async () => (await request(OverviewCampaignsDocument)).viewer!,
});

/** Time for which the figures of the period before are kept: nearly all of its mails have their result. */
const BEFORE_MS = 5 * 60_000;

/** The results of the 24 hours before, or of as many days before; null if they are not known. */
export const beforeQuery = (days: number, domain: string | undefined) =>
  queryOptions({
    // Apart from the figures that events refresh.
    queryKey: ['overview-before', { days, domain }],
    staleTime: BEFORE_MS,
    queryFn: async (): Promise<Results | null> => {
      if (days === 1) {
        const { viewer } = await request(FiguresBeforeDocument, { domain: domain ?? null });
        const { complete, hours } = viewer!.recentFigures;
        return complete ? totals(hours.slice(0, 24)) : null;
      }
      const last = lastDays(2 * days);
      const { viewer } = await request(DaysBeforeDocument, {
        from: last[0]!,
        to: last[days - 1]!,
        domain: domain ?? null,
      });
      return results(viewer!.dailyFigures);
    },
  });

/** The results of days, of which hard bounces are counted. */
export function results(days: readonly Day[]): Results {
  return {
    delivered: sum(days, 'delivered'),
    sent: sum(days, 'sent'),
    bounced: sum(days, 'hardBounced'),
    complained: sum(days, 'complained'),
    failed: 0,
  };
}
