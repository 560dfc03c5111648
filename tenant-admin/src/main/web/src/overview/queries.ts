import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { request } from '../app/graphql';
import { OverviewDocument, type OverviewQuery } from '../gen/graphql';

export type Overview = NonNullable<OverviewQuery['viewer']>;
export type Day = Overview['dailyFigures'][number];

export const overviewQuery = (days: number, domain: string | undefined) => queryOptions({
  queryKey: ['overview', 'one', { days, domain }],
  queryFn: async () => (await request(OverviewDocument, { days, domain: domain ?? null })).viewer!,
  placeholderData: keepPreviousData,
});
