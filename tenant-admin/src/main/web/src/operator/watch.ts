import { accepted, request } from '../app/graphql';
import { beginWatch } from '../app/watching';
import { WatchAccountDocument } from '../gen/graphql';

/** Begins to watch an account, which loads its pages. */
export async function watchAccount(account: string, reason: string): Promise<void> {
  const { watch } = accepted(
    (await request(WatchAccountDocument, { input: { account, reason } })).operatorWatchAccount,
  );
  if (watch)
    beginWatch({
      token: watch.token,
      accountId: watch.accountId,
      name: watch.name || watch.email || watch.accountId,
      expiresAt: watch.expiresAt,
    });
}
