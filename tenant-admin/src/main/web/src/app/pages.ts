/** The pages of the rail, of the palette and of the keys that follow g. */
import { Ban, Gauge, Globe, Inbox, KeyRound, LayoutDashboard, ListChecks, Mail, Megaphone, Settings, Webhook, type LucideIcon } from 'lucide-react';

export interface PageLink {
  readonly to: string;
  readonly text: string;
  readonly icon: LucideIcon;
  readonly group: '' | 'Send' | 'Audience' | 'Receive' | 'Set up' | 'Account';
  readonly key?: string;
}

export const pages: readonly PageLink[] = [
  { to: '/start', text: 'Get started', icon: ListChecks, group: '' },
  { to: '/overview', text: 'Overview', icon: LayoutDashboard, group: '', key: 'o' },
  { to: '/emails', text: 'Emails', icon: Mail, group: 'Send', key: 'e' },
  { to: '/campaigns', text: 'Campaigns', icon: Megaphone, group: 'Send', key: 'c' },
  { to: '/suppressions', text: 'Suppressions', icon: Ban, group: 'Audience', key: 's' },
  { to: '/inbound', text: 'Inbound', icon: Inbox, group: 'Receive', key: 'i' },
  { to: '/domains', text: 'Domains', icon: Globe, group: 'Set up', key: 'd' },
  { to: '/api-keys', text: 'API keys', icon: KeyRound, group: 'Set up', key: 'k' },
  { to: '/webhooks', text: 'Webhooks', icon: Webhook, group: 'Set up', key: 'w' },
  { to: '/usage', text: 'Usage', icon: Gauge, group: 'Account', key: 'u' },
  { to: '/settings', text: 'Settings', icon: Settings, group: 'Account' },
];

/** The page that a path belongs to. */
export function pageOf(path: string): PageLink | undefined {
  return pages.find((page) => path === page.to || path.startsWith(`${page.to}/`));
}
