import {
  Activity,
  Archive,
  Building2,
  CreditCard,
  Forward,
  HeartPulse,
  Layers,
  MailSearch,
  MapPin,
  Network,
  ScrollText,
  ShieldCheck,
  Split,
  Waypoints,
} from 'lucide-react';
import type { PageLink } from './pages';

/** The pages of the operator console. */
export const consolePages: readonly PageLink[] = [
  { to: '/operator', text: 'Overview', icon: Activity, group: '', key: 'o' },
  { to: '/operator/accounts', text: 'Accounts', icon: Building2, group: 'Tenants', key: 'a' },
  { to: '/operator/emails', text: 'Email search', icon: MailSearch, group: 'Tenants', key: 'e' },
  { to: '/operator/plans', text: 'Plans', icon: CreditCard, group: 'Tenants', key: 'p' },
  { to: '/operator/queue', text: 'Queue and workers', icon: Layers, group: 'Delivery', key: 'q' },
  { to: '/operator/destinations', text: 'Destinations', icon: Network, group: 'Delivery', key: 'd' },
  { to: '/operator/providers', text: 'Providers', icon: Waypoints, group: 'Delivery', key: 'v' },
  { to: '/operator/addresses', text: 'Sending addresses', icon: MapPin, group: 'Delivery', key: 's' },
  { to: '/operator/pools', text: 'Pools', icon: Split, group: 'Delivery', key: 'f' },
  { to: '/operator/tls', text: 'TLS', icon: ShieldCheck, group: 'Delivery', key: 't' },
  { to: '/operator/forwards', text: 'Forwards', icon: Forward, group: 'Delivery', key: 'r' },
  { to: '/operator/dead-letters', text: 'Dead letters', icon: Archive, group: 'Delivery', key: 'x' },
  { to: '/operator/checks', text: 'Health checks', icon: HeartPulse, group: 'Platform', key: 'h' },
  { to: '/operator/audit', text: 'Audit', icon: ScrollText, group: 'Platform', key: 'l' },
];
