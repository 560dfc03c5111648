/** Roles of members and what they permit, in the words of the page. */
import type { MemberRole } from '../gen/graphql';
import type { Rights } from '../kit/rights';

export const roles: readonly { readonly role: MemberRole; readonly text: string; readonly rights: string }[] =
  [
    { role: 'VIEWER', text: 'Viewer', rights: 'reads' },
    {
      role: 'DEVELOPER',
      text: 'Developer',
      rights: 'also sends, and manages domains, API keys, templates and webhooks',
    },
    {
      role: 'ADMIN',
      text: 'Admin',
      rights: 'also manages contacts, campaigns, suppressions, the brand and members',
    },
    { role: 'OWNER', text: 'Owner', rights: 'also manages owners and the plan' },
  ];

/** The name of a role. */
export function roleText(role: MemberRole): string {
  return roles.find((known) => known.role === role)!.text;
}

/** Whether the reader may change a member with this role. */
export function mayChange({ may }: Rights, concerned: MemberRole): boolean {
  return may(concerned === 'OWNER' ? 'ACCOUNT' : 'MEMBERS');
}

/** The roles that the reader may give. */
export function assignable(rights: Rights): typeof roles {
  return roles.filter(({ role }) => mayChange(rights, role));
}
