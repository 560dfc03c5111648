/** Words, tones and icons of statuses. */
import {
  ArrowUpRight,
  Ban,
  CalendarClock,
  Check,
  CircleQuestionMark,
  Clock,
  CornerUpLeft,
  Flag,
  Hourglass,
  LogOut,
  MailX,
  Minus,
  OctagonAlert,
  OctagonX,
  Pause,
  PencilLine,
  Play,
  TriangleAlert,
  Unplug,
  X,
  type LucideIcon,
} from 'lucide-react';
import type {
  AddressCheckResult,
  AttemptOutcome,
  BlockListState,
  CallStatus,
  CampaignStatus,
  CheckResult,
  ConsentState,
  DeliveryHold,
  DomainStatus,
  EmailStatus,
  ReadinessResult,
  RecordPurpose,
  SendingAddressState,
  Standing,
  TrackingDomainState,
  Verdict,
} from '../gen/graphql';
import glossary from './glossary.json';

export type Tone = 'mute' | 'info' | 'good' | 'warn' | 'bad' | 'plum';

/** A status as it is shown. */
export interface Word {
  readonly tone: Tone;
  readonly text: string;
  readonly icon: LucideIcon;
}

const word = (tone: Tone, text: string, icon: LucideIcon): Word => ({ tone, text, icon });

const { states } = glossary;
const pending = word('mute', 'Pending', Clock);
const queued = word('mute', states.queued.label, Clock);
const scheduled = word('mute', states.scheduled.label, CalendarClock);
const deferred = word('warn', states.deferred.label, Hourglass);
const sent = word('info', states.sent.label, ArrowUpRight);
const delivered = word('good', states.delivered.label, Check);
const bounced = word('bad', states.bounced.label, CornerUpLeft);
const complained = word('plum', states.complained.label, Flag);
const failed = word('bad', states.failed.label, OctagonX);
const suppressed = word('mute', states.suppressed.label, Ban);

/** The reason for which a delivery waits beyond its time. */
export function heldReason(held: DeliveryHold): string {
  switch (held) {
    case 'CAMPAIGN':
      return 'Waits for its campaign, which is not running.';
    case 'DESTINATION':
      return 'Waits because mail to its domain is held.';
  }
}

/** The word of a mail, made from its status and its latest event. */
export function emailWord(status: EmailStatus, lastEvent: string): Word {
  switch (status) {
    case 'PENDING':
      if (lastEvent === 'scheduled') return scheduled;
      return lastEvent === 'delivery_delayed' ? deferred : queued;
    case 'SENT':
      return sent;
    case 'DELIVERED':
      return delivered;
    case 'BOUNCED':
      return bounced;
    case 'COMPLAINED':
      return complained;
    case 'FAILED':
      if (lastEvent === 'cancelled') return word('mute', states.cancelled.label, X);
      return lastEvent === 'suppressed' ? suppressed : failed;
  }
}

/** The word of an attempt to hand over. */
export function outcomeWord(outcome: AttemptOutcome): Word {
  switch (outcome) {
    case 'DELIVERED':
      return delivered;
    case 'SENT':
      return sent;
    case 'BOUNCED':
      return bounced;
    case 'DEFERRED':
      return deferred;
    case 'UNANSWERED':
      return word('warn', 'No final reply', Hourglass);
    case 'FAILED':
      return failed;
    case 'EXPIRED':
      return word('bad', states.expired.label, OctagonX);
  }
}

/** The word of a contact. */
export function subscriptionWord({
  subscribed,
  consent,
}: {
  subscribed: boolean;
  consent: { state: ConsentState | null };
}): Word {
  if (subscribed) return word('good', 'Subscribed', Check);
  return consent.state === 'PENDING'
    ? word('mute', 'Not confirmed', Clock)
    : word('mute', 'Unsubscribed', MailX);
}

/** The word of a domain. */
export function domainWord(status: DomainStatus): Word {
  switch (status) {
    case 'PENDING':
      return pending;
    case 'VERIFIED':
      return word('good', 'Verified', Check);
    case 'TEMPORARY_FAILURE':
      return word('warn', 'Record lost', TriangleAlert);
    case 'FAILED':
      return word('bad', states.suspended.label, OctagonX);
  }
}

/** The word of a tracking domain. */
export function trackingWord(state: TrackingDomainState): Word {
  switch (state) {
    case 'PENDING':
      return pending;
    case 'DNS_OK':
      return word('warn', 'No HTTPS yet', TriangleAlert);
    case 'ACTIVE':
      return word('good', 'Active', Check);
    case 'FAILING':
      return word('bad', 'Failing', OctagonX);
  }
}

/** The word of a forwarding address. */
export function forwardWord({ confirmed }: { confirmed: boolean }): Word {
  return confirmed ? word('good', 'Confirmed', Check) : word('mute', 'Waiting', Clock);
}

/** Whether mail from a domain is accepted. */
export function isSending(status: DomainStatus): boolean {
  return status === 'VERIFIED' || status === 'TEMPORARY_FAILURE';
}

/** The word of a DNS record. A record that is only advised warns. */
export function recordWord(record: CheckedRecord): Word {
  switch (record.status) {
    case 'PENDING':
      return word('mute', 'Not checked', Minus);
    case 'VERIFIED':
      return word('good', 'Found', Check);
    case 'TEMPORARY_FAILURE':
      return word('warn', 'No answer', TriangleAlert);
    case 'FAILED': {
      const text = foundValue(record.error) === '' ? 'Not found' : 'Differs';
      return isNeeded(record) ? word('bad', text, X) : word('warn', text, TriangleAlert);
    }
  }
}

/** A DNS record with the result of its look-up. */
export interface CheckedRecord {
  readonly purpose: RecordPurpose;
  readonly value: string;
  readonly status: DomainStatus;
  readonly error: string | null;
}

/** Whether a domain cannot send without this record: its ownership, and a key that every verifier supports. */
export function isNeeded({ purpose, value }: Pick<CheckedRecord, 'purpose' | 'value'>): boolean {
  return purpose === 'OWNERSHIP' || (purpose === 'DKIM' && !value.includes('k=ed25519'));
}

/**
 * The value that a lookup found, from the text of its result: empty if it found nothing, null if the text is not about
 * a value.
 */
export function foundValue(error: string | null): string | null {
  const at = error?.lastIndexOf(', found ') ?? -1;
  if (error === null || at < 0) return null;
  const value = error.slice(at + ', found '.length);
  return value === 'nothing' ? '' : value;
}

/** The word of a reputation. */
export function standingWord(standing: Standing): Word {
  switch (standing) {
    case 'HEALTHY':
      return word('good', 'Healthy', Check);
    case 'WARNING':
      return word('warn', 'Warning', TriangleAlert);
    case 'RISKY':
      return word('bad', 'Risky', OctagonAlert);
  }
}

/** The word of an account: paused, or else its reputation. */
export function accountWord({
  pausedReason,
  standing,
}: {
  pausedReason: string | null;
  standing: Standing;
}): Word {
  if (pausedReason !== null) return word('warn', states.suspended.label, Pause);
  return standing === 'HEALTHY' ? word('good', 'Active', Check) : standingWord(standing);
}

/** The word of a worker. */
export function workerWord({ away, draining }: { away: boolean; draining: boolean }): Word {
  if (draining) return word('warn', 'Draining', LogOut);
  return away ? word('bad', 'Away', Unplug) : word('good', 'Working', Check);
}

/** The word of a check of the platform. */
export function checkWord(result: CheckResult): Word {
  switch (result) {
    case 'OK':
      return word('good', 'Healthy', Check);
    case 'WARNING':
      return word('warn', 'Warning', TriangleAlert);
    case 'FAILED':
      return failed;
  }
}

/** The word of a check of a sending address. */
export function addressWord(result: AddressCheckResult): Word {
  return result === 'UNKNOWN' ? word('mute', 'Not known', CircleQuestionMark) : checkWord(result);
}

/** The word of a rule for bulk senders. */
export function readinessWord(result: ReadinessResult): Word {
  switch (result) {
    case 'PASS':
      return word('good', 'Kept', Check);
    case 'WARN':
      return word('warn', 'Advice', TriangleAlert);
    case 'FAIL':
      return word('bad', 'Not kept', OctagonX);
    case 'UNKNOWN':
      return word('mute', 'Not known', CircleQuestionMark);
  }
}

/** The word of an address from which mail is sent. */
export function sourceWord({
  state,
  listedOn,
  workers,
}: {
  readonly state: SendingAddressState;
  readonly listedOn: string | null;
  readonly workers: number;
}): Word {
  if (listedOn) return word('warn', `Paused: listed by ${listedOn}`, Pause);
  switch (state) {
    case 'PAUSED':
      return word('mute', 'Paused', Pause);
    case 'DRAINING':
      return word('warn', 'Retries only', TriangleAlert);
    case 'ACTIVE':
      return workers > 0 ? word('good', 'Sends', Check) : word('bad', 'On no worker', OctagonAlert);
  }
}

/** The word of a pool of addresses. */
export function poolWord({
  usable,
  choices,
}: {
  readonly usable: number;
  readonly choices: readonly unknown[];
}): Word {
  if (usable > 0) return word('good', `${usable} usable`, Check);
  return choices.length > 0 ? word('bad', 'None usable', OctagonAlert) : word('mute', 'None usable', Minus);
}

/** The word of a block list. */
export function listWord(state: BlockListState): Word {
  switch (state) {
    case 'ON':
      return word('good', 'Asked', Check);
    case 'OFF':
      return word('warn', 'Not asked', TriangleAlert);
    case 'UNKNOWN':
      return word('mute', 'No answer', CircleQuestionMark);
  }
}

/** The word of a campaign. */
export function campaignWord(status: CampaignStatus): Word {
  switch (status) {
    case 'DRAFT':
      return word('mute', 'Draft', PencilLine);
    case 'SCHEDULED':
      return scheduled;
    case 'RUNNING':
      return word('info', 'Running', Play);
    case 'PAUSED':
      return word('warn', 'Paused', Pause);
    case 'SENT':
      return sent;
  }
}

/** The word of a webhook endpoint. */
export function endpointWord({
  active,
  disabledReason,
  failingSince,
}: {
  active: boolean;
  disabledReason: string | null;
  failingSince: string | null;
}): Word {
  if (!active)
    return disabledReason === null
      ? word('mute', 'Disabled', Minus)
      : word('bad', 'Disabled by Mailroom', OctagonX);
  return failingSince === null ? word('good', 'Working', Check) : word('warn', 'Failing', TriangleAlert);
}

/** The word of a webhook call. */
export function callWord({ status, attempt }: { status: CallStatus; attempt: number }): Word {
  switch (status) {
    case 'PENDING':
      return attempt > 0 ? word('warn', 'Retrying', Hourglass) : queued;
    case 'DELIVERED':
      return delivered;
    case 'FAILED':
      return failed;
  }
}

/** The word of a verdict on a received mail. */
export function verdictWord(verdict: Verdict): Word {
  switch (verdict) {
    case 'PASS':
      return word('good', 'PASS', Check);
    case 'FAIL':
      return word('bad', 'FAIL', X);
    case 'GRAY':
      return word('warn', 'Unknown', CircleQuestionMark);
    case 'PROCESSING_FAILED':
    case 'DISABLED':
      return word('mute', 'Not checked', Minus);
  }
}
