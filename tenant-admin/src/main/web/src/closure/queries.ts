import { queryOptions, type QueryClient } from '@tanstack/react-query';
import { accepted, request } from '../app/graphql';
import { CancelAccountDeletionDocument, DeleteAccountDocument, DeletionDocument } from '../gen/graphql';

/** The time at which the account is deleted; null if it stays. */
export const deletionQuery = queryOptions({
  queryKey: ['account', 'one', 'deletion'],
  queryFn: async () => (await request(DeletionDocument)).viewer!.account.deleteAt,
});

/** Asks for the deletion of the account. */
export async function deleteAccount(client: QueryClient, input: { name: string; password: string }) {
  accepted((await request(DeleteAccountDocument, { input })).deleteAccount);
  await client.invalidateQueries({ queryKey: ['account'] });
}

/** Cancels the deletion of the account. */
export async function cancelDeletion(client: QueryClient) {
  accepted((await request(CancelAccountDeletionDocument)).cancelAccountDeletion);
  await client.invalidateQueries({ queryKey: ['account'] });
}
