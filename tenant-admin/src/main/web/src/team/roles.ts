/** Roles of members and what they permit, in the words of the page. */
import type { MemberRole } from '../gen/graphql';

export const roles: readonly { readonly role: MemberRole; readonly text: string; readonly rights: string }[] = [
  { role: 'VIEWER', text: 'Viewer', rights: 'reads' },
  { role: 'DEVELOPER', text: 'Developer', rights: 'also sends, and manages domains, API keys, templates and webhooks' },
  { role: 'ADMIN', text: 'Admin', rights: 'also manages contacts, campaigns, suppressions and members' },
  { role: 'OWNER', text: 'Owner', rights: 'also manages owners and the plan' },
];

/** The name of a role. */
export function roleText(role: MemberRole): string {
  return roles.find((known) => known.role === role)!.text;
}

/** Whether a role may change members; null if it may, or else the reason. */
export function refusal(own: MemberRole, concerned: MemberRole): string | null {
  if (own === 'OWNER') return null;
  if (own !== 'ADMIN') return `Your role is ${roleText(own).toLowerCase()}: an admin or an owner manages members.`;
  return concerned === 'OWNER' ? 'Only an owner manages owners.' : null;
}

/** The roles that a person may give. */
export function assignable(own: MemberRole): typeof roles {
  return own === 'OWNER' ? roles : roles.filter(({ role }) => role !== 'OWNER');
}
