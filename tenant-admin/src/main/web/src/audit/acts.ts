/** Entries of audit logs in words. A * in a sentence is the name of the object, or its value. */

type Values = Readonly<Record<string, unknown>>;

const acts: Record<string, readonly [name: string, sentence: string]> = {
  'api_key.created': ['API key created', 'Created API key *'],
  'api_key.changed': ['API key changed', 'Changed API key *'],
  'api_key.revoked': ['API key revoked', 'Revoked API key *'],
  'domain.created': ['Domain added', 'Added domain *'],
  'domain.changed': ['Domain changed', 'Changed domain *'],
  'domain.deleted': ['Domain deleted', 'Deleted domain *'],
  'domain.dkim_rotated': ['DKIM key rotated', 'Rotated the DKIM keys of *'],
  'domain.warmup_started': ['Warm-up started', 'Started the warm-up of *'],
  'domain.warmup_stopped': ['Warm-up ended', 'Ended the warm-up of *'],
  'tracking_domain.created': ['Tracking domain added', 'Added tracking domain *'],
  'tracking_domain.deleted': ['Tracking domain deleted', 'Deleted tracking domain *'],
  'webhook.created': ['Webhook added', 'Added webhook *'],
  'webhook.changed': ['Webhook changed', 'Changed webhook *'],
  'webhook.deleted': ['Webhook deleted', 'Deleted webhook *'],
  'webhook.secret_rotated': ['Webhook secret rotated', 'Rotated the secret of webhook *'],
  'inbound_route.created': ['Inbound route added', 'Added the inbound route for *'],
  'inbound_route.changed': ['Inbound route changed', 'Changed the inbound route for *'],
  'inbound_route.deleted': ['Inbound route deleted', 'Deleted the inbound route for *'],
  'inbound_route.ordered': ['Inbound routes reordered', 'Reordered the inbound routes of a domain'],
  'forward_target.created': ['Forwarding address added', 'Added forwarding address *'],
  'forward_target.asked': ['Forwarding address asked again', 'Asked forwarding address * again'],
  'forward_target.deleted': ['Forwarding address deleted', 'Deleted forwarding address *'],
  'hosted_policy.chosen': ['Hosted MTA-STS policy chosen', 'Chose the hosted MTA-STS policy of *'],
  'hosted_policy.removed': ['Hosted MTA-STS policy removed', 'Removed the hosted MTA-STS policy of *'],
  'brand.changed': ['Brand changed', 'Changed the brand'],
  'account.renamed': ['Name changed', 'Changed the own name to *'],
  'account.time_zone_changed': ['Time zone changed', 'Set the time zone to *'],
  'account.password_changed': ['Password changed', 'Changed the own password'],
  'account.session_ended': ['Session ended', 'Ended an own session'],
  'account.second_factor_added': ['Two-factor authentication added', 'Turned two-factor authentication on'],
  'account.second_factor_removed': [
    'Two-factor authentication removed',
    'Turned two-factor authentication off',
  ],
  'account.registrations_closed': ['Registrations closed', 'Closed other registrations of the address'],
  'member.invited': ['Member invited', 'Invited *'],
  'member.invitation_withdrawn': ['Invitation withdrawn', 'Withdrew the invitation of *'],
  'member.joined': ['Member joined', 'Joined as *'],
  'member.changed': ['Role of a member changed', 'Changed the role of *'],
  'member.removed': ['Member removed', 'Removed *'],
  'member.notices_chosen': ['Notifications chosen', 'Chose notifications'],
  'account.suspended': ['Account suspended', 'Suspended the account'],
  'account.resumed': ['Account reinstated', 'Reinstated the account'],
  'account.plan_changed': ['Plan changed', 'Changed the plan to *'],
  'account.limits_changed': ['Limits changed', 'Changed the limits'],
  'account.transport_chosen': ['Transport chosen', 'Chose the transport *'],
  'account.note_added': ['Note added', 'Added a note about the account'],
  'account.watched': ['Account read', 'Began to watch the account'],
  'account.watch_ended': ['Watching ended', 'Stopped watching the account'],
  'mail.searched': ['Mail searched', 'Searched mail of all accounts'],
  'mail.read': ['Content of an email read', 'Read the content of email *'],
  'dead_letter.requeued': ['Dead letter requeued', 'Requeued dead letter *'],
  'dead_letter.dismissed': ['Dead letter dismissed', 'Dismissed dead letter *'],
  'account.deletion_asked': ['Deletion asked for', 'Asked for the deletion of the account'],
  'account.deletion_cancelled': ['Deletion cancelled', 'Cancelled the deletion of the account'],
  'account.exported': ['Data exported', 'Exported all data of the account'],
  'account.erased': ['Account erased', 'Erased account *'],
  'account.move_begun': ['Move to another cell begun', 'Began the move to cell *'],
  'account.move_undone': ['Move to another cell undone', 'Undid the move to cell *'],
  'account.arrived': ['Account moved here', 'Moved the account here from cell *'],
  'account.moved': ['Account moved to another cell', 'Moved the account to cell *'],
  'plan.saved': ['Plan saved', 'Saved plan *'],
  'address.checked': ['Address checked', 'Checked address *'],
  'profile.saved': ['Profile saved', 'Saved profile *'],
  'profile.reset': ['Profile reset', 'Reset profile *'],
  'site.paused': ['Site paused', 'Paused site *'],
  'site.forgotten': ['Site forgotten', 'Forgot what was learned about site *'],
  'source.saved': ['Sending address saved', 'Saved sending address *'],
  'source.removed': ['Sending address removed', 'Removed sending address *'],
  'source.warmup_started': ['Warm-up of an address started', 'Started the warm-up of address *'],
  'source.warmup_stopped': ['Warm-up of an address stopped', 'Stopped the warm-up of address *'],
  'pool.saved': ['Pool saved', 'Saved pool *'],
  'pool.removed': ['Pool removed', 'Removed pool *'],
  'pool.chosen': ['Pool chosen', 'Chose the pools of *'],
  'destination.held': ['Destination held', 'Held mail to *'],
  'destination.released': ['Destination released', 'Released mail to *'],
  'queue.paused': ['Queue paused', 'Paused the queue *'],
  'queue.resumed': ['Queue resumed', 'Resumed the queue *'],
  'audit.exported': ['Audit log exported', 'Exported the audit log'],
};

/** Acts that concern no account of a tenant. */
const PLATFORM =
  /^(mail\.searched|account\.note|plan|address|profile|site|source|pool|destination|queue|audit)/;

/** The acts with their names. */
export const actNames: readonly (readonly [string, string])[] = Object.entries(acts).map(([act, [name]]) => [
  act,
  name,
]);

/** The acts that the log of an account can have. */
export const accountActs = actNames.filter(([act]) => !PLATFORM.test(act));

/** The name of an act; an unknown one is shown as it is stored. */
export function actName(act: string): string {
  return acts[act]?.[0] ?? act;
}

export interface Recorded {
  readonly act: string;
  readonly target: string;
  readonly details: unknown;
}

/** Values that name an object or say what it became. */
const NAMING = ['name', 'url', 'pattern', 'email', 'address', 'cell', 'time_zone', 'plan', 'transport'];

/** The sentence of an entry: the text before the name, the name, and the text after it. */
export function sentence({ act, target, details }: Recorded): readonly [string, string, string] {
  const values = valuesOf(details);
  const [before = '', after = ''] = (acts[act]?.[1] ?? `${act} *`).split('*');
  if (!(acts[act]?.[1] ?? '*').includes('*')) return [before, '', after];
  const own = act === 'member.joined' ? 'role' : NAMING.find((name) => typeof values[name] === 'string');
  const name = own && values[own] !== undefined ? String(values[own]) : short(target);
  return [before, name, tail(act, values)];
}

/** The sentence as a text. */
export function sentenceText(entry: Recorded): string {
  return sentence(entry).join('').trim();
}

function tail(act: string, values: Values): string {
  switch (act) {
    case 'api_key.created':
    case 'api_key.changed':
      return `${values.account ? ' for all domains' : ''} (${listed(values.permissions)})`;
    case 'member.invited':
      return ` as ${String(values.role)}`;
    case 'member.changed':
      return ` from ${String(values.before)} to ${String(values.role)}`;
    case 'domain.warmup_started':
      return ` over ${String(values.days)} days`;
    default:
      return '';
  }
}

/** An id is shortened, a name is not. */
function short(target: string): string {
  return /^[0-9a-f]{8}-/.test(target) ? target.slice(0, 8) : target;
}

export function valuesOf(details: unknown): Values {
  return (details ?? {}) as Values;
}

/** A value in words. */
export function listed(value: unknown): string {
  if (value === undefined || value === null || value === '') return 'none';
  if (Array.isArray(value)) return value.map(String).join(', ') || 'none';
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

/** A value before and after a change. */
export interface Change {
  readonly name: string;
  readonly before: string | null;
  readonly after: string;
}

/** The values of an entry beside those of the entry before it on the same object; null before if that is not known. */
export function changes(entry: Recorded, previous: Recorded | undefined): readonly Change[] {
  const { before, ...after } = valuesOf(entry.details);
  const old = previous && valuesOf(previous.details);
  return Object.entries(after).map(([name, value]) => ({
    name: name.replaceAll('_', ' '),
    before:
      name === 'role' && before !== undefined
        ? listed(before)
        : old && name in old
          ? listed(old[name])
          : null,
    after: listed(value),
  }));
}

interface Acting {
  readonly actorKind: string;
  readonly actorId: string | null;
  readonly actor: string | null;
}

/** The actor of an entry: an address, the name of a key, or the kind and the id. */
export function actorName({ actorKind, actor, actorId }: Acting): string {
  if (actorKind === 'API_KEY') return `API key ${actor ?? short(actorId ?? '')}`;
  return actor || (actorId ? `Account ${short(actorId)}` : 'Mailroom operator');
}
