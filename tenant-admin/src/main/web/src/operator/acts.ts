/** Names of the recorded acts. */
const names: Record<string, string> = {
  'api_key.created': 'API key created',
  'api_key.changed': 'API key changed',
  'api_key.revoked': 'API key revoked',
  'domain.created': 'Domain added',
  'domain.changed': 'Domain changed',
  'domain.deleted': 'Domain deleted',
  'domain.dkim_rotated': 'DKIM key rotated',
  'domain.warmup_started': 'Warm-up started',
  'domain.warmup_stopped': 'Warm-up ended',
  'tracking_domain.created': 'Tracking domain added',
  'tracking_domain.deleted': 'Tracking domain deleted',
  'hosted_policy.chosen': 'Hosted policy chosen',
  'hosted_policy.removed': 'Hosted policy ended',
  'webhook.created': 'Webhook added',
  'webhook.changed': 'Webhook changed',
  'webhook.deleted': 'Webhook deleted',
  'webhook.secret_rotated': 'Webhook secret rotated',
  'inbound_route.created': 'Inbound route added',
  'inbound_route.changed': 'Inbound route changed',
  'inbound_route.deleted': 'Inbound route deleted',
  'inbound_route.ordered': 'Inbound routes reordered',
  'brand.changed': 'Brand changed',
  'account.renamed': 'Account renamed',
  'account.password_changed': 'Password changed',
  'account.session_ended': 'Session ended',
  'account.second_factor_added': 'Two-factor authentication added',
  'account.second_factor_removed': 'Two-factor authentication removed',
  'account.registrations_closed': 'Registrations closed',
  'member.invited': 'Member invited',
  'member.invitation_withdrawn': 'Invitation withdrawn',
  'member.joined': 'Member joined',
  'member.changed': 'Role of a member changed',
  'member.removed': 'Member removed',
  'account.suspended': 'Account suspended',
  'account.resumed': 'Pause lifted',
  'account.plan_changed': 'Plan changed',
  'account.limits_changed': 'Limits changed',
  'account.transport_chosen': 'Transport chosen',
  'account.note_added': 'Note added',
  'account.watched': 'Account read',
  'account.watch_ended': 'Watching ended',
  'mail.searched': 'Mail searched',
  'mail.read': 'Content of an email read',
  'dead_letter.requeued': 'Dead letter requeued',
  'dead_letter.dismissed': 'Dead letter dismissed',
  'plan.saved': 'Plan saved',
  'address.checked': 'Address checked',
  'profile.saved': 'Profile saved',
  'profile.reset': 'Profile reset',
  'site.paused': 'Site paused',
  'site.forgotten': 'Site forgotten',
  'source.saved': 'Sending address saved',
  'source.removed': 'Sending address removed',
  'source.warmup_started': 'Warm-up of an address started',
  'source.warmup_stopped': 'Warm-up of an address stopped',
  'pool.saved': 'Pool saved',
  'pool.removed': 'Pool removed',
  'pool.chosen': 'Pool chosen',
  'destination.held': 'Destination held',
  'destination.released': 'Destination released',
  'queue.paused': 'Queue paused',
  'queue.resumed': 'Queue resumed',
  'audit.exported': 'Audit log exported',
};

export const acts: readonly (readonly [string, string])[] = Object.entries(names);

/** The name of an act; an unknown one is shown as it is stored. */
export function actName(act: string): string {
  return names[act] ?? act;
}

interface Entry {
  readonly actorKind: string;
  readonly actorEmail: string | null;
  readonly actorId: string;
}

/** The actor of an entry: an address, or the kind and the id. */
export function actor({ actorKind, actorEmail, actorId }: Entry): string {
  return actorEmail || `${actorKind === 'API_KEY' ? 'API key' : 'Account'} ${actorId.slice(0, 8)}`;
}

/** New values of an entry in one line. */
export function details(value: unknown): string {
  return Object.entries((value ?? {}) as Record<string, unknown>)
    .map(
      ([name, part]) =>
        `${name.replaceAll('_', ' ')} ${typeof part === 'object' ? JSON.stringify(part) : String(part)}`,
    )
    .join(', ');
}
