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
import { base } from './graphql';
import { NotFound } from './not-found';
import { consolePagesQuery } from './pages';
import { accountQuery, progressQuery } from './queries';
import { session } from './session';
import { FailedShell, PendingShell, Shell, steps } from './shell';
import { restoreZone } from './zone';

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

type Raw = Record<string, unknown>;

const text = (value: unknown) => (typeof value === 'string' && value !== '' ? value : undefined);

const time = (value: unknown) =>
  typeof value === 'string' && !Number.isNaN(Date.parse(value)) ? value : undefined;

const oneOf = <T extends string>(value: unknown, ...values: T[]) => values.find((each) => each === value);

/** Reads texts of the query; empty ones are left out. */
const texts =
  <K extends string>(...names: K[]) =>
  (search: Raw) =>
    Object.fromEntries(names.map((name) => [name, text(search[name])])) as { [N in K]?: string | undefined };

const root = createRootRouteWithContext<{ client: QueryClient }>()({
  component: Outlet,
  notFoundComponent: NotFound,
  errorComponent: FailedPage,
});

const login = createRoute({
  getParentRoute: () => root,
  path: '/login',
  component: lazyRouteComponent(() => import('../account/sign-in'), 'SignInPage'),
  validateSearch: texts('next'),
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
    // Without waiting, unless the zone of times is not known: the rights are there by the time that the page is.
    const account = context.client.prefetchQuery(accountQuery);
    if (!restoreZone()) await account;
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
    search: Raw,
  ): { days?: '1' | '7' | '30' | '90' | undefined; domain?: string | undefined } => ({
    days: oneOf(String(search.days), '7', '30', '90'),
    domain: text(search.domain),
  }),
});
const suppressions = createRoute({
  getParentRoute: () => shell,
  path: '/suppressions',
  component: lazyRouteComponent(() => import('../suppression/suppressions-page'), 'SuppressionsPage'),
  validateSearch: texts('q', 'after'),
});
const emails = createRoute({
  getParentRoute: () => shell,
  path: '/emails',
  component: lazyRouteComponent(() => import('../email/emails-page'), 'EmailsPage'),
  validateSearch: (search: Raw): EmailsSearch => ({
    ...texts('q', 'status', 'domain', 'tag', 'campaign', 'after', 'open', 'tab')(search),
    stream: oneOf(search.stream, 'transactional', 'campaign'),
    period: oneOf(search.period, '1h', '24h', '7d', '30d'),
    since: time(search.since),
    until: time(search.until),
    order: search.order === 'oldest' ? 'oldest' : undefined,
  }),
});
const email = createRoute({
  getParentRoute: () => shell,
  path: '/emails/$id',
  component: lazyRouteComponent(() => import('../email/email-page'), 'EmailPage'),
  validateSearch: texts('tab'),
});
const domains = createRoute({
  getParentRoute: () => shell,
  path: '/domains',
  component: lazyRouteComponent(() => import('../domain/domains-page'), 'DomainsPage'),
  validateSearch: texts('after'),
});
const domain = createRoute({
  getParentRoute: () => shell,
  path: '/domains/$id',
  component: lazyRouteComponent(() => import('../domain/domain-page'), 'DomainPage'),
  validateSearch: texts('tab'),
});
const apiKeys = createRoute({
  getParentRoute: () => shell,
  path: '/api-keys',
  component: lazyRouteComponent(() => import('../apikey/api-keys-page'), 'ApiKeysPage'),
  validateSearch: texts('after'),
});
const device = createRoute({
  getParentRoute: () => shell,
  path: '/device',
  component: lazyRouteComponent(() => import('../apikey/device-page'), 'DevicePage'),
  validateSearch: texts('code'),
});
const campaigns = createRoute({
  getParentRoute: () => shell,
  path: '/campaigns',
  component: lazyRouteComponent(() => import('../campaign/campaigns-page'), 'CampaignsPage'),
  validateSearch: texts('q', 'status', 'after'),
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
  validateSearch: texts('id'),
});
const webhooks = createRoute({
  getParentRoute: () => shell,
  path: '/webhooks',
  component: lazyRouteComponent(() => import('../webhook/webhooks-page'), 'WebhooksPage'),
  validateSearch: texts('after'),
});
const webhook = createRoute({
  getParentRoute: () => shell,
  path: '/webhooks/$id',
  component: lazyRouteComponent(() => import('../webhook/webhook-page'), 'WebhookPage'),
  validateSearch: texts('after', 'open'),
});
const inbound = createRoute({
  getParentRoute: () => shell,
  path: '/inbound',
  component: lazyRouteComponent(() => import('../inbound/inbound-page'), 'InboundPage'),
  validateSearch: texts('q', 'domain', 'after', 'open', 'tab'),
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
const settingsTab = createRoute({
  getParentRoute: () => shell,
  path: '/settings/$tab',
  component: lazyRouteComponent(() => import('../account/settings-tab'), 'SettingsTab'),
  validateSearch: texts('act', 'by', 'from', 'until', 'after'),
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
  validateSearch: texts('after'),
});
const book = createRoute({
  getParentRoute: () => shell,
  path: '/contacts/$id',
  component: lazyRouteComponent(() => import('../contact/book-page'), 'BookPage'),
  validateSearch: (search: Raw): BookSearch => ({
    q: text(search.q),
    subscribed: oneOf(search.subscribed, 'yes', 'no'),
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
  validateSearch: texts('q', 'after'),
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
    await context.client.ensureQueryData(consolePagesQuery);
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
      search: Raw,
    ): {
      q?: string | undefined;
      show?: 'paused' | 'risk' | undefined;
      plan?: string | undefined;
      after?: string | undefined;
    } => ({
      q: text(search.q),
      show: oneOf(search.show, 'paused', 'risk'),
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
    validateSearch: texts('q', 'after', 'open'),
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
    validateSearch: (search: Raw): { period?: '1h' | '6h' | '24h' | '7d' | undefined } => ({
      period: oneOf(search.period, '1h', '6h', '24h', '7d'),
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
    path: '/tls',
    component: lazyRouteComponent(() => import('../operator/tls-page'), 'TlsPage'),
  }),
  createRoute({
    getParentRoute: () => operator,
    path: '/forwards',
    component: lazyRouteComponent(() => import('../operator/forwards-page'), 'ForwardsPage'),
  }),
  createRoute({
    getParentRoute: () => operator,
    path: '/dead-letters',
    component: lazyRouteComponent(() => import('../operator/dead-letters-page'), 'DeadLettersPage'),
    validateSearch: (
      search: Raw,
    ): { q?: string | undefined; show?: 'waiting' | 'returned' | undefined; after?: string | undefined } => ({
      q: text(search.q),
      show: oneOf(search.show, 'waiting', 'returned'),
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
    validateSearch: (search: Raw): AuditSearch => ({
      act: text(search.act),
      kind: text(search.kind),
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
      settingsTab,
      contacts,
      book,
      contactImport,
      templates,
      template,
      operator.addChildren(operatorRoutes),
    ]),
  ]),
  context: { client },
  basepath: base,
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
