import { keepPreviousData, queryOptions, type QueryClient } from '@tanstack/react-query';
import { accepted, request } from '../app/graphql';
import { AddSuppressionDocument, RemoveSuppressionDocument, SuppressionsDocument, type SuppressionsQuery, type SuppressionsQueryVariables } from '../gen/graphql';

export type SuppressionRow = NonNullable<SuppressionsQuery['viewer']>['suppressions']['nodes'][number];

export const suppressionsQuery = (filters: SuppressionsQueryVariables) => queryOptions({
  queryKey: ['suppression', 'list', filters],
  queryFn: async () => (await request(SuppressionsDocument, filters)).viewer!.suppressions,
  placeholderData: keepPreviousData,
});

async function changed(client: QueryClient): Promise<void> {
  await client.invalidateQueries({ queryKey: ['suppression', 'list'] });
}

export async function addSuppression(client: QueryClient, email: string): Promise<void> {
  accepted((await request(AddSuppressionDocument, { input: { email } })).addSuppression);
  await changed(client);
}

export async function removeSuppression(client: QueryClient, id: string): Promise<void> {
  accepted((await request(RemoveSuppressionDocument, { id })).removeSuppression);
  await changed(client);
}
