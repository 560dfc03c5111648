/** The pages of the rail, of the palette and of the keys that follow g. */
import {
  Activity,
  Archive,
  Ban,
  CreditCard,
  FileText,
  Gauge,
  Globe,
  HeartPulse,
  Inbox,
  KeyRound,
  Layers,
  LayoutDashboard,
  ListChecks,
  Mail,
  MailSearch,
  MapPin,
  Megaphone,
  Network,
  ScrollText,
  Settings,
  Split,
  Users,
  Waypoints,
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

/** The pages of the operator console. */
export const operatorPages: readonly PageLink[] = [
  { to: '/operator', text: 'Overview', icon: Activity, group: '', key: 'o' },
  { to: '/operator/accounts', text: 'Accounts', icon: Users, group: 'Tenants', key: 'a' },
  { to: '/operator/emails', text: 'Email search', icon: MailSearch, group: 'Tenants', key: 'e' },
  { to: '/operator/plans', text: 'Plans', icon: CreditCard, group: 'Tenants', key: 'p' },
  { to: '/operator/queue', text: 'Queue and workers', icon: Layers, group: 'Delivery', key: 'q' },
  { to: '/operator/destinations', text: 'Destinations', icon: Network, group: 'Delivery', key: 'd' },
  { to: '/operator/providers', text: 'Providers', icon: Waypoints, group: 'Delivery', key: 'v' },
  { to: '/operator/addresses', text: 'Sending addresses', icon: MapPin, group: 'Delivery', key: 's' },
  { to: '/operator/pools', text: 'Pools', icon: Split, group: 'Delivery', key: 'f' },
  { to: '/operator/dead-letters', text: 'Dead letters', icon: Archive, group: 'Delivery', key: 'x' },
  { to: '/operator/checks', text: 'Health checks', icon: HeartPulse, group: 'Platform', key: 'h' },
  { to: '/operator/audit', text: 'Audit', icon: ScrollText, group: 'Platform', key: 'l' },
];

/** Whether a path is one of the operator console, of any cell. */
export function isConsole(path: string): boolean {
  return /^(\/cells\/\w+)?\/operator(\/|$)/.test(path);
}

/** The pages of the part of the app that a path belongs to. */
export function pagesAt(path: string): readonly PageLink[] {
  return isConsole(path) ? operatorPages : pages;
}

/** The page that a path belongs to. */
export function pageOf(path: string): PageLink | undefined {
  return pagesAt(path).findLast((page) => path === page.to || path.startsWith(`${page.to}/`));
}
