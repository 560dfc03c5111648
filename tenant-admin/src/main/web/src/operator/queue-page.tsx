import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { Pause, Play } from 'lucide-react';
import { lazy, Suspense, useState } from 'react';
import { useActs } from '../app/open';
import type { EmailStream } from '../gen/graphql';
import { Announce } from '../kit/announce';
import { Box, Button, CopyText, Segments, Status, Time } from '../kit/basics';
import kit from '../kit/kit.module.css';
import { Empty, Failed, Live, Loading, Page } from '../kit/page';
import { Stats } from '../kit/stats';
import { Table } from '../kit/table';
import { count, counted, full, number } from '../words/formats';
import { workerWord } from '../words/status';
import css from './operator.module.css';
import { destinationsQuery, type Queue } from './queries';
import { buckets, currentRate, type Sample } from './series';
import { age, ALERT_SECONDS, PROMISE_SECONDS, queueSentence } from './sentence';
import { useQueue } from './state';
import { totals } from './totals';

const DestinationsTable = lazy(() =>
  import('./destinations-table').then((module) => ({ default: module.DestinationsTable })),
);
const LiveChart = lazy(() => import('./live-chart').then((module) => ({ default: module.LiveChart })));
const PeriodChart = lazy(() => import('./traffic-chart').then((module) => ({ default: module.PeriodChart })));
const dialogs = () => import('./stop-dialogs');
const PauseQueue = lazy(() => dialogs().then((module) => ({ default: module.PauseQueue })));
const ResumeQueue = lazy(() => dialogs().then((module) => ({ default: module.ResumeQueue })));

const periods = [
  { value: 'now', text: 'Now' },
  { value: '1h', text: '1 h' },
  { value: '6h', text: '6 h' },
  { value: '24h', text: '24 h' },
  { value: '7d', text: '7 d' },
] as const;

type Period = (typeof periods)[number]['value'];

/** A pause or resumption to be confirmed; of all mail without a stream. */
interface Asked {
  readonly act: 'pause' | 'resume';
  readonly stream: EmailStream | null;
}

export function QueuePage() {
  const { period = 'now' } = useSearch({ from: '/shell/operator/queue' });
  const navigate = useNavigate({ from: '/operator/queue' });
  const { query, since, samples } = useQueue();
  const [asking, setAsking] = useState<Asked>();
  const paused = query.data?.platform.queuePausedAt != null;
  const close = () => setAsking(undefined);
  const ask = () => setAsking({ act: paused ? 'resume' : 'pause', stream: null });
  useActs(query.data ? [{ text: paused ? 'Resume sending' : 'Pause all sending', act: ask }] : []);
  const act = paused ? (
    <Button kind="main" icon={Play} onClick={ask}>
      Resume sending
    </Button>
  ) : (
    <Button icon={Pause} onClick={ask}>
      Pause all sending
    </Button>
  );
  const pick = (
    <Segments
      label="Period"
      value={period as Period}
      options={periods}
      onChange={(value) =>
        void navigate({ search: { period: value === 'now' ? undefined : value }, replace: true })
      }
    />
  );
  return (
    <Page
      title="Queue and workers"
      after={<Live since={since} />}
      acts={
        query.data ? (
          <>
            {pick}
            {act}
          </>
        ) : null
      }
    >
      {asking && query.data ? (
        <Suspense fallback={null}>
          {asking.act === 'resume' ? (
            <ResumeQueue
              stream={asking.stream}
              waiting={totals(query.data.queue, asking.stream ?? undefined).due}
              onClose={close}
            />
          ) : (
            <PauseQueue stream={asking.stream} onClose={close} />
          )}
        </Suspense>
      ) : null}
      {query.data ? (
        <Shown queue={query.data} samples={samples} period={period} onAsk={setAsking} />
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

function Shown({
  queue,
  samples,
  period,
  onAsk,
}: {
  queue: Queue;
  samples: readonly Sample[];
  period: Period;
  onAsk: (asked: Asked) => void;
}) {
  const all = totals(queue.queue);
  const rate = currentRate(samples);
  const shown = buckets(samples);
  return (
    <div className={`${kit.grid} ${css.dense}`}>
      <p className={kit.say} aria-live="off">
        {queueSentence(queue, rate)}
      </p>
      <Announce
        text={`${counted(all.due, 'email')} due, oldest ${age(all.oldest)}, ${counted(queue.platform.deadLetters, 'dead letter')}`}
      />
      <Stats
        label="The queue now"
        items={[
          { name: 'Due now', value: number(all.due) },
          {
            name: 'Oldest due',
            value: age(all.oldest),
            detail: `alert at ${ALERT_SECONDS} s`,
            tone: all.oldest >= ALERT_SECONDS ? 'bad' : all.oldest > PROMISE_SECONDS ? 'warn' : undefined,
          },
          { name: 'In progress', value: number(all.inHand) },
          { name: 'Retry later', value: number(all.retries) },
          { name: 'Scheduled', value: number(all.scheduled) },
          {
            name: 'Dead letters',
            value: number(queue.platform.deadLetters),
            tone: queue.platform.deadLetters > 0 ? 'bad' : undefined,
            detail:
              queue.platform.deadLetters > 0 ? <Link to="/operator/dead-letters">look into</Link> : undefined,
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
        {period === 'now' ? (
          <div className={css.halves}>
            <LiveChart
              title="Settled per second"
              unit="emails per second"
              kind="bars"
              buckets={shown}
              value={(bucket) => bucket.rate}
            />
            <LiveChart
              title="Oldest email that is due"
              unit="seconds"
              kind="line"
              buckets={shown}
              value={(bucket) => bucket.oldest}
              threshold={{
                at: PROMISE_SECONDS,
                name: `${PROMISE_SECONDS} s, our promise for a first attempt`,
              }}
            />
          </div>
        ) : (
          <PeriodChart period={period} />
        )}
      </Suspense>
      <div className={css.halves} data-uneven>
        <Queues queue={queue} onAsk={onAsk} />
        <Workers queue={queue} />
      </div>
      <Destinations />
      <Endpoints queue={queue} />
    </div>
  );
}

function Queues({ queue, onAsk }: { queue: Queue; onAsk: (asked: Asked) => void }) {
  const row = (name: string, stream: EmailStream) => ({
    name,
    stream,
    ...totals(queue.queue, stream),
    known: true,
    pause: queue.platform.pausedStreams.find((pause) => pause.stream === stream),
  });
  const calls = queue.platform;
  const rows = [
    row('Transactional', 'TRANSACTIONAL'),
    row('Campaigns', 'CAMPAIGN'),
    {
      name: 'Webhook calls',
      stream: null,
      pause: undefined,
      due: calls.pendingCalls,
      oldest: calls.oldestCallSeconds,
      inHand: 0,
      retries: 0,
      scheduled: 0,
      known: false,
    },
  ];
  const quiet = (value: number, known = true) => (
    <span className={value === 0 ? kit.quiet : undefined}>{known ? count(value) : '–'}</span>
  );
  return (
    <Box title="Queues">
      <Table
        label="Queues"
        rows={rows}
        id={(each) => each.name}
        columns={[
          {
            head: 'Queue',
            grow: true,
            narrow: 1,
            cell: (each) => (
              <>
                <span className={kit.label}>{each.name}</span>
                {each.pause ? (
                  <span className={kit.second} title={each.pause.reason}>
                    {' '}
                    paused
                  </span>
                ) : null}
              </>
            ),
          },
          { head: 'Due', right: true, narrow: 2, cell: (each) => quiet(each.due) },
          {
            head: 'Oldest',
            right: true,
            narrow: 4,
            cell: (each) => (
              <span className={each.oldest === 0 ? kit.quiet : undefined}>{age(each.oldest)}</span>
            ),
          },
          { head: 'In progress', right: true, cell: (each) => quiet(each.inHand, each.known) },
          { head: 'Later', right: true, cell: (each) => quiet(each.retries + each.scheduled, each.known) },
          {
            head: 'Pause',
            right: true,
            narrow: 3,
            cell: (each) =>
              each.stream === null ? null : each.pause ? (
                <Button
                  small
                  icon={Play}
                  aria-label={`Resume ${each.name.toLowerCase()}`}
                  onClick={() => onAsk({ act: 'resume', stream: each.stream })}
                >
                  Resume
                </Button>
              ) : (
                <Button
                  small
                  icon={Pause}
                  aria-label={`Pause ${each.name.toLowerCase()}`}
                  onClick={() => onAsk({ act: 'pause', stream: each.stream })}
                >
                  Pause
                </Button>
              ),
          },
        ]}
      />
    </Box>
  );
}

function Workers({ queue: { workers } }: { queue: Queue }) {
  return (
    <Box title="Workers" side={<span>each reports every 3 s</span>}>
      {workers.length === 0 ? (
        <Empty title="No worker has run in the last day">
          <p>Start one: it appears here within seconds.</p>
        </Empty>
      ) : (
        <Table
          label="Workers"
          rows={workers}
          id={(worker) => worker.id}
          columns={[
            {
              head: 'Worker',
              grow: true,
              narrow: 1,
              cell: (worker) => (
                <span className={kit.mono} title={worker.id}>
                  {worker.host}
                </span>
              ),
            },
            {
              head: 'State',
              narrow: 2,
              cell: (worker) => (
                <span title={`Seen at ${full(worker.seenAt)}`}>
                  <Status word={workerWord(worker)} />
                </span>
              ),
            },
            {
              head: 'Task',
              narrow: 3,
              cell: (worker) => (
                <span className={kit.second}>
                  {worker.dispatching && !worker.away ? 'leases and sends' : 'sends'}
                </span>
              ),
            },
            {
              head: 'Threads',
              right: true,
              narrow: 4,
              cell: (worker) => (
                <span className={worker.busyThreads === 0 ? kit.quiet : undefined}>
                  {worker.away || worker.senderThreads === 0
                    ? '–'
                    : `${number(worker.busyThreads)} of ${number(worker.senderThreads)}`}
                </span>
              ),
            },
            {
              head: 'In progress',
              right: true,
              cell: (worker) => (
                <span className={worker.inHand === 0 ? kit.quiet : undefined}>
                  {worker.away ? '–' : count(worker.inHand)}
                </span>
              ),
            },
            {
              head: 'A minute',
              right: true,
              cell: (worker) => (
                <span className={worker.rate === 0 ? kit.quiet : undefined}>{count(worker.rate)}</span>
              ),
            },
            {
              head: 'Since',
              right: true,
              cell: (worker) => (
                <span className={kit.quiet} title={worker.away ? 'last seen' : 'started'}>
                  <Time at={worker.away ? worker.seenAt : worker.startedAt} />
                </span>
              ),
            },
          ]}
        />
      )}
      {workers
        .filter((worker) => worker.draining)
        .map((worker) => (
          <p key={worker.id} className={kit.second}>
            {worker.host} stops: it finishes {counted(worker.inHand, 'email')} and returns the rest to the
            queue.
          </p>
        ))}
    </Box>
  );
}

/** Number of destinations that are shown with the queue. */
const MAX_DESTINATIONS = 5;

function Destinations() {
  const { data } = useQuery(destinationsQuery);
  const rows = data?.filter((row) => row.deferred > 0 || row.held !== null || row.circuit !== 'CLOSED');
  if (!data || !rows || rows.length === 0) return null;
  return (
    <Box title="Destinations with problems" side={<Link to="/operator/destinations">All {data.length}</Link>}>
      <Suspense fallback={<Loading />}>
        <DestinationsTable rows={rows.slice(0, MAX_DESTINATIONS)} />
      </Suspense>
    </Box>
  );
}

function Endpoints({ queue: { failingEndpoints: rows } }: { queue: Queue }) {
  if (rows.length === 0) return null;
  return (
    <Box title="Webhook endpoints that fail" side={<span>24 hours</span>}>
      <Table
        label="Webhook endpoints that fail"
        rows={rows}
        id={(row) => row.id}
        columns={[
          { head: 'URL', grow: true, narrow: 1, cell: (row) => <CopyText text={row.url} /> },
          { head: 'Expired', right: true, narrow: 2, cell: (row) => number(row.failed) },
          { head: 'Waiting', right: true, cell: (row) => number(row.pending) },
          {
            head: 'Last answer',
            right: true,
            narrow: 4,
            cell: (row) => <span className={kit.second}>{row.lastStatus ?? '–'}</span>,
          },
          {
            head: 'Account',
            narrow: 3,
            cell: (row) => (
              <Link to="/operator/accounts/$id" params={{ id: row.accountId }}>
                Open
              </Link>
            ),
          },
        ]}
      />
    </Box>
  );
}
