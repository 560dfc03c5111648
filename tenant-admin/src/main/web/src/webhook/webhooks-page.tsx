import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { Plus } from 'lucide-react';
import { lazy, Suspense, useState } from 'react';
import { apiUrl } from '../app/config';
import { useEvents, useLiveSince } from '../app/live';
import { Box, Button, Code, Status } from '../kit/basics';
import kit from '../kit/kit.module.css';
import { Secret } from '../kit/layers';
import { Empty, Failed, Live, Page } from '../kit/page';
import { Pager, Table } from '../kit/table';
import { counted, number } from '../words/formats';
import { endpointWord } from '../words/status';
import { summary } from './event-kinds';
import { eventTypesQuery, webhooksQuery, type EndpointRow } from './queries';
import { Success } from './success';

const AddEndpoint = lazy(() => import('./dialogs').then((module) => ({ default: module.AddEndpoint })));

/** Interval in which the list is read again, because calls are no events. */
const INTERVAL_MS = 10_000;

export function WebhooksPage() {
  const { after } = useSearch({ from: '/shell/webhooks' });
  const navigate = useNavigate({ from: '/webhooks' });
  const client = useQueryClient();
  const list = useQuery({ ...webhooksQuery(after), refetchInterval: INTERVAL_MS });
  const types = useQuery(eventTypesQuery);
  const [adding, setAdding] = useState(false);
  const [created, setCreated] = useState<{ id: string; secret: string }>();
  useEvents(
    () => undefined,
    () => void client.invalidateQueries({ queryKey: ['webhook', 'list'] }),
  );
  const since = useLiveSince();
  const rows = list.data?.nodes;
  const add = () => setAdding(true);
  return (
    <Page
      title="Webhooks"
      after={<Live since={since} />}
      needs="WEBHOOKS"
      acts={
        <Button kind="main" icon={Plus} needs="WEBHOOKS" onClick={add}>
          Add endpoint
        </Button>
      }
    >
      {list.error && !rows ? (
        <Box>
          <Failed error={list.error} retry={() => void list.refetch()} />
        </Box>
      ) : rows?.length === 0 && !after ? (
        <Box>
          <Empty title="Get events in your app">
            <p>
              An endpoint is a URL of yours. Mailroom posts events to it as they happen: an email arrived, a
              recipient complained, a contact unsubscribed.
            </p>
            <p>By program:</p>
            <Code
              label="the command"
              text={`curl ${apiUrl()}/api/webhooks/endpoints -H "Authorization: Bearer $TOKEN" \\\n  -H 'Content-Type: application/json' \\\n  -d '{"url": "https://…", "events": ["email.delivered", "email.bounced"]}'`}
            />
          </Empty>
        </Box>
      ) : (
        <div className={kit.grid}>
          {rows ? <Sentence rows={rows} /> : <p className={kit.say}>{'\u00a0'}</p>}
          <Box label="Endpoints">
            <Table
              label="Endpoints"
              rows={rows}
              id={(row) => row.id}
              href={(row) => `/webhooks/${row.id}`}
              onOpen={(row) => void navigate({ to: '/webhooks/$id', params: { id: row.id } })}
              columns={[
                {
                  head: 'URL',
                  grow: true,
                  narrow: 1,
                  cell: (row) => (
                    <Link
                      to="/webhooks/$id"
                      params={{ id: row.id }}
                      className={kit.row}
                      data-row
                      title={row.description || row.url}
                    >
                      {row.url}
                    </Link>
                  ),
                },
                {
                  head: 'Events',
                  upTo: true,
                  narrow: 3,
                  cell: (row) => (
                    <span className={kit.second} title={row.events.join(', ')}>
                      {summary(row.events, types.data)}
                    </span>
                  ),
                },
                { head: 'Success 24 h', right: true, narrow: 4, cell: (row) => <Success row={row} /> },
                { head: 'State', narrow: 2, cell: (row) => <Status word={endpointWord(row)} /> },
              ]}
            />
            <Pager
              from={after ? 0 : 1}
              shown={rows?.length ?? 0}
              newer={after ? () => window.history.back() : undefined}
              older={
                list.data?.pageInfo.hasNextPage
                  ? () => void navigate({ search: { after: list.data.pageInfo.endCursor ?? undefined } })
                  : undefined
              }
            />
          </Box>
        </div>
      )}
      <Suspense fallback={null}>
        {adding ? (
          <AddEndpoint
            onClose={() => setAdding(false)}
            onCreated={(result) => {
              setAdding(false);
              setCreated(result);
            }}
          />
        ) : null}
      </Suspense>
      {created ? (
        <Secret
          title="Store the secret now"
          text={created.secret}
          variable="MAILROOM_WEBHOOK_SECRET"
          onStored={() => {
            setCreated(undefined);
            void navigate({ to: '/webhooks/$id', params: { id: created.id } });
          }}
        >
          <p>
            Your program checks with it that a call is from Mailroom. It is not shown again; it can be
            rotated.
          </p>
        </Secret>
      ) : null}
    </Page>
  );
}

function Sentence({ rows }: { rows: readonly EndpointRow[] }) {
  const off = rows.filter((row) => !row.active && row.disabledReason !== null).length;
  const failing = rows.filter((row) => row.active && row.failingSince !== null).length;
  const working = rows.filter((row) => row.active && row.failingSince === null).length;
  if (off > 0)
    return (
      <p className={kit.say}>
        <strong>
          {counted(off, 'endpoint')} {off === 1 ? 'was' : 'were'} switched off.
        </strong>{' '}
        {off === 1 ? 'It' : 'They'} failed for too long. Fix {off === 1 ? 'it' : 'them'}, switch{' '}
        {off === 1 ? 'it' : 'them'} on, and recover what was missed.
      </p>
    );
  if (failing > 0)
    return (
      <p className={kit.say}>
        <strong>
          {counted(failing, 'endpoint')} {failing === 1 ? 'fails' : 'fail'}.
        </strong>{' '}
        Calls are made again for about three days.
      </p>
    );
  return (
    <p className={kit.say}>
      <strong>
        {working === rows.length
          ? 'Your program gets every event.'
          : `${counted(working, 'endpoint')} of ${number(rows.length)} ${working === 1 ? 'is' : 'are'} on.`}
      </strong>
    </p>
  );
}
