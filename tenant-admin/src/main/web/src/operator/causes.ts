/** States of destinations, and causes for which their servers defer mail, in words. */
import { Check, CircleDashed, OctagonX, Pause } from 'lucide-react';
import type { Circuit, DeferralCause } from '../gen/graphql';
import type { Word } from '../words/status';

const words: Record<DeferralCause, string> = {
  UNREACHED: 'not reached',
  BUSY: 'busy',
  DISTRUSTED: 'by policy',
  MAILBOX: 'for the mailbox',
  OTHER: 'otherwise',
};

/** The numbers of the last ten minutes: deferred in 10 min: 12 busy, 3 by policy; empty without any. */
export function causes(
  deferrals: readonly { readonly cause: DeferralCause; readonly count: number }[],
): string {
  return deferrals.length === 0
    ? ''
    : `deferred in 10 min: ${deferrals.map(({ cause, count }) => `${count} ${words[cause]}`).join(', ')}`;
}

/** The word of a destination: held, or else the state of its circuit. */
export function destinationWord({ held, circuit }: { held: object | null; circuit: Circuit }): Word {
  if (held !== null) return { tone: 'warn', text: 'Held', icon: Pause };
  switch (circuit) {
    case 'CLOSED':
      return { tone: 'good', text: 'OK', icon: Check };
    case 'HALF_OPEN':
      return { tone: 'warn', text: 'Slowed', icon: CircleDashed };
    case 'OPEN':
      return { tone: 'bad', text: 'Open', icon: OctagonX };
  }
}

/** Whether no mail goes to a destination, none waits, and nothing is wrong with it. */
export function isIdle(row: {
  held: object | null;
  circuit: Circuit;
  connections: number;
  rate: number;
  deferred: number;
  waiting: number;
}): boolean {
  return (
    row.held === null
    && row.circuit === 'CLOSED'
    && row.connections + row.rate + row.deferred + row.waiting === 0
  );
}

/** The word of a site: whether it gets mail, and at its pace. */
export function siteWord({ circuit, pace }: { circuit: Circuit; pace: number }): Word {
  if (circuit !== 'CLOSED') return destinationWord({ held: null, circuit });
  return pace < 1
    ? { tone: 'warn', text: 'Slowed', icon: CircleDashed }
    : { tone: 'good', text: 'OK', icon: Check };
}

/** The word of the last session under a policy about TLS, by its name in mailroom_tls_policy_total. */
export function tlsWord(result: string | null): Word {
  switch (result) {
    case 'verified':
    case 'enforced':
      return { tone: 'good', text: 'Verified', icon: Check };
    case 'testing_passed':
      return { tone: 'good', text: 'Would pass', icon: Check };
    case 'encrypted':
      return { tone: 'warn', text: 'Encrypted', icon: CircleDashed };
    case 'testing_failed':
      return { tone: 'warn', text: 'Would be refused', icon: CircleDashed };
    case 'refused':
      return { tone: 'bad', text: 'Refused', icon: OctagonX };
    default:
      return { tone: 'mute', text: 'None yet', icon: CircleDashed };
  }
}
