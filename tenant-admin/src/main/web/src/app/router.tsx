/** The routes. Pages load with their first visit. */
import { QueryClient } from '@tanstack/react-query';
import {
  createRootRouteWithContext,
  createRoute,
  createRouter,
  lazyRouteComponent,
  notFound,
  Outlet,
  redirect,
} from '@tanstack/react-router';
import type { BookSearch } from '../contact/book-page';
import type { EmailsSearch } from '../email/emails-page';
import { FailedPage, Loading } from '../kit/page';
import type { AuditSearch } from '../operator/audit-page';
import { Fault } from '../words/errors';
import { NotFound } from './not-found';
import { accountQuery, progressQuery } from './queries';
import { session } from './session';
import { FailedShell, PendingShell, Shell, steps } from './shell';

export const client = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 10_000,
      retry: (count, error) =>
        count < 2 && error instanceof Fault && (error.status >= 500 || error.kind === 'unreachable'),
      refetchOnWindowFocus: true,
    },
    mutations: { retry: false },
  },
});

const text = (value: unknown) => (typeof value === 'string' && value !== '' ? value : undefined);

const root = createRootRouteWithContext<{ client: QueryClient }>()({
  component: Outlet,
  notFoundComponent: NotFound,
  errorComponent: FailedPage,
});

const login = createRoute({
  getParentRoute: () => root,
  path: '/login',
  component: lazyRouteComponent(() => import('../account/sign-in'), 'SignInPage'),
  validateSearch: (search: Record<string, unknown>): { next?: string | undefined } => ({
    next: text(search.next),
  }),
});
const signUp = createRoute({
  getParentRoute: () => root,
  path: '/sign-up',
  component: lazyRouteComponent(() => import('../account/sign-up'), 'SignUpPage'),
});
const verify = createRoute({
  getParentRoute: () => root,
  path: '/verify-email',
  component: lazyRouteComponent(() => import('../account/verify'), 'VerifyPage'),
});
const forgot = createRoute({
  getParentRoute: () => root,
  path: '/forgot-password',
  component: lazyRouteComponent(() => import('../account/reset'), 'ForgotPage'),
});
const reset = createRoute({
  getParentRoute: () => root,
  path: '/reset-password',
  component: lazyRouteComponent(() => import('../account/reset'), 'ResetPage'),
});

const enrol = createRoute({
  getParentRoute: () => root,
  path: '/second-factor',
  component: lazyRouteComponent(() => import('../account/enrol'), 'EnrolPage'),
  beforeLoad: async () => {
    if ((await session.token()) === null) throw redirect({ to: '/login', search: {} });
    if (!session.enrolling()) throw redirect({ to: '/settings' });
  },
});

const shell = createRoute({
  getParentRoute: () => root,
  id: 'shell',
  component: Shell,
  pendingComponent: PendingShell,
  pendingMs: 150,
  errorComponent: FailedShell,
  beforeLoad: async ({ location, context }) => {
    if ((await session.token()) === null) {
      throw redirect({ to: '/login', search: location.href === '/' ? {} : { next: location.href } });
    }
    if (session.enrolling()) throw redirect({ to: '/second-factor' });
    // Without waiting: the rights are there by the time that the page is.
    void context.client.prefetchQuery(accountQuery);
  },
});

const home = createRoute({
  getParentRoute: () => shell,
  path: '/',
  pendingComponent: Loading,
  pendingMs: 150,
  beforeLoad: async ({ context }) => {
    const { account } = await context.client.ensureQueryData(accountQuery);
    if (account.role === 'OPERATOR') throw redirect({ to: '/operator', replace: true });
    const progress = await context.client.ensureQueryData(progressQuery);
    throw redirect({ to: steps(progress).every(Boolean) ? '/overview' : '/start', replace: true });
  },
});
const start = createRoute({
  getParentRoute: () => shell,
  path: '/start',
  component: lazyRouteComponent(() => import('../start/start-page'), 'StartPage'),
});
const overview = createRoute({
  getParentRoute: () => shell,
  path: '/overview',
  component: lazyRouteComponent(() => import('../overview/overview-page'), 'OverviewPage'),
  validateSearch: (
    search: Record<string, unknown>,
  ): { days?: '1' | '7' | '30' | '90' | undefined; domain?: string | undefined } => ({
    days: (['7', '30', '90'] as const).find((days) => days === String(search.days)),
    domain: text(search.domain),
  }),
});
const suppressions = createRoute({
  getParentRoute: () => shell,
  path: '/suppressions',
  component: lazyRouteComponent(() => import('../suppression/suppressions-page'), 'SuppressionsPage'),
  validateSearch: (
    search: Record<string, unknown>,
  ): { q?: string | undefined; after?: string | undefined } => ({
    q: text(search.q),
    after: text(search.after),
  }),
});
const emails = createRoute({
  getParentRoute: () => shell,
  path: '/emails',
  component: lazyRouteComponent(() => import('../email/emails-page'), 'EmailsPage'),
  validateSearch: (search: Record<string, unknown>): EmailsSearch => ({
    q: text(search.q),
    status: text(search.status),
    stream: (['transactional', 'campaign'] as const).find((stream) => stream === search.stream),
    domain: text(search.domain),
    period: (['1h', '24h', '7d', '30d'] as const).find((period) => period === search.period),
    since:
      typeof search.since === 'string' && !Number.isNaN(Date.parse(search.since)) ? search.since : undefined,
    until:
      typeof search.until === 'string' && !Number.isNaN(Date.parse(search.until)) ? search.until : undefined,
    order: search.order === 'oldest' ? 'oldest' : undefined,
    tag: text(search.tag),
    campaign: text(search.campaign),
    after: text(search.after),
    open: text(search.open),
    tab: text(search.tab),
  }),
});
const email = createRoute({
  getParentRoute: () => shell,
  path: '/emails/$id',
  component: lazyRouteComponent(() => import('../email/email-page'), 'EmailPage'),
  validateSearch: (search: Record<string, unknown>): { tab?: string | undefined } => ({
    tab: text(search.tab),
  }),
});
const domains = createRoute({
  getParentRoute: () => shell,
  path: '/domains',
  component: lazyRouteComponent(() => import('../domain/domains-page'), 'DomainsPage'),
  validateSearch: (search: Record<string, unknown>): { after?: string | undefined } => ({
    after: text(search.after),
  }),
});
const domain = createRoute({
  getParentRoute: () => shell,
  path: '/domains/$id',
  component: lazyRouteComponent(() => import('../domain/domain-page'), 'DomainPage'),
  validateSearch: (search: Record<string, unknown>): { tab?: string | undefined } => ({
    tab: text(search.tab),
  }),
});
const apiKeys = createRoute({
  getParentRoute: () => shell,
  path: '/api-keys',
  component: lazyRouteComponent(() => import('../apikey/api-keys-page'), 'ApiKeysPage'),
  validateSearch: (search: Record<string, unknown>): { after?: string | undefined } => ({
    after: text(search.after),
  }),
});
const device = createRoute({
  getParentRoute: () => shell,
  path: '/device',
  component: lazyRouteComponent(() => import('../apikey/device-page'), 'DevicePage'),
  validateSearch: (search: Record<string, unknown>): { code?: string | undefined } => ({
    code: text(search.code),
  }),
});
const campaigns = createRoute({
  getParentRoute: () => shell,
  path: '/campaigns',
  component: lazyRouteComponent(() => import('../campaign/campaigns-page'), 'CampaignsPage'),
  validateSearch: (
    search: Record<string, unknown>,
  ): { q?: string | undefined; status?: string | undefined; after?: string | undefined } => ({
    q: text(search.q),
    status: text(search.status),
    after: text(search.after),
  }),
});
const campaign = createRoute({
  getParentRoute: () => shell,
  path: '/campaigns/$id',
  component: lazyRouteComponent(() => import('../campaign/campaign-page'), 'CampaignPage'),
});
const compose = createRoute({
  getParentRoute: () => shell,
  path: '/campaigns/compose',
  component: lazyRouteComponent(() => import('../campaign/compose-page'), 'ComposePage'),
  validateSearch: (search: Record<string, unknown>): { id?: string | undefined } => ({ id: text(search.id) }),
});
const webhooks = createRoute({
  getParentRoute: () => shell,
  path: '/webhooks',
  component: lazyRouteComponent(() => import('../webhook/webhooks-page'), 'WebhooksPage'),
  validateSearch: (search: Record<string, unknown>): { after?: string | undefined } => ({
    after: text(search.after),
  }),
});
const webhook = createRoute({
  getParentRoute: () => shell,
  path: '/webhooks/$id',
  component: lazyRouteComponent(() => import('../webhook/webhook-page'), 'WebhookPage'),
  validateSearch: (
    search: Record<string, unknown>,
  ): { after?: string | undefined; open?: string | undefined } => ({
    after: text(search.after),
    open: text(search.open),
  }),
});
const inbound = createRoute({
  getParentRoute: () => shell,
  path: '/inbound',
  component: lazyRouteComponent(() => import('../inbound/inbound-page'), 'InboundPage'),
  validateSearch: (
    search: Record<string, unknown>,
  ): {
    q?: string | undefined;
    domain?: string | undefined;
    after?: string | undefined;
    open?: string | undefined;
    tab?: string | undefined;
  } => ({
    q: text(search.q),
    domain: text(search.domain),
    after: text(search.after),
    open: text(search.open),
    tab: text(search.tab),
  }),
});
const usage = createRoute({
  getParentRoute: () => shell,
  path: '/usage',
  component: lazyRouteComponent(() => import('../usage/usage-page'), 'UsagePage'),
});
const settings = createRoute({
  getParentRoute: () => shell,
  path: '/settings',
  component: lazyRouteComponent(() => import('../account/settings'), 'SettingsPage'),
});
const team = createRoute({
  getParentRoute: () => shell,
  path: '/settings/team',
  component: lazyRouteComponent(() => import('../team/team-page'), 'TeamPage'),
});
const brand = createRoute({
  getParentRoute: () => shell,
  path: '/settings/brand',
  component: lazyRouteComponent(() => import('../brand/brand-page'), 'BrandPage'),
});
const accept = createRoute({
  getParentRoute: () => root,
  path: '/accept-invitation',
  component: lazyRouteComponent(() => import('../account/accept'), 'AcceptPage'),
});

const contacts = createRoute({
  getParentRoute: () => shell,
  path: '/contacts',
  component: lazyRouteComponent(() => import('../contact/contacts-page'), 'ContactsPage'),
  validateSearch: (search: Record<string, unknown>): { after?: string | undefined } => ({
    after: text(search.after),
  }),
});
const book = createRoute({
  getParentRoute: () => shell,
  path: '/contacts/$id',
  component: lazyRouteComponent(() => import('../contact/book-page'), 'BookPage'),
  validateSearch: (search: Record<string, unknown>): BookSearch => ({
    q: text(search.q),
    subscribed: (['yes', 'no'] as const).find((value) => value === search.subscribed),
    after: text(search.after),
    open: text(search.open),
  }),
});
const contactImport = createRoute({
  getParentRoute: () => shell,
  path: '/contacts/$id/import',
  component: lazyRouteComponent(() => import('../contact/import-page'), 'ImportPage'),
});
const templates = createRoute({
  getParentRoute: () => shell,
  path: '/templates',
  component: lazyRouteComponent(() => import('../template/templates-page'), 'TemplatesPage'),
  validateSearch: (
    search: Record<string, unknown>,
  ): { q?: string | undefined; after?: string | undefined } => ({
    q: text(search.q),
    after: text(search.after),
  }),
});
const template = createRoute({
  getParentRoute: () => shell,
  path: '/templates/$id',
  component: lazyRouteComponent(() => import('../template/template-page'), 'TemplatePage'),
});

const operator = createRoute({
  getParentRoute: () => shell,
  path: '/operator',
  component: Outlet,
  beforeLoad: async ({ context }) => {
    const { account } = await context.client.ensureQueryData(accountQuery);
    if (account.role !== 'OPERATOR') throw notFound();
  },
});
const operatorRoutes = [
  createRoute({
    getParentRoute: () => operator,
    path: '/',
    component: lazyRouteComponent(() => import('../operator/overview-page'), 'OperatorOverviewPage'),
  }),
  createRoute({
    getParentRoute: () => operator,
    path: '/accounts',
    component: lazyRouteComponent(() => import('../operator/accounts-page'), 'AccountsPage'),
    validateSearch: (
      search: Record<string, unknown>,
    ): {
      q?: string | undefined;
      show?: 'paused' | 'risk' | undefined;
      plan?: string | undefined;
      after?: string | undefined;
    } => ({
      q: text(search.q),
      show: (['paused', 'risk'] as const).find((show) => show === search.show),
      plan: text(search.plan),
      after: text(search.after),
    }),
  }),
  createRoute({
    getParentRoute: () => operator,
    path: '/accounts/$id',
    component: lazyRouteComponent(() => import('../operator/account-page'), 'AccountPage'),
  }),
  createRoute({
    getParentRoute: () => operator,
    path: '/emails',
    component: lazyRouteComponent(() => import('../operator/search-page'), 'SearchPage'),
    validateSearch: (
      search: Record<string, unknown>,
    ): { q?: string | undefined; after?: string | undefined; open?: string | undefined } => ({
      q: text(search.q),
      after: text(search.after),
      open: text(search.open),
    }),
  }),
  createRoute({
    getParentRoute: () => operator,
    path: '/plans',
    component: lazyRouteComponent(() => import('../operator/plans-page'), 'PlansPage'),
  }),
  createRoute({
    getParentRoute: () => operator,
    path: '/queue',
    component: lazyRouteComponent(() => import('../operator/queue-page'), 'QueuePage'),
    validateSearch: (
      search: Record<string, unknown>,
    ): { period?: '1h' | '6h' | '24h' | '7d' | undefined } => ({
      period: (['1h', '6h', '24h', '7d'] as const).find((period) => period === search.period),
    }),
  }),
  createRoute({
    getParentRoute: () => operator,
    path: '/destinations',
    component: lazyRouteComponent(() => import('../operator/destinations-page'), 'DestinationsPage'),
  }),
  createRoute({
    getParentRoute: () => operator,
    path: '/providers',
    component: lazyRouteComponent(() => import('../operator/providers-page'), 'ProvidersPage'),
  }),
  createRoute({
    getParentRoute: () => operator,
    path: '/addresses',
    component: lazyRouteComponent(() => import('../operator/addresses-page'), 'AddressesPage'),
  }),
  createRoute({
    getParentRoute: () => operator,
    path: '/pools',
    component: lazyRouteComponent(() => import('../operator/pools-page'), 'PoolsPage'),
  }),
  createRoute({
    getParentRoute: () => operator,
    path: '/dead-letters',
    component: lazyRouteComponent(() => import('../operator/dead-letters-page'), 'DeadLettersPage'),
    validateSearch: (
      search: Record<string, unknown>,
    ): { q?: string | undefined; show?: 'waiting' | 'returned' | undefined; after?: string | undefined } => ({
      q: text(search.q),
      show: (['waiting', 'returned'] as const).find((show) => show === search.show),
      after: text(search.after),
    }),
  }),
  createRoute({
    getParentRoute: () => operator,
    path: '/checks',
    component: lazyRouteComponent(() => import('../operator/checks-page'), 'ChecksPage'),
  }),
  createRoute({
    getParentRoute: () => operator,
    path: '/audit',
    component: lazyRouteComponent(() => import('../operator/audit-page'), 'AuditPage'),
    validateSearch: (search: Record<string, unknown>): AuditSearch => ({
      act: text(search.act),
      kind: (['PERSON', 'API_KEY', 'OPERATOR'] as const).find((kind) => kind === search.kind),
      account: text(search.account),
      from: text(search.from),
      until: text(search.until),
      after: text(search.after),
    }),
  }),
] as const;

export const router = createRouter({
  routeTree: root.addChildren([
    login,
    signUp,
    verify,
    forgot,
    reset,
    enrol,
    accept,
    shell.addChildren([
      team,
      home,
      start,
      overview,
      suppressions,
      emails,
      email,
      domains,
      domain,
      apiKeys,
      device,
      campaigns,
      campaign,
      compose,
      webhooks,
      webhook,
      inbound,
      usage,
      settings,
      brand,
      contacts,
      book,
      contactImport,
      templates,
      template,
      operator.addChildren(operatorRoutes),
    ]),
  ]),
  context: { client },
  defaultPreload: 'intent',
  defaultErrorComponent: FailedPage,
  defaultNotFoundComponent: NotFound,
  scrollRestoration: true,
});

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
}
