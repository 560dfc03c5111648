/** The pages of the rail, of the palette and of the keys that follow g. */
import { Ban, FileText, Globe, KeyRound, LayoutDashboard, ListChecks, Mail, Settings, Users, type LucideIcon } from 'lucide-react';

export interface PageLink {
  readonly to: string;
  readonly text: string;
  readonly icon: LucideIcon;
  readonly group: '' | 'Send' | 'Audience' | 'Set up' | 'Account';
  readonly key?: string;
}

export const pages: readonly PageLink[] = [
  { to: '/start', text: 'Get started', icon: ListChecks, group: '' },
  { to: '/overview', text: 'Overview', icon: LayoutDashboard, group: '', key: 'o' },
  { to: '/emails', text: 'Emails', icon: Mail, group: 'Send', key: 'e' },
  { to: '/templates', text: 'Templates', icon: FileText, group: 'Send', key: 't' },
  { to: '/contacts', text: 'Contacts', icon: Users, group: 'Audience', key: 'c' },
  { to: '/suppressions', text: 'Suppressions', icon: Ban, group: 'Audience', key: 's' },
  { to: '/domains', text: 'Domains', icon: Globe, group: 'Set up', key: 'd' },
  { to: '/api-keys', text: 'API keys', icon: KeyRound, group: 'Set up', key: 'k' },
  { to: '/settings', text: 'Settings', icon: Settings, group: 'Account', key: 'u' },
];

/** The page that a path belongs to. */
export function pageOf(path: string): PageLink | undefined {
  return pages.find((page) => path === page.to || path.startsWith(`${page.to}/`));
}
