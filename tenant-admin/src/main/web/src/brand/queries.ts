import { queryOptions } from '@tanstack/react-query';
import { request } from '../app/graphql';
import { BrandDocument, type BrandQuery } from '../gen/graphql';

export type BrandSettings = NonNullable<BrandQuery['viewer']>['brand'];

/** Brand of the account, with its name. */
export const brandQuery = queryOptions({
  queryKey: ['brand', 'one'],
  queryFn: async () => (await request(BrandDocument)).viewer!,
});
