import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { Flag, OctagonX, TriangleAlert } from 'lucide-react';
import { useRef, type ReactNode } from 'react';
import { useEvents, useLiveSince } from '../app/live';
import { Box, ICON, Segments } from '../kit/basics';
import kit from '../kit/kit.module.css';
import { Empty, Failed, Live, Loading, Page } from '../kit/page';
import { Rate } from '../kit/rate';
import { Table } from '../kit/table';
import { counted, number, percent } from '../words/formats';
import { Chart } from './chart';
import css from './overview.module.css';
import { overviewQuery, type Overview } from './queries';
import { series, sum } from './series';

const periods = [{ value: '7', text: '7 d' }, { value: '30', text: '30 d' }, { value: '90', text: '90 d' }] as const;

/** Time in which events cause at most one reading of the figures. */
const RELOAD_MS = 2000;

export function OverviewPage() {
  const { days = '7', domain } = useSearch({ from: '/shell/overview' });
  const navigate = useNavigate({ from: '/overview' });
  const client = useQueryClient();
  const timer = useRef<number>(undefined);
  const query = useQuery(overviewQuery(Number(days), domain));
  const reload = () => {
    timer.current ??= window.setTimeout(() => {
      timer.current = undefined;
      void client.invalidateQueries({ queryKey: ['overview'] });
    }, RELOAD_MS);
  };
  useEvents((events) => { if (events.some((event) => event.emailId)) reload(); }, reload);
  const acts = (
    <>
      <select className={`${kit.input} ${css.pick}`} aria-label="Domain" value={domain ?? ''} onChange={(event) => void navigate({ search: (old) => ({ ...old, domain: event.target.value || undefined }), replace: true })}>
        <option value="">All domains</option>
        {query.data?.domains.nodes.map((node) => <option key={node.id} value={node.id}>{node.name}</option>)}
      </select>
      <Segments label="Period" value={days} options={periods} onChange={(value) => void navigate({ search: (old) => ({ ...old, days: value === '7' ? undefined : value }), replace: true })} />
    </>
  );
  return (
    <Page title="Overview" after={<Live since={useLiveSince()} />} acts={acts}>
      {query.error && !query.data ? <Box><Failed error={query.error} retry={() => void query.refetch()} /></Box>
        : query.data ? <Shown view={query.data} days={Number(days)} /> : <Box><Loading lines={6} /></Box>}
    </Page>
  );
}

function Shown({ view, days }: { view: Overview; days: number }) {
  const chart = series(view.dailyFigures, days);
  const { figures, bounces, complaints, causes } = view.reputation;
  const sent = sum(chart, 'sent');
  const all = figures.delivered + figures.hardBounced + sent;
  const share = figures.delivered + figures.hardBounced > 0 ? (figures.delivered / (figures.delivered + figures.hardBounced)) * 100 : 0;
  return (
    <div className={kit.grid}>
      <p className={kit.say}>{sentence(view, days, all, share)}</p>
      <Todo view={view} />
      {all === 0 ? <Box><Empty title="Nothing was sent in this time"><p>The figures of mails appear here as they arrive. <Link to="/emails">Send one</Link></p></Empty></Box> : (
        <>
          <dl className={css.stats}>
            <Tile name="Delivered" value={figures.delivered} detail={percent(share, 1)} />
            <Tile name="Sent, not yet confirmed" value={sent} detail="" />
            <Tile name="Bounced" value={figures.hardBounced} detail={figures.hardBounced > 0 ? 'for good' : ''} />
            <Tile name="Reported as spam" value={figures.complained} detail={figures.complained > 0 ? 'suppressed' : ''} />
          </dl>
          <div className={css.columns}>
            <Chart days={chart} />
            <Box title="Reputation">
              <Rate name="Bounces" value={figures.bounceRate} digits={2} standing={bounces} limits={[2, 5]} text={`${number(figures.hardBounced)} of ${number(figures.sampleSize)} tried.${bounces === 'HEALTHY' ? ' Nothing needs to be done.' : ''}`} />
              <Rate name="Complaints" value={figures.complaintRate} digits={3} standing={complaints} limits={[0.05, 0.1]} text={`${number(figures.complained)} of ${number(figures.delivered)} delivered.${complaints === 'HEALTHY' ? ' Nothing needs to be done.' : ''}`} />
            </Box>
          </div>
          {causes.length > 0 ? (
            <Box title="Why mail came back">
              <Table label="Why mail came back" rows={causes} id={(row) => row.cause} columns={[
                { head: 'Code', narrow: 3, cell: (row) => <span className={`${kit.mono} ${kit.second}`}>{row.cause}</span> },
                { head: 'Cause', grow: true, narrow: 1, cell: (row) => row.meaning },
                { head: 'Mails', right: true, narrow: 2, cell: (row) => number(row.count) },
              ]} />
            </Box>
          ) : null}
        </>
      )}
    </div>
  );
}

function sentence(view: Overview, days: number, all: number, share: number): ReactNode {
  const { standing } = view.reputation;
  if (all === 0) return <><strong>No mail in {days} days.</strong></>;
  const head = standing === 'RISKY' ? 'Too much mail comes back.' : standing === 'WARNING' ? 'Mail arrives, but look at the rates.' : 'Mail is arriving.';
  const wrong = broken(view).length;
  const advice = standing === 'HEALTHY' && wrong > 0 ? `${counted(wrong, 'domain needs', 'domains need')} you.` : dot(view.reputation.advice[0] ?? '');
  return <><strong>{head}</strong> {percent(share, 1)} of the mails of {days} days were delivered. {advice}</>;
}

function dot(text: string): string {
  return text === '' || text.endsWith('.') ? text : `${text}.`;
}

/** Domains that lost a record. */
function broken(view: Overview) {
  return view.domains.nodes.filter((domain) => domain.status === 'FAILED' || domain.status === 'TEMPORARY_FAILURE');
}

/** Things that need attention. */
function Todo({ view }: { view: Overview }) {
  const domains = broken(view);
  const { complained } = view.reputation.figures;
  if (domains.length === 0 && complained === 0) return null;
  return (
    <Box label="What needs attention">
      <ul className={css.todo}>
        {domains.map((domain) => (
          <li key={domain.id} data-tone={domain.status === 'FAILED' ? 'bad' : 'warn'}>
            {domain.status === 'FAILED' ? <OctagonX {...ICON} /> : <TriangleAlert {...ICON} />}
            <p><strong>{domain.name} {domain.status === 'FAILED' ? 'cannot send.' : 'lost a record.'}</strong> {domain.status === 'FAILED' ? 'Mail from it is refused.' : 'Mail from it is still sent for a time.'}</p>
            <Link to="/domains/$id" params={{ id: domain.id }}>See its records</Link>
          </li>
        ))}
        {complained > 0 ? <li data-tone="plum"><Flag {...ICON} /><p><strong>{counted(complained, 'mail')} reported as spam.</strong> The recipients are suppressed.</p><Link to="/emails" search={{ status: 'COMPLAINED' }}>See those mails</Link></li> : null}
      </ul>
    </Box>
  );
}

function Tile({ name, value, detail }: { name: string; value: number; detail: string }) {
  return <div><dt>{name}</dt><dd><b>{number(value)}</b><small>{detail}</small></dd></div>;
}
