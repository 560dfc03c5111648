import { queryOptions } from '@tanstack/react-query';
import { request } from '../app/graphql';
import { UsageDocument, type UsageQuery } from '../gen/graphql';

export type UsageView = NonNullable<UsageQuery['viewer']>;
export type MailUsage = UsageView['usage']['daily'];
export type HeldUsage = UsageView['usage']['domains'];
export type Day = UsageView['dailyFigures'][number];

/** The key begins as that of the account, because the number of the rail changes with it. */
export const usageQuery = queryOptions({
  queryKey: ['account', 'one', 'usage'],
  queryFn: async () => (await request(UsageDocument)).viewer!,
});
