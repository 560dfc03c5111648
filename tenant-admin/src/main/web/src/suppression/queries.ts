import { keepPreviousData, queryOptions, type QueryClient } from '@tanstack/react-query';
import { accepted, request } from '../app/graphql';
import {
  AddSuppressionsDocument,
  RemoveSuppressionDocument,
  SuppressionsDocument,
  type SuppressionsQuery,
  type SuppressionsQueryVariables,
} from '../gen/graphql';

export type SuppressionRow = NonNullable<SuppressionsQuery['viewer']>['suppressions']['nodes'][number];

export const suppressionsQuery = (filters: SuppressionsQueryVariables) =>
  queryOptions({
    queryKey: ['suppression', 'list', filters],
    queryFn: async () => (await request(SuppressionsDocument, filters)).viewer!.suppressions,
    placeholderData: keepPreviousData,
  });

async function changed(client: QueryClient): Promise<void> {
  await client.invalidateQueries({ queryKey: ['suppression', 'list'] });
}

/** Adds addresses, all or none; those that are listed stay as they are. */
export async function addSuppressions(client: QueryClient, addresses: readonly string[]): Promise<void> {
  accepted(
    (await request(AddSuppressionsDocument, { input: { addresses: addresses.map((email) => ({ email })) } }))
      .addSuppressions,
  );
  await changed(client);
}

export async function removeSuppression(client: QueryClient, id: string): Promise<void> {
  accepted((await request(RemoveSuppressionDocument, { id })).removeSuppression);
  await changed(client);
}
