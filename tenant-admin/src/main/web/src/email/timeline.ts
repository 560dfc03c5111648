/** The history of a mail: its events, attempts and webhook calls, newest first. */
import {
  Ban,
  CalendarClock,
  CornerUpLeft,
  Eye,
  Flag,
  Inbox,
  MousePointerClick,
  OctagonX,
  Webhook,
  X,
  Circle,
  type LucideIcon,
} from 'lucide-react';
import type { AttemptOutcome } from '../gen/graphql';
import { duration } from '../words/formats';
import { outcomeWord, type Tone } from '../words/status';
import type { EmailDetail } from './queries';

export type Attempt = EmailDetail['attempts'][number];

export interface Entry {
  readonly id: string;
  readonly at: string;
  readonly tone: Tone;
  readonly icon: LucideIcon;
  readonly title: string;
  readonly detail: string;
  /** A reply or an error, in monospace. */
  readonly reply: string | null;
  readonly attempt: Attempt | null;
}

type Kind = readonly [Tone, LucideIcon, string];

const kinds: Record<string, Kind> = {
  'email.scheduled': ['mute', CalendarClock, 'Scheduled'],
  'email.complained': ['plum', Flag, 'Spam complaint'],
  'email.cancelled': ['mute', X, 'Cancelled'],
  'email.suppressed': ['mute', Ban, 'Suppressed'],
  'email.failed': ['bad', OctagonX, 'Failed'],
  'email.bounced': ['bad', CornerUpLeft, 'Bounced'],
  'email.forward_failed': ['bad', OctagonX, 'Not forwarded'],
};

/** Events that an attempt shows in more detail. */
const told: Record<string, readonly AttemptOutcome[]> = {
  'email.sent': ['SENT'],
  'email.delivered': ['DELIVERED'],
  'email.bounced': ['BOUNCED'],
  'email.delivery_delayed': ['DEFERRED', 'UNANSWERED'],
  'email.failed': ['FAILED', 'EXPIRED'],
  'email.forwarded': ['SENT', 'DELIVERED'],
  'email.forward_failed': ['BOUNCED', 'FAILED', 'EXPIRED'],
};

export function timeline(email: EmailDetail): readonly Entry[] {
  const several = email.deliveries.length > 1;
  const entries = [
    ...email.events.filter((event) => !isTold(event, email.attempts)).map(ofEvent),
    ...email.attempts.map((attempt) => ofAttempt(attempt, several)),
    ...email.webhookCalls.filter((call) => call.attempt > 0).map(ofCall),
  ].filter((entry) => entry !== null);
  const accepted: Entry = {
    id: 'accepted',
    at: email.createdAt,
    tone: 'mute',
    icon: Inbox,
    title: 'Accepted',
    detail: origin(email),
    reply: null,
    attempt: null,
  };
  return [...entries.toSorted((a, b) => b.at.localeCompare(a.at)), accepted];
}

/** The campaign, the API key or the person that a mail came from; nothing for a mail that Mailroom wrote. */
function origin({ campaign, acceptedBy }: EmailDetail): string {
  if (campaign) return `from the campaign ${campaign.name}`;
  return acceptedBy ? submitter(acceptedBy) : '';
}

/** The API key or the person that a mail came from, by name if it is still there. */
export function submitter({ kind, name }: NonNullable<EmailDetail['acceptedBy']>): string {
  switch (kind) {
    case 'API_KEY':
      return name === null ? 'with a deleted key' : `with the key ${name}`;
    case 'PERSON':
      return name === null ? 'from a former member' : `from ${name}`;
  }
}

/** The attempt that decided the result: the last one. */
export function deciding(email: EmailDetail): Attempt | undefined {
  return email.attempts.toSorted((a, b) => a.beganAt.localeCompare(b.beganAt)).at(-1);
}

function isTold(event: EmailDetail['events'][number], attempts: readonly Attempt[]): boolean {
  const recipient = (event.data as { recipient?: string } | null)?.recipient;
  return (told[event.kind] ?? []).some((outcome) =>
    attempts.some(
      (attempt) => attempt.outcome === outcome && (!recipient || attempt.recipient === recipient),
    ),
  );
}

function ofEvent(event: EmailDetail['events'][number]): Entry | null {
  const data = (event.data ?? {}) as {
    recipient?: string;
    click?: { url?: string };
    bot?: boolean;
    reason?: string;
  };
  const entry = (tone: Tone, icon: LucideIcon, title: string, detail: string): Entry => ({
    id: event.id,
    at: event.createdAt,
    tone,
    icon,
    title,
    detail,
    reply: null,
    attempt: null,
  });
  if (event.kind === 'email.opened')
    return data.bot
      ? entry('mute', Eye, 'Loaded by a program', 'not counted')
      : entry('good', Eye, 'Opened', 'by a person');
  if (event.kind === 'email.clicked') {
    const url = (data.click?.url ?? '').replace(/^https?:\/\//, '');
    return data.bot
      ? entry('mute', MousePointerClick, 'Link followed by a program', 'not counted')
      : entry('good', MousePointerClick, 'Clicked', url);
  }
  const [tone, icon, title] =
    kinds[event.kind] ?? (['mute', Circle, event.kind.replace(/^email\./, '').replaceAll('_', ' ')] as const);
  return entry(tone, icon, title, [data.recipient, data.reason].filter(Boolean).join(', '));
}

const callTones: Record<EmailDetail['webhookCalls'][number]['status'], Tone> = {
  DELIVERED: 'mute',
  PENDING: 'warn',
  FAILED: 'bad',
};

function ofCall(call: EmailDetail['webhookCalls'][number]): Entry {
  const title = call.lastStatus === null ? 'Webhook did not answer' : `Webhook answered ${call.lastStatus}`;
  const outcome =
    call.status === 'PENDING' ? ', called again later' : call.status === 'FAILED' ? ', given up' : '';
  return {
    id: call.id,
    at: call.settledAt ?? call.createdAt,
    tone: callTones[call.status],
    icon: Webhook,
    title,
    detail: `${call.kind}${outcome}`,
    reply: null,
    attempt: null,
  };
}

function ofAttempt(attempt: Attempt, several: boolean): Entry {
  const { tone, icon, text } = outcomeWord(attempt.outcome);
  const at = new Date(new Date(attempt.beganAt).getTime() + attempt.tookMs).toISOString();
  const detail = [
    several ? attempt.recipient : '',
    `attempt ${attempt.attempt}`,
    `in ${duration(attempt.tookMs)}`,
    attempt.source ? `from ${attempt.source}` : '',
    policy(attempt),
  ]
    .filter(Boolean)
    .join(', ');
  return { id: attempt.id, at, tone, icon, title: text, detail, reply: attempt.reply, attempt };
}

/** The policy about TLS that decided, with its result. */
function policy({ tlsPolicy, tlsResult }: Attempt): string {
  if (!tlsPolicy) return '';
  return `${tlsPolicy === 'dane' ? 'DANE' : 'MTA-STS'} ${(tlsResult ?? '').replace('_', ' ')}`.trim();
}
