import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { request } from '../app/graphql';
import {
  OverviewCampaignsDocument,
  OverviewDocument,
  RecentMailsDocument,
  type OverviewCampaignsQuery,
  type OverviewQuery,
  type RecentMailsQuery,
} from '../gen/graphql';

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
