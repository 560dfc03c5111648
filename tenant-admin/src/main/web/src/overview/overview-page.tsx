import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate, useSearch, type LinkProps } from '@tanstack/react-router';
import { ArrowUpRight, Check, CornerUpLeft, Flag } from 'lucide-react';
import { lazy, Suspense, useEffect, useRef, type ReactNode } from 'react';
import { useEvents, useLiveSince } from '../app/live';
import { Announce } from '../kit/announce';
import { Box, Note, Segments, Status } from '../kit/basics';
import kit from '../kit/kit.module.css';
import { Empty, Failed, Live, Loading, Page } from '../kit/page';
import { Rate } from '../kit/rate';
import { lastDays } from '../kit/scale';
import { Stats, type Stat } from '../kit/stats';
import { Table } from '../kit/table';
import { capital, counted, dot, duration, number, percent, shareText } from '../words/formats';
import glossary from '../words/glossary.json';
import { emailWord } from '../words/status';
import { CampaignsBox } from './campaigns';
import css from './overview.module.css';
import { beforeQuery, overviewQuery, recentQuery, results, type Overview, type Today } from './queries';
import { change, deliveredShare, series, type Results } from './series';
import { broken, hasSender, Todo } from './todo';

const Chart = lazy(() => import('./chart').then((module) => ({ default: module.Chart })));
const HourChart = lazy(() => import('./chart').then((module) => ({ default: module.HourChart })));

const { metrics } = glossary;

type Metric = (typeof metrics)['delivered' | 'sent' | 'bounced' | 'complained'];

/** The list of the emails of a period with a status; without one, of all. */
type Links = (status?: string) => LinkProps['search'];

const periods = [
  { value: '1', text: '24 h' },
  { value: '7', text: '7 d' },
  { value: '30', text: '30 d' },
  { value: '90', text: '90 d' },
] as const;

/** Days of the rates and causes that stand beside the mails of 24 hours. */
const RATED_DAYS = 7;

/** Time in which events cause at most one reading of the figures. */
const RELOAD_MS = 3000;

export function OverviewPage() {
  const { days = '1', domain } = useSearch({ from: '/shell/overview' });
  const navigate = useNavigate({ from: '/overview' });
  const query = useQuery(overviewQuery(days === '1' ? RATED_DAYS : Number(days), domain));
  useReload();
  const acts = (
    <>
      <select
        className={`${kit.input} ${css.pick}`}
        aria-label="Domain"
        value={domain ?? ''}
        onChange={(event) =>
          void navigate({
            search: (old) => ({ ...old, domain: event.target.value || undefined }),
            replace: true,
          })
        }
      >
        <option value="">All domains</option>
        {query.data?.domains.nodes.map((node) => (
          <option key={node.id} value={node.id}>
            {node.name}
          </option>
        ))}
      </select>
      <Segments
        label="Period"
        value={days}
        options={periods}
        onChange={(value) =>
          void navigate({
            search: (old) => ({ ...old, days: value === '1' ? undefined : value }),
            replace: true,
          })
        }
      />
    </>
  );
  return (
    <Page title="Overview" after={<Live since={useLiveSince()} />} acts={acts}>
      {query.error && !query.data ? (
        <Box>
          <Failed error={query.error} retry={() => void query.refetch()} />
        </Box>
      ) : !query.data ? (
        <Box>
          <Loading lines={6} />
        </Box>
      ) : days === '1' ? (
        <Hours view={query.data} domain={domain} />
      ) : (
        <Days view={query.data} days={Number(days)} domain={domain} />
      )}
    </Page>
  );
}

/** Reads the figures again after events of mails. */
function useReload(): void {
  const client = useQueryClient();
  const timer = useRef<number>(undefined);
  const reload = () => {
    timer.current ??= window.setTimeout(() => {
      timer.current = undefined;
      void client.invalidateQueries({ queryKey: ['overview'] });
    }, RELOAD_MS);
  };
  useEffect(() => () => window.clearTimeout(timer.current), []);
  useEvents((events) => {
    if (events.some((event) => event.emailId !== null || /^(campaign|domain|webhook)\./.test(event.kind)))
      reload();
  }, reload);
}

/** The mails of the last 24 hours. */
function Hours({ view, domain }: { view: Overview; domain: string | undefined }) {
  const recent = useQuery(recentQuery(domain));
  if (!recent.data)
    return (
      <Box>
        {recent.error ? (
          <Failed error={recent.error} retry={() => void recent.refetch()} />
        ) : (
          <Loading lines={6} />
        )}
      </Box>
    );
  const { all, before, hours, complete } = recent.data;
  const waits = all.waiting + all.scheduled + all.sent;
  const since = hours[0]?.at;
  const links: Links = (status) => ({ status, domain, since });
  return (
    <div className={kit.grid}>
      <p className={kit.say}>{sentence(view, '24 hours', all.accepted, deliveredShare(all), waits)}</p>
      <Announce
        text={`${number(all.accepted)} accepted, ${number(all.delivered)} delivered, ${number(waits)} in progress, ${number(all.bounced + all.failed)} did not arrive`}
      />
      <Todo view={view} complained={all.complained} domain={domain} since={since} />
      {all.accepted === 0 ? (
        <Quiet view={view} />
      ) : (
        <>
          {complete ? null : (
            <Note tone="info">
              These are the newest {number(all.accepted)} emails. Older ones of the 24 hours are not counted.
            </Note>
          )}
          <Tiles
            span="24 hours"
            now={all}
            before={before}
            period="Accepted in the last 24 hours."
            links={links}
          />
          <Others today={recent.data} links={links} />
          <div className={css.columns}>
            <Suspense fallback={<div className={css.soon} />}>
              <HourChart hours={hours} />
            </Suspense>
            <Reputation view={view} side={`${RATED_DAYS} days (UTC)`} />
          </div>
        </>
      )}
      <Bottom view={view} days={RATED_DAYS} domain={domain} />
    </div>
  );
}

const marks = {
  delivered: { icon: Check, tone: 'good' },
  sent: { icon: ArrowUpRight, tone: 'info' },
  bounced: { icon: CornerUpLeft, tone: 'bad' },
  reported: { icon: Flag, tone: 'plum' },
} as const;

/** The same five figures of each period, against the one before. */
function Tiles({
  span,
  now,
  before,
  period,
  links,
}: {
  span: string;
  now: Results;
  /** Null if they are not known. */
  before: Results | null;
  /** Says which emails are counted. */
  period: string;
  /** The list of the emails with a status, if there is one. */
  links?: (status: string) => LinkProps['search'];
}) {
  const share = deliveredShare(now);
  const shareBefore = before ? deliveredShare(before) : null;
  const points = share === null || shareBefore === null ? null : share - shareBefore;
  const says = (meaning: string) => `${meaning} ${period} The change is against the ${span} before.`;
  const tile = (metric: Metric, mark: Stat['mark'], of: keyof Results, status: string): Stat => ({
    name: metric.label,
    value: number(now[of]),
    detail: change(now[of], before?.[of]),
    meaning: says(metric.meaning),
    ...(mark ? { mark } : {}),
    ...(links ? { to: links(status) } : {}),
  });
  return (
    <Stats
      label={`Emails of the last ${span}`}
      items={[
        tile(metrics.delivered, marks.delivered, 'delivered', 'DELIVERED'),
        {
          name: metrics.deliveredShare.label,
          value: share === null ? '–' : shareText(share),
          detail:
            points === null || Math.abs(points) < 0.05
              ? ''
              : `${points < 0 ? '−' : '+'}${Math.abs(points).toFixed(1)} points`,
          meaning: says(metrics.deliveredShare.meaning),
        },
        tile(metrics.sent, marks.sent, 'sent', 'SENT'),
        tile(metrics.bounced, marks.bounced, 'bounced', 'BOUNCED'),
        tile(metrics.complained, marks.reported, 'complained', 'COMPLAINED'),
      ]}
    />
  );
}

/** Emails of the last 24 hours that have no result, or none that a tile counts. */
function Others({ today: { all, oldestWaitingAt }, links }: { today: Today; links: Links }) {
  const open = all.waiting + all.scheduled;
  const parts = [
    oldestWaitingAt
      ? `oldest in the queue ${duration(Math.max(0, Date.now() - Date.parse(oldestWaitingAt)))}`
      : '',
    all.scheduled > 0 ? `${number(all.scheduled)} scheduled` : '',
  ].filter(Boolean);
  return (
    <p className={css.others}>
      <Link to="/emails" search={links()} title={metrics.accepted.meaning}>
        {number(all.accepted)} accepted
      </Link>
      {' · '}
      <Link to="/emails" search={links('PENDING')} title={metrics.inProgress.meaning}>
        {number(open)} in progress
      </Link>
      {parts.length > 0 ? ` (${parts.join(', ')})` : ''}
      {' · '}
      <Link to="/emails" search={links('FAILED')} title={metrics.failed.meaning}>
        {number(all.failed)} failed
      </Link>
    </p>
  );
}

/** The mails of several days of UTC. */
function Days({ view, days, domain }: { view: Overview; days: number; domain: string | undefined }) {
  const chart = series(view.dailyFigures, days);
  const now = results(chart);
  const before = useQuery(beforeQuery(days, domain)).data ?? null;
  const all = now.delivered + now.bounced + now.sent;
  return (
    <div className={kit.grid}>
      <p className={kit.say}>{sentence(view, `${days} days`, all, deliveredShare(now), now.sent)}</p>
      <Todo
        view={view}
        complained={now.complained}
        domain={domain}
        since={`${lastDays(days)[0]}T00:00:00Z`}
      />
      {all === 0 ? (
        <Quiet view={view} />
      ) : (
        <>
          <Tiles
            span={`${days} days`}
            now={now}
            before={before}
            period={`Results that became known in the last ${days} days (UTC).`}
          />
          <div className={css.columns}>
            <Suspense fallback={<div className={css.soon} />}>
              <Chart days={chart} />
            </Suspense>
            <Reputation view={view} side={`${days} days (UTC)`} />
          </div>
        </>
      )}
      <Bottom view={view} days={days} domain={domain} />
    </div>
  );
}

function Quiet({ view }: { view: Overview }) {
  return (
    <Box>
      <Empty title="No emails were sent in this period">
        <p>
          Numbers appear here as emails are sent.{' '}
          {hasSender(view) ? (
            <Link to="/emails">Send one</Link>
          ) : (
            <Link to="/domains">Verify a domain to send</Link>
          )}
        </p>
      </Empty>
    </Box>
  );
}

function Reputation({ view, side }: { view: Overview; side: string }) {
  const { figures, bounces, complaints } = view.reputation;
  return (
    <Box title="Reputation" side={<span>{side}</span>}>
      <Rate
        name={metrics.bounceRate.label}
        value={figures.bounceRate}
        digits={2}
        standing={bounces}
        limits={[2, 5]}
        text={`${number(figures.hardBounced)} of ${number(figures.sampleSize)} attempted.${bounces === 'HEALTHY' ? ' No action is needed.' : ''}`}
      />
      <Rate
        name={metrics.complaintRate.label}
        value={figures.complaintRate}
        digits={3}
        standing={complaints}
        limits={[0.05, 0.1]}
        text={`${number(figures.complained)} of ${number(figures.delivered)} delivered.${complaints === 'HEALTHY' ? ' No action is needed.' : ''}`}
      />
    </Box>
  );
}

/** Cause of the mails that a recipient reported as spam. */
const COMPLAINT = 'complaint';

function statusOf({ cause }: { cause: string }): 'COMPLAINED' | 'BOUNCED' {
  return cause === COMPLAINT ? 'COMPLAINED' : 'BOUNCED';
}

/** Causes of returned mail, and the campaigns. */
function Bottom({ view, days, domain }: { view: Overview; days: number; domain: string | undefined }) {
  const side = `${days} days (UTC)`;
  const since = `${lastDays(days)[0]}T00:00:00Z`;
  const { causes } = view.reputation;
  const campaigns = <CampaignsBox />;
  if (causes.length === 0) return campaigns;
  return (
    <div className={css.bottom}>
      <Box title="Bounce reasons" side={<span>{side}</span>}>
        <Table
          label="Bounce reasons"
          rows={causes}
          id={(row) => row.cause}
          columns={[
            { head: 'Result', narrow: 3, cell: (row) => <Status word={emailWord(statusOf(row), '')} /> },
            {
              head: 'Code',
              narrow: 4,
              cell: (row) =>
                row.cause === COMPLAINT ? null : (
                  <span className={`${kit.mono} ${kit.second}`}>{row.cause}</span>
                ),
            },
            { head: 'Cause', grow: true, narrow: 1, cell: (row) => row.meaning },
            {
              head: 'Emails',
              right: true,
              narrow: 2,
              cell: (row) => (
                <Link
                  to="/emails"
                  search={{ status: statusOf(row), domain, since }}
                  title="All emails with this result in the period"
                >
                  {counted(row.count, 'email')}
                </Link>
              ),
            },
          ]}
        />
      </Box>
      {campaigns}
    </div>
  );
}

/** Complaints below this number are too few to judge a rate. */
const JUDGED_COMPLAINTS = 5;

function of(part: number, all: number): string {
  return `${number(part)} of ${number(all)} (${percent(all === 0 ? 0 : (part / all) * 100)})`;
}

function sentence(
  view: Overview,
  period: string,
  all: number,
  share: number | null,
  waits: number,
): ReactNode {
  const { standing, bounces, complaints, advice, figures } = view.reputation;
  if (view.account.pausedReason !== null)
    return (
      <>
        <strong>New emails are refused.</strong> The reason is above.
      </>
    );
  if (all === 0)
    return (
      <>
        <strong>No emails in the last {period}.</strong>
      </>
    );
  if (share === null)
    return (
      <>
        <strong>{capital(counted(waits, 'email is', 'emails are'))} in progress.</strong> None of the last{' '}
        {period} has a result yet.
      </>
    );
  const head =
    standing === 'HEALTHY'
      ? 'Delivery is healthy.'
      : bounces !== 'HEALTHY'
        ? `Hard bounce rate is ${bounces === 'RISKY' ? 'too ' : ''}high: ${of(figures.hardBounced, figures.sampleSize)}.`
        : figures.complained < JUDGED_COMPLAINTS
          ? `Delivery is fine. ${capital(counted(figures.complained, 'spam complaint'))} ${figures.complained === 1 ? 'is' : 'are'} too few to judge.`
          : `Spam complaints are ${complaints === 'RISKY' ? 'too ' : ''}high: ${of(figures.complained, figures.delivered)}.`;
  const wrong = broken(view).length;
  const next =
    standing === 'HEALTHY' && wrong > 0
      ? `${capital(counted(wrong, 'domain needs', 'domains need'))} attention.`
      : dot(advice[0] ?? '');
  return (
    <>
      <strong>{head}</strong> {shareText(share)} delivered in the last {period}. {next}
    </>
  );
}
