/** Causes for which servers put mail off, in words. */
import type { DeferralCause } from '../gen/graphql';

const words: Record<DeferralCause, string> = {
  UNREACHED: 'not reached', BUSY: 'busy', DISTRUSTED: 'policy', MAILBOX: 'mailbox', OTHER: 'other',
};

/** The numbers of the last ten minutes: 12 busy, 3 policy in 10 min; empty without any. */
export function causes(deferrals: readonly { readonly cause: DeferralCause; readonly count: number }[]): string {
  return deferrals.length === 0 ? '' : `${deferrals.map(({ cause, count }) => `${count} ${words[cause]}`).join(', ')} in 10 min`;
}
