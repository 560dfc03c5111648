/** The pages of the rail, of the palette and of the keys that follow g. */
import { queryOptions } from '@tanstack/react-query';
import {
  Ban,
  FileText,
  Gauge,
  Globe,
  Inbox,
  KeyRound,
  LayoutDashboard,
  ListChecks,
  Mail,
  Megaphone,
  Settings,
  Users,
  Webhook,
  type LucideIcon,
} from 'lucide-react';

export interface PageLink {
  readonly to: string;
  readonly text: string;
  readonly icon: LucideIcon;
  readonly group:
    '' | 'Send' | 'Audience' | 'Receive' | 'Set up' | 'Account' | 'Tenants' | 'Delivery' | 'Platform';
  readonly key?: string;
}

export const pages: readonly PageLink[] = [
  { to: '/start', text: 'Get started', icon: ListChecks, group: '' },
  { to: '/overview', text: 'Overview', icon: LayoutDashboard, group: '', key: 'o' },
  { to: '/emails', text: 'Emails', icon: Mail, group: 'Send', key: 'e' },
  { to: '/templates', text: 'Templates', icon: FileText, group: 'Send', key: 't' },
  { to: '/campaigns', text: 'Campaigns', icon: Megaphone, group: 'Send', key: 'p' },
  { to: '/contacts', text: 'Contacts', icon: Users, group: 'Audience', key: 'c' },
  { to: '/suppressions', text: 'Suppressions', icon: Ban, group: 'Audience', key: 's' },
  { to: '/inbound', text: 'Inbound', icon: Inbox, group: 'Receive', key: 'i' },
  { to: '/domains', text: 'Domains', icon: Globe, group: 'Set up', key: 'd' },
  { to: '/api-keys', text: 'API keys', icon: KeyRound, group: 'Set up', key: 'k' },
  { to: '/webhooks', text: 'Webhooks', icon: Webhook, group: 'Set up', key: 'w' },
  { to: '/usage', text: 'Usage', icon: Gauge, group: 'Account', key: 'u' },
  { to: '/settings', text: 'Settings', icon: Settings, group: 'Account' },
  { to: '/settings/team', text: 'Team', icon: Settings, group: 'Account' },
  { to: '/settings/security', text: 'Security', icon: Settings, group: 'Account' },
  { to: '/settings/brand', text: 'Brand', icon: Settings, group: 'Account' },
  { to: '/settings/notifications', text: 'Notifications', icon: Settings, group: 'Account' },
  { to: '/settings/audit', text: 'Audit log', icon: Settings, group: 'Account' },
];

let console: readonly PageLink[] = [];

/** Loads the pages of the operator console, which most people never open. */
export const consolePagesQuery = queryOptions({
  queryKey: ['console-pages'],
  queryFn: async () => (console = (await import('./console-pages')).consolePages),
  staleTime: Infinity,
  gcTime: Infinity,
});

/** Whether a path is one of the operator console, of any cell. */
export function isConsole(path: string): boolean {
  return /^(\/cells\/\w+)?\/operator(\/|$)/.test(path);
}

/** The pages of the part of the app that a path belongs to; none of the console until they are loaded. */
export function pagesAt(path: string): readonly PageLink[] {
  return isConsole(path) ? console : pages;
}

/** The page that a path belongs to. */
export function pageOf(path: string): PageLink | undefined {
  return pagesAt(path).findLast((page) => path === page.to || path.startsWith(`${page.to}/`));
}
