import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { Ellipsis, History, KeyRound, PencilLine, Power, Send, Trash2 } from 'lucide-react';
import { lazy, Suspense, useRef, useState } from 'react';
import { useEvents, useLiveSince } from '../app/live';
import { useActs, useRecent } from '../app/open';
import { Box, Button, Id, Status, Time } from '../kit/basics';
import { Diagnosis } from '../kit/diagnosis';
import kit from '../kit/kit.module.css';
import { Confirm, MenuButton, Secret, type MenuEntry } from '../kit/layers';
import { Empty, Failed, Live, Loading, Page, PageHeader } from '../kit/page';
import { explained, Rest } from '../kit/problems';
import { May } from '../kit/rights';
import { Split } from '../kit/split';
import { Pager, Table } from '../kit/table';
import { dot } from '../words/formats';
import { callWord, endpointWord } from '../words/status';
import { summary } from './event-kinds';
import {
  deleteEndpoint,
  eventTypesQuery,
  rotateSecret,
  testEndpoint,
  updateEndpoint,
  webhookQuery,
  type CallRow,
  type Endpoint,
  type EndpointView,
} from './queries';
import { Success } from './success';
import css from './webhook.module.css';

const Drawer = lazy(() => import('./drawer').then((module) => ({ default: module.Drawer })));
const EditEndpoint = lazy(() => import('./dialogs').then((module) => ({ default: module.EditEndpoint })));
const Recover = lazy(() => import('./dialogs').then((module) => ({ default: module.Recover })));

/** Interval in which the calls are read again, while one is made soon and otherwise. */
const SOON_MS = 2000;
const INTERVAL_MS = 15_000;

/** Time before a call from which it is expected soon. */
const EXPECTED_MS = 30_000;

function isSoon(call: CallRow): boolean {
  return call.status === 'PENDING' && new Date(call.dueAt).getTime() - Date.now() < EXPECTED_MS;
}

const up = { to: '/webhooks', text: 'Webhooks' };

export function WebhookPage() {
  const { id } = useParams({ from: '/shell/webhooks/$id' });
  const { after } = useSearch({ from: '/shell/webhooks/$id' });
  const client = useQueryClient();
  const query = useQuery({
    ...webhookQuery(id, after),
    refetchInterval: ({ state }) => (state.data?.webhookCalls.nodes.some(isSoon) ? SOON_MS : INTERVAL_MS),
  });
  const timer = useRef<number>(undefined);
  const reload = () => {
    timer.current ??= window.setTimeout(() => {
      timer.current = undefined;
      void client.invalidateQueries({ queryKey: ['webhook', 'one', id] });
    }, 1000);
  };
  useEvents((events) => {
    if (events.some((event) => query.data?.webhookEndpoint.events.includes(event.kind))) reload();
  }, reload);
  useRecent(query.data?.webhookEndpoint.url, `/webhooks/${id}`);
  if (!query.data)
    return (
      <Page title="Endpoint" up={up}>
        <Box>
          {query.error ? (
            <Failed error={query.error} retry={() => void query.refetch()} />
          ) : (
            <Loading lines={6} />
          )}
        </Box>
      </Page>
    );
  return <Shown key={id} view={query.data} />;
}

type Asking = 'delete' | 'rotate' | 'recover' | 'edit';

function Shown({ view }: { view: EndpointView }) {
  const { webhookEndpoint: endpoint, webhookCalls: calls } = view;
  const { id, active, url } = endpoint;
  const search = useSearch({ from: '/shell/webhooks/$id' });
  const navigate = useNavigate({ from: '/webhooks/$id' });
  const client = useQueryClient();
  const types = useQuery(eventTypesQuery);
  const since = useLiveSince();
  const [asking, setAsking] = useState<Asking>();
  const [secret, setSecret] = useState<string>();
  const [busy, setBusy] = useState<'test' | 'switch'>();
  const [rest, setRest] = useState<readonly string[]>([]);
  const act = async (name: 'test' | 'switch', work: () => Promise<void>) => {
    setBusy(name);
    setRest([]);
    try {
      await work();
    } catch (error) {
      setRest(explained(error, []).rest);
    } finally {
      setBusy(undefined);
    }
  };
  const open = (row: CallRow | undefined) =>
    void navigate({ search: (old) => ({ ...old, open: row?.id }), replace: search.open !== undefined });
  const test = () =>
    void act('test', async () => {
      const call = await testEndpoint(client, id);
      await navigate({ search: { open: call } });
    });
  const turn = () => void act('switch', () => updateEndpoint(client, { id, active: !active }));
  useActs([
    { text: 'Send test event', needs: 'WEBHOOKS', act: test },
    { text: active ? 'Switch the endpoint off' : 'Switch the endpoint on', needs: 'WEBHOOKS', act: turn },
    { text: 'Recover calls', needs: 'WEBHOOKS', act: () => setAsking('recover') },
    { text: 'Rotate the secret', needs: 'WEBHOOKS', act: () => setAsking('rotate') },
  ]);
  const more: MenuEntry[] = [
    {
      kind: 'item',
      text: 'Change URL or events',
      icon: PencilLine,
      needs: 'WEBHOOKS',
      act: () => setAsking('edit'),
    },
    {
      kind: 'item',
      text: 'Replay events since',
      icon: History,
      needs: 'WEBHOOKS',
      act: () => setAsking('recover'),
    },
    {
      kind: 'item',
      text: 'Rotate secret',
      icon: KeyRound,
      needs: 'WEBHOOKS',
      act: () => setAsking('rotate'),
    },
    { kind: 'line', key: 'end' },
    {
      kind: 'item',
      text: 'Delete',
      icon: Trash2,
      tone: 'bad',
      needs: 'WEBHOOKS',
      act: () => setAsking('delete'),
    },
  ];
  const at = calls.nodes.findIndex((row) => row.id === search.open);
  const drawer = search.open ? (
    <Suspense fallback={<Loading lines={6} />}>
      <Drawer
        id={search.open}
        endpoint={endpoint}
        onClose={() => open(undefined)}
        previous={at > 0 ? () => open(calls.nodes[at - 1]) : undefined}
        next={at >= 0 && at < calls.nodes.length - 1 ? () => open(calls.nodes[at + 1]) : undefined}
      />
    </Suspense>
  ) : null;
  return (
    <>
      <Split
        head={
          <>
            <PageHeader
              title={url}
              up={up}
              after={
                <>
                  <Status chip word={endpointWord(endpoint)} />
                  <Live since={since} />
                </>
              }
              needs="WEBHOOKS"
              acts={
                <>
                  <Button icon={Power} needs="WEBHOOKS" busy={busy === 'switch'} onClick={turn}>
                    {active ? 'Switch off' : 'Switch on'}
                  </Button>
                  <MenuButton label="More" trigger={{ icon: Ellipsis, iconOnly: true }} entries={more} />
                  <Button kind="main" icon={Send} needs="WEBHOOKS" busy={busy === 'test'} onClick={test}>
                    Send test
                  </Button>
                </>
              }
            />
            <div className={css.banner}>
              <Sentence endpoint={endpoint} onRecover={() => setAsking('recover')} />
              <Rest of={rest} />
            </div>
            <div className={css.facts}>
              {endpoint.description ? (
                <span>
                  <span>For</span>
                  <bdi>{endpoint.description}</bdi>
                </span>
              ) : null}
              <span title={endpoint.events.join(', ')}>
                <span>Events</span>
                {summary(endpoint.events, types.data)}
              </span>
              <span className={kit.num}>
                <span>Success 24 h</span>
                <Success row={endpoint} />
              </span>
              <span>
                <span>Added</span>
                <Time at={endpoint.createdAt} />
              </span>
              <span>
                <span>Id</span>
                <Id id={id} short />
              </span>
            </div>
          </>
        }
        label="Calls, newest first"
        drawerLabel="Call"
        drawer={drawer}
        onClose={() => open(undefined)}
        bar={
          <Pager
            from={search.after ? 0 : 1}
            shown={calls.nodes.length}
            total={calls.totalCount}
            newer={search.after ? () => window.history.back() : undefined}
            older={
              calls.pageInfo.hasNextPage
                ? () => void navigate({ search: { after: calls.pageInfo.endCursor ?? undefined } })
                : undefined
            }
          />
        }
      >
        {calls.nodes.length === 0 ? (
          <Empty title="No calls yet">
            <p>Each event that is posted to this URL is listed here with its answer.</p>
            <Button icon={Send} needs="WEBHOOKS" busy={busy === 'test'} onClick={test}>
              Send test
            </Button>
          </Empty>
        ) : (
          <Calls calls={calls.nodes} selected={search.open} onOpen={open} endpointId={id} />
        )}
      </Split>
      {asking === 'delete' ? (
        <Confirm
          title="Delete this endpoint?"
          verb="Delete"
          onClose={() => setAsking(undefined)}
          act={async () => {
            await deleteEndpoint(client, id);
            await navigate({ to: '/webhooks' });
          }}
        >
          <p>
            Mailroom no longer calls <strong>{url}</strong>. Its list of calls is removed.
          </p>
        </Confirm>
      ) : null}
      {asking === 'rotate' ? (
        <Confirm
          title="Rotate the secret?"
          verb="Rotate"
          onClose={() => setAsking(undefined)}
          act={async () => setSecret(await rotateSecret(id))}
        >
          <p>
            Calls are signed with a new secret at once. The old one also signs them for another 24 hours, so
            that <strong>{url}</strong> can change over.
          </p>
        </Confirm>
      ) : null}
      <Suspense fallback={null}>
        {asking === 'edit' ? <EditEndpoint endpoint={endpoint} onClose={() => setAsking(undefined)} /> : null}
        {asking === 'recover' ? <Recover endpoint={endpoint} onClose={() => setAsking(undefined)} /> : null}
      </Suspense>
      {secret ? (
        <Secret
          title="Store the new secret now"
          text={secret}
          variable="MAILROOM_WEBHOOK_SECRET"
          onStored={() => setSecret(undefined)}
        >
          <p>Your program checks with it that a call is from Mailroom. It is not shown again.</p>
        </Secret>
      ) : null}
    </>
  );
}

function Sentence({
  endpoint: { active, disabledReason, failingSince },
  onRecover,
}: {
  endpoint: Endpoint;
  onRecover: () => void;
}) {
  const recover = (
    <May right="WEBHOOKS">
      , then:{' '}
      <button type="button" className={kit.linkish} onClick={onRecover}>
        Recover what it missed
      </button>
    </May>
  );
  if (!active && disabledReason !== null)
    return (
      <Diagnosis
        tone="bad"
        verdict="Mailroom disabled this endpoint."
        evidence={dot(disabledReason)}
        effect={<>No events are posted to it. Fix it, re-enable it{recover}</>}
      />
    );
  if (!active)
    return (
      <p className={kit.say}>
        <strong>It is off.</strong> Events are not posted to it. A test is.
      </p>
    );
  if (failingSince !== null)
    return (
      <Diagnosis
        tone="warn"
        verdict={
          <>
            No successful delivery since <Time at={failingSince} />.
          </>
        }
        effect="The endpoint is retried every few minutes with its oldest call; the others wait. Calls are retried for about three days; after five days of failures the endpoint is disabled."
      />
    );
  return (
    <p className={kit.say}>
      <strong>It accepts calls.</strong> Each event is posted as it happens.
    </p>
  );
}

function Calls({
  calls,
  selected,
  onOpen,
  endpointId,
}: {
  calls: readonly CallRow[];
  selected: string | undefined;
  onOpen: (row: CallRow) => void;
  endpointId: string;
}) {
  return (
    <Table
      label="Calls"
      full
      rows={calls}
      id={(row) => row.id}
      selected={selected}
      onOpen={onOpen}
      href={(row) => `/webhooks/${endpointId}?open=${row.id}`}
      columns={[
        { head: 'State', narrow: 2, cell: (row) => <Status word={callWord(row)} /> },
        {
          head: 'Event',
          grow: true,
          narrow: 1,
          cell: (row) => (
            <Link
              to="/webhooks/$id"
              params={{ id: endpointId }}
              search={{ open: row.id }}
              className={`${kit.row} ${kit.mono}`}
              data-row
              onClick={(event) => {
                if (event.ctrlKey || event.metaKey) return;
                event.preventDefault();
                onOpen(row);
              }}
            >
              {row.kind}
            </Link>
          ),
        },
        {
          head: 'Tries',
          right: true,
          cell: (row) => (row.attempt === 0 ? <span className={kit.quiet}>none</span> : row.attempt),
        },
        {
          head: 'Response',
          right: true,
          narrow: 4,
          cell: (row) =>
            row.lastStatus ?? <span className={kit.quiet}>{row.attempt > 0 ? 'no answer' : 'none'}</span>,
        },
        {
          head: 'Next',
          right: true,
          cell: (row) =>
            row.status === 'PENDING' ? <Time at={row.dueAt} /> : <span className={kit.quiet}>none</span>,
        },
        {
          head: 'Queued',
          right: true,
          sorted: true,
          narrow: 3,
          cell: (row) => (
            <span className={kit.quiet}>
              <Time at={row.createdAt} />
            </span>
          ),
        },
      ]}
    />
  );
}
