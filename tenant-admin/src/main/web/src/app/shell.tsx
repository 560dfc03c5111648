/** The frame of all pages after the sign-in: rail, bar of narrow screens, palette and the stream of events. */
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, Outlet, useNavigate, useRouter, useRouterState } from '@tanstack/react-router';
import { ChevronsUpDown, Menu as MenuIcon, Search } from 'lucide-react';
import { lazy, Suspense, useEffect, useMemo, useState } from 'react';
import { Button, cx, ICON } from '../kit/basics';
import kit from '../kit/kit.module.css';
import { preloadLayers, Sheet } from '../kit/layers';
import { Failed, Loading, Skeleton } from '../kit/page';
import { RightsProvider, rightsOf } from '../kit/rights';
import { atLeast, capital, full, number, percent } from '../words/formats';
import { isSending } from '../words/status';
import { ConnectionBar } from './connection-bar';
import { base } from './graphql';
import { openLive, useEvents } from './live';
import { forgetRecent } from './open';
import { consolePagesQuery, isConsole, pageOf, pagesAt, type PageLink } from './pages';
import { accountQuery, consoleQuery, progressQuery, type Progress } from './queries';
import { session } from './session';
import css from './shell.module.css';
import { useShortcuts } from './shortcuts';
import { forgetWatch, watched } from './watch';
import { forgetZone } from './zone';

const Palette = lazy(() => import('./palette'));
const Keys = lazy(() => import('./keys'));
const WatchBar = lazy(() => import('./watch-bar'));
const Banner = lazy(() => import('../closure/banner'));
const AccountMenu = lazy(() => import('./account-menu'));

export function Shell() {
  const navigate = useNavigate();
  const path = useRouterState({ select: (state) => state.location.pathname });
  const [palette, setPalette] = useState(false);
  const [help, setHelp] = useState(false);
  const [menu, setMenu] = useState(false);
  useShortcuts({
    palette: () => setPalette(true),
    help: () => setHelp(true),
    go: (to) => void navigate({ to }),
  });
  useSessionEnd();
  useFocusOnMain(path);
  useEffect(() => setMenu(false), [path]);
  useEffect(openLive, []);
  useEffect(preloadLayers, []);
  useProgressUpdates();
  // Draws the rail and the bar again when they are loaded.
  useQuery({ ...consolePagesQuery, enabled: isConsole(path) });
  const account = useQuery(accountQuery);
  const rights = useMemo(() => rightsOf(account.data, watched() !== null), [account.data]);
  return (
    <RightsProvider value={rights}>
      <div className={css.app}>
        <a className={css.skip} href="#main">
          Skip to the page
        </a>
        <aside className={css.rail} aria-label="Navigation">
          <Rail search={() => setPalette(true)} help={() => setHelp(true)} />
        </aside>
        <div className={css.bar} role="region" aria-label="Bar">
          <Button kind="bare" iconOnly icon={MenuIcon} aria-label="Menu" onClick={() => setMenu(true)} />
          <strong>{pageOf(path)?.text ?? 'Mailroom'}</strong>
          <Button kind="bare" iconOnly icon={Search} aria-label="Search" onClick={() => setPalette(true)} />
        </div>
        <main className={css.page} id="main" tabIndex={-1}>
          {watched() || base ? (
            <Suspense fallback={null}>
              <WatchBar />
            </Suspense>
          ) : null}
          <ConnectionBar />
          {account.data?.account.pausedReason ? (
            <div className={css.banner}>
              <Suspense fallback={null}>
                <Banner reason={account.data.account.pausedReason} />
              </Suspense>
            </div>
          ) : null}
          <Outlet />
        </main>
        {menu ? (
          <Sheet title="Menu" side="left" onClose={() => setMenu(false)}>
            <div
              className={css.sheet}
              // A link to the present page does not change the path.
              onClickCapture={(event) => {
                if ((event.target as Element).closest('a')) setMenu(false);
              }}
            >
              <Rail
                search={() => {
                  setMenu(false);
                  setPalette(true);
                }}
                help={() => {
                  setMenu(false);
                  setHelp(true);
                }}
              />
            </div>
          </Sheet>
        ) : null}
        {palette ? (
          <Suspense fallback={null}>
            <Palette onClose={() => setPalette(false)} help={() => setHelp(true)} />
          </Suspense>
        ) : null}
        {help ? (
          <Suspense fallback={null}>
            <Keys path={isConsole(path) ? '/operator' : '/'} onClose={() => setHelp(false)} />
          </Suspense>
        ) : null}
      </div>
    </RightsProvider>
  );
}

/** The frame without data, while the session is read. */
export function PendingShell() {
  return (
    <div className={css.app} aria-busy="true">
      <aside className={css.rail} aria-label="Navigation">
        <div className={css.pending}>
          <Mark />
          {Array.from({ length: 8 }, (_, line) => (
            <Skeleton key={line} width={`${[60, 80, 70][line % 3]}%`} />
          ))}
        </div>
      </aside>
      <main className={css.page} id="main">
        <Loading />
      </main>
    </div>
  );
}

/** The page in place of the frame if the session could not be read. */
export function FailedShell({ error }: { error: unknown }) {
  const router = useRouter();
  return (
    <main className={css.failed} id="main">
      <div className={css.brand}>
        <Mark />
        Mailroom
      </div>
      <Failed error={error} retry={() => void router.invalidate()} />
    </main>
  );
}

/** Leads to the sign-in when the session ends, here or in another tab. */
function useSessionEnd(): void {
  const navigate = useNavigate();
  const client = useQueryClient();
  useEffect(
    () =>
      session.onChange((signedIn) => {
        if (signedIn) return;
        forgetRecent();
        forgetZone();
        forgetWatch();
        void navigate({ to: '/login', search: {} }).then(() => client.clear());
      }),
    [navigate, client],
  );
}

/** Moves the focus to a new page, where reading continues. */
function useFocusOnMain(path: string): void {
  const [first] = useState(path);
  useEffect(() => {
    if (path !== first) document.getElementById('main')?.focus({ preventScroll: true });
    document.getElementById('main')?.scrollTo(0, 0);
  }, [path, first]);
}

/** Keeps the numbers of the rail up to date. */
function useProgressUpdates(): void {
  const client = useQueryClient();
  const refetch = () => {
    const progress = client.getQueryData(progressQuery.queryKey);
    if (!progress || !steps(progress).every(Boolean))
      void client.invalidateQueries({ queryKey: progressQuery.queryKey });
  };
  useEvents((events) => {
    if (events.some((event) => /^(domain|campaign)\./.test(event.kind)))
      void client.invalidateQueries({ queryKey: progressQuery.queryKey });
    else if (events.some((event) => event.emailId)) refetch();
  }, refetch);
}

/** The first steps, and whether each is done. */
export function steps(progress: Progress): readonly boolean[] {
  return [
    progress.account.emailVerified,
    progress.domains.nodes.some((domain) => isSending(domain.status)),
    progress.apiKeys.nodes.length > 0,
    progress.emails.nodes.length > 0,
  ];
}

function Rail({ search, help }: { search: () => void; help: () => void }) {
  const console = useConsole();
  const path = console ? '/operator' : '/';
  const { data: progress } = useQuery({ ...progressQuery, enabled: !console });
  const { data: platform } = useQuery({ ...consoleQuery, enabled: console });
  const done = progress ? steps(progress) : [];
  const shown = pagesAt(path).filter(
    (page) => page.group !== 'Account' && !(page.to === '/start' && done.length > 0 && done.every(Boolean)),
  );
  const groups = [...new Set(shown.map((page) => page.group))];
  const counts: Record<string, { text: string; bad?: boolean } | undefined> = {
    '/start': progress ? { text: `${done.filter(Boolean).length} of ${done.length}` } : undefined,
    '/domains': wrongDomains(progress),
    '/operator/accounts': wrong(platform?.pausedAccounts),
    '/operator/dead-letters': wrong(platform?.deadLetters),
    '/webhooks': wrongEndpoints(progress),
    '/campaigns': progress?.running.nodes.length ? { text: `${atLeast(progress.running)} live` } : undefined,
  };
  return (
    <>
      <Link to={console ? '/operator' : '/'} className={css.brand} aria-label="Mailroom">
        <Mark />
        <span>Mailroom</span>
        {console ? <span className={css.tag}>Operator</span> : null}
      </Link>
      <button type="button" className={css.jump} onClick={search} aria-label="Search or go to… Ctrl K">
        <Search {...ICON} size={15} />
        <span>Search or go to…</span>
        <kbd className={kit.kbd}>Ctrl K</kbd>
      </button>
      <nav aria-label="Pages">
        {groups.map((group) => (
          <div key={group}>
            {group ? <h2>{group}</h2> : null}
            <ul>
              {shown
                .filter((page) => page.group === group)
                .map((page) => (
                  <li key={page.to}>
                    <RailLink page={page} count={counts[page.to]} />
                  </li>
                ))}
            </ul>
          </div>
        ))}
      </nav>
      <div className={css.foot}>
        {console ? null : <Quota />}
        <Who help={help} />
      </div>
    </>
  );
}

function wrongDomains(progress: Progress | undefined) {
  return wrong(
    progress?.domains.nodes.filter(
      (domain) => domain.status === 'FAILED' || domain.status === 'TEMPORARY_FAILURE',
    ).length,
  );
}

function wrong(count: number | undefined) {
  return count ? { text: number(count), bad: true } : undefined;
}

/** Whether the open page is one of the operator console. */
function useConsole(): boolean {
  return useRouterState({ select: (state) => isConsole(state.location.pathname) });
}

function wrongEndpoints(progress: Progress | undefined) {
  const wrong =
    progress?.webhookEndpoints.nodes.filter((endpoint) =>
      endpoint.active ? endpoint.failingSince !== null : endpoint.disabledReason !== null,
    ).length ?? 0;
  return wrong > 0 ? { text: number(wrong), bad: true } : undefined;
}

function RailLink({ page, count }: { page: PageLink; count: { text: string; bad?: boolean } | undefined }) {
  const Icon = page.icon;
  return (
    <Link
      to={page.to as '/start'}
      title={count?.bad ? `${page.text}: ${count.text} need attention` : page.text}
      activeOptions={{ exact: page.to === '/operator' }}
      activeProps={{ 'aria-current': 'page' }}
    >
      <Icon {...ICON} />
      <span>{page.text}</span>
      {count ? (
        <span className={cx(css.count, count.bad && css.wrong)}>
          {count.text}
          {count.bad ? <span className={kit.hidden}> need attention</span> : null}
        </span>
      ) : null}
    </Link>
  );
}

/** The mails of the day or of the month, whichever is closer to its limit. */
function Quota() {
  const { data } = useQuery(accountQuery);
  if (!data) return null;
  const share = (usage: { used: number; limit: number | null }) =>
    usage.limit ? usage.used / usage.limit : 0;
  const { daily, monthly } = data.usage;
  const byDay = share(daily) > share(monthly) || (monthly.limit === null && daily.limit !== null);
  const usage = byDay ? daily : monthly;
  const used = share(usage);
  return (
    <Link to="/usage" className={css.quota} title={`Usage. Starts again at ${full(usage.resetsAt)}`}>
      <div>
        <span>Emails {byDay ? 'today' : 'this month'}</span>
        {usage.limit ? <b>{percent(Math.floor(used * 100), 0)}</b> : null}
      </div>
      {usage.limit ? (
        <div className={kit.bar}>
          <i
            className={used >= 1 ? kit.wrongTone : used >= 0.8 ? kit.warn : undefined}
            style={{ width: `${Math.min(100, used * 100)}%` }}
          />
        </div>
      ) : null}
      <div>
        <span>
          <b>{number(usage.used)}</b>
          {usage.limit ? ` of ${number(usage.limit)}` : ', unlimited'}
        </span>
      </div>
    </Link>
  );
}

function Who({ help }: { help: () => void }) {
  const { data } = useQuery(accountQuery);
  const console = useConsole();
  const name = data?.member.name || data?.member.email || '';
  const below = console ? data?.member.email : data ? `${capital(data.usage.plan)} plan` : '';
  const label = `Account ${name} ${below}`;
  const face = (
    <>
      <span className={css.face} aria-hidden>
        {name.charAt(0).toUpperCase()}
      </span>
      <span className={css.name}>
        <span className={kit.cut}>{name}</span>
        <small className={kit.cut}>{below}</small>
      </span>
      <ChevronsUpDown {...ICON} size={15} />
    </>
  );
  return (
    <Suspense
      fallback={
        <button type="button" className={css.who} aria-label={label}>
          {face}
        </button>
      }
    >
      <AccountMenu
        label={label}
        trigger={{ className: css.who!, custom: face }}
        console={console}
        operator={data?.account.role === 'OPERATOR'}
        help={help}
      />
    </Suspense>
  );
}

export function Mark() {
  return (
    <svg width="20" height="20" viewBox="0 0 20 20" aria-hidden="true">
      <rect x="1" y="3" width="18" height="14" rx="3" fill="var(--brand)" />
      <path
        d="M3.5 6.5 10 11l6.5-4.5"
        fill="none"
        stroke="var(--knob)"
        strokeWidth="1.75"
        strokeLinecap="round"
        strokeLinejoin="round"
      />
    </svg>
  );
}
