import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Check, Minus, OctagonX, TriangleAlert } from 'lucide-react';
import { lazy, Suspense, type ReactNode } from 'react';
import { cells } from '../app/config';
import { Box, ICON, Status } from '../kit/basics';
import kit from '../kit/kit.module.css';
import { Failed, Live, Loading, Page } from '../kit/page';
import { Stats } from '../kit/stats';
import { Table } from '../kit/table';
import { count, number, percent, shareText } from '../words/formats';
import { accountWord, type Word } from '../words/status';
import { AccountLink, RateCell } from './account-cells';
import css from './operator.module.css';
import { overviewQuery, type Overview } from './queries';
import { age, queueSentence } from './sentence';
import { totals } from './totals';

const TrafficChart = lazy(() =>
  import('./traffic-chart').then((module) => ({ default: module.TrafficChart })),
);

const Cells = lazy(() => import('./cells').then((module) => ({ default: module.Cells })));

const kept: Word = { tone: 'good', text: 'Kept', icon: Check };
const missed: Word = { tone: 'bad', text: 'Missed', icon: OctagonX };
const few: Word = { tone: 'mute', text: 'Too few', icon: Minus };
const close: Word = { tone: 'warn', text: 'Close', icon: TriangleAlert };

/** Number of requests from which their shares are judged. */
const MIN_REQUESTS = 20;

export function OperatorOverviewPage() {
  const query = useQuery(overviewQuery);
  const since = query.isRefetchError ? new Date(query.dataUpdatedAt) : null;
  return (
    <Page title="Overview" after={<Live since={since} />}>
      {query.data ? (
        <Shown view={query.data} />
      ) : (
        <Box>
          {query.error ? (
            <Failed error={query.error} retry={() => void query.refetch()} />
          ) : (
            <Loading lines={6} />
          )}
        </Box>
      )}
    </Page>
  );
}

function Shown({ view }: { view: Overview }) {
  const all = totals(view.queue);
  const { platform } = view;
  return (
    <div className={`${kit.grid} ${css.dense}`}>
      <p className={kit.say}>{sentence(view)}</p>
      <Needs view={view} />
      {cells().length > 0 ? (
        <Suspense fallback={null}>
          <Cells />
        </Suspense>
      ) : null}
      <Stats
        label="The platform now"
        items={[
          {
            name: 'Due now',
            value: number(all.due),
            detail: <Link to="/operator/queue">see the queue</Link>,
          },
          {
            name: 'Oldest due',
            value: age(all.oldest),
            tone: all.oldest >= 300 ? 'bad' : all.oldest > 30 ? 'warn' : undefined,
          },
          { name: 'Completed today', value: number(today(view)), detail: 'UTC' },
          { name: 'Campaigns running', value: number(platform.runningCampaigns) },
          { name: 'Tenants', value: number(platform.accounts) },
          {
            name: 'Suspended',
            value: number(platform.pausedAccounts),
            tone: platform.pausedAccounts > 0 ? 'warn' : undefined,
          },
        ]}
      />
      <Suspense
        fallback={
          <Box>
            <Loading lines={6} />
          </Box>
        }
      >
        <TrafficChart withAccepted />
      </Suspense>
      <Promises view={view} />
      <AtRisk view={view} />
    </div>
  );
}

function sentence(view: Overview): ReactNode {
  const failed = view.healthChecks.filter((check) => check.result === 'FAILED');
  if (failed.length > 0)
    return (
      <>
        <strong>The platform needs you.</strong> {failed.map((check) => check.finding).join(' ')}
      </>
    );
  return queueSentence(view, null);
}

function today(view: Overview): number {
  const day = new Date().toISOString().slice(0, 10);
  return view.dailyFigures
    .filter((figures) => figures.day === day)
    .reduce((total, figures) => total + figures.delivered + figures.sent + figures.hardBounced, 0);
}

/** Checks that did not pass. */
function Needs({ view }: { view: Overview }) {
  const checks = view.healthChecks.filter((check) => check.result !== 'OK');
  if (checks.length === 0) return null;
  return (
    <Box label="What needs attention">
      <ul className={css.needs}>
        {checks.map((check) => (
          <li key={check.name}>
            {check.result === 'FAILED' ? (
              <OctagonX {...ICON} color="var(--bad)" aria-label="Failed" aria-hidden={false} role="img" />
            ) : (
              <TriangleAlert
                {...ICON}
                color="var(--warn)"
                aria-label="Warning"
                aria-hidden={false}
                role="img"
              />
            )}
            <p>
              <strong>{check.finding}</strong> {check.fix}
            </p>
            {place(check.name)}
          </li>
        ))}
      </ul>
    </Box>
  );
}

function place(check: string): ReactNode {
  switch (check) {
    case 'accounts':
      return (
        <Link to="/operator/accounts" search={{ show: 'paused' }}>
          See them
        </Link>
      );
    case 'dead letters':
      return <Link to="/operator/dead-letters">See them</Link>;
    case 'queue':
    case 'dispatcher':
    case 'webhooks':
      return <Link to="/operator/queue">See the queue</Link>;
    default:
      return <Link to="/operator/checks">See the checks</Link>;
  }
}

interface Pledge {
  readonly name: string;
  readonly target: string;
  readonly now: string;
  readonly word: Word;
}

function Promises({ view }: { view: Overview }) {
  const { queue, platform, dailyFigures, traffic } = view;
  const sum = (field: 'delivered' | 'sent' | 'hardBounced' | 'complained') =>
    dailyFigures.reduce((total, day) => total + day[field], 0);
  const tried = sum('delivered') + sum('sent') + sum('hardBounced');
  const bounces = tried === 0 ? 0 : (sum('hardBounced') / tried) * 100;
  const accepted = sum('delivered') + sum('sent');
  const complaints = accepted === 0 ? 0 : (sum('complained') / accepted) * 100;
  const rated = (value: number, warning: number, risky: number) =>
    value > risky ? missed : value > warning ? close : kept;
  const transactional = totals(queue, 'TRANSACTIONAL').oldest;
  const requests = (field: 'requests' | 'errors' | 'sends' | 'lateSends') =>
    traffic.reduce((total, hour) => total + hour[field], 0);
  const answered = requests('requests');
  const sends = requests('sends');
  const errors = answered === 0 ? 0 : (requests('errors') / answered) * 100;
  const late = sends === 0 ? 0 : (requests('lateSends') / sends) * 100;
  const pledges: Pledge[] = [
    {
      name: 'API answers without a server error, 24 h',
      target: '99.9%',
      now: answered === 0 ? 'no requests' : `${shareText(100 - errors, 2)} of ${number(answered)}`,
      word: answered < MIN_REQUESTS ? few : rated(errors, 0.05, 0.1),
    },
    {
      name: 'API accepts mail quickly, 24 h',
      target: '99 % within 250 ms',
      now: sends === 0 ? 'no requests' : `${shareText(100 - late, 2)} of ${number(sends)}`,
      word: sends < MIN_REQUESTS ? few : rated(late, 0.5, 1),
    },
    {
      name: 'First attempt of transactional mail',
      target: 'within 30 s',
      now: transactional === 0 ? 'none waits' : `oldest ${age(transactional)}`,
      word: rated(transactional, 15, 30),
    },
    {
      name: 'First call of a webhook',
      target: 'within 60 s',
      now: platform.oldestCallSeconds === 0 ? 'none waits' : `oldest ${age(platform.oldestCallSeconds)}`,
      word: rated(platform.oldestCallSeconds, 30, 60),
    },
    {
      name: 'Addresses that do not exist, 7 days',
      target: 'under 2%',
      now: tried === 0 ? 'no mail' : percent(bounces),
      word: rated(bounces, 1, 2),
    },
    {
      name: 'Reports of spam, 7 days',
      target: 'under 0.1%',
      now: accepted === 0 ? 'no mail' : percent(complaints, 3),
      word: rated(complaints, 0.05, 0.1),
    },
  ];
  return (
    <Box title="Promises" side={<span>as of now; shares over time are in the dashboards</span>}>
      <Table
        label="Promises"
        rows={pledges}
        id={(row) => row.name}
        columns={[
          {
            head: 'Promise',
            grow: true,
            narrow: 1,
            cell: (row) => <span className={kit.label}>{row.name}</span>,
          },
          { head: 'Target', narrow: 3, cell: (row) => <span className={kit.quiet}>{row.target}</span> },
          { head: 'Now', right: true, narrow: 4, cell: (row) => row.now },
          { head: 'State', narrow: 2, cell: (row) => <Status word={row.word} /> },
        ]}
      />
    </Box>
  );
}

function AtRisk({ view }: { view: Overview }) {
  const paused = view.paused.nodes;
  const rows = [
    ...paused,
    ...view.accounts.nodes.filter((account) => !paused.some(({ id }) => id === account.id)),
  ];
  return (
    <Box title="Accounts needing attention" side={<Link to="/operator/accounts">All accounts</Link>}>
      {rows.length === 0 ? (
        <p className={css.none}>None: no account is suspended, and none has risky rates.</p>
      ) : (
        <Table
          label="Accounts needing attention"
          rows={rows}
          id={(row) => row.id}
          columns={[
            { head: 'Name', grow: true, narrow: 1, cell: (row) => <AccountLink account={row} /> },
            {
              head: 'Today (UTC)',
              right: true,
              cell: (row) => (
                <span className={row.settledToday ? undefined : kit.quiet}>{count(row.settledToday)}</span>
              ),
            },
            {
              head: 'Bounces',
              right: true,
              narrow: 3,
              cell: (row) => <RateCell account={row} value={percent(row.week.bounceRate)} />,
            },
            {
              head: 'Complaints',
              right: true,
              narrow: 4,
              cell: (row) => <RateCell account={row} value={percent(row.week.complaintRate, 3)} />,
            },
            { head: 'State', narrow: 2, cell: (row) => <Status word={accountWord(row)} /> },
          ]}
        />
      )}
    </Box>
  );
}
