import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { lazy, Suspense, useState, type ReactNode } from 'react';
import { Box, Button, Id, Segments, Time } from '../kit/basics';
import { FilterInput } from '../kit/filter';
import { FilterBar } from '../kit/filter-bar';
import kit from '../kit/kit.module.css';
import { Empty, Failed, Page } from '../kit/page';
import { explained } from '../kit/problems';
import { Pager, Table } from '../kit/table';
import { counted, shortId } from '../words/formats';
import css from './operator.module.css';
import { deadLettersQuery, requeue, type DeadLetter } from './queries';

const DismissDeadLetter = lazy(() =>
  import('./dialogs').then((module) => ({ default: module.DismissDeadLetter })),
);

const RequeueDeadLetters = lazy(() =>
  import('./dialogs').then((module) => ({ default: module.RequeueDeadLetters })),
);

const parts = [
  { value: 'all', text: 'All' },
  { value: 'waiting', text: 'Waiting' },
  { value: 'returned', text: 'Requeued' },
] as const;

export function DeadLettersPage() {
  const { q, show, after } = useSearch({ from: '/shell/operator/dead-letters' });
  const navigate = useNavigate({ from: '/operator/dead-letters' });
  const list = useQuery(
    deadLettersQuery({
      after: after ?? null,
      requeued: show ? show === 'returned' : null,
      why: q ?? null,
    }),
  );
  const [requeueing, setRequeueing] = useState(false);
  const [dismissing, setDismissing] = useState<DeadLetter>();
  const letters = list.data?.deadLetterList;
  const rows = letters?.nodes;
  return (
    <Page title="Dead letters">
      <div className={`${kit.grid} ${css.dense}`}>
        {list.error && !rows ? null : (
          <p className={kit.say}>{list.data ? sentence(list.data.platform.deadLetters) : '\u00a0'}</p>
        )}
        <FilterBar>
          <FilterInput
            label="Part of the reason"
            value={q}
            onChange={(value) => void navigate({ search: { show, q: value }, replace: true })}
          />
          <Segments
            label="Dead letters shown"
            value={show ?? 'all'}
            options={parts}
            onChange={(value) =>
              void navigate({ search: { show: value === 'all' ? undefined : value, q }, replace: true })
            }
          />
          {q && rows?.some((row) => row.deliveryId && !row.requeuedAt) ? (
            <Button onClick={() => setRequeueing(true)}>Requeue all</Button>
          ) : null}
        </FilterBar>
        <Box label="Dead letters">
          {list.error && !rows ? (
            <Failed error={list.error} retry={() => void list.refetch()} />
          ) : rows?.length === 0 ? (
            q || show || after ? (
              <Empty title={q ? 'No such reason' : show === 'returned' ? 'None was requeued' : 'None waits'}>
                <Button onClick={() => void navigate({ search: {} })}>Show all</Button>
              </Empty>
            ) : (
              <Empty title="None">
                <p>
                  Mail that cannot be composed, and records of the topic that cannot be read, are kept here
                  instead of blocking the queue.
                </p>
              </Empty>
            )
          ) : (
            <Table
              label="Dead letters, newest first"
              rows={rows}
              id={(row) => row.id}
              columns={[
                {
                  head: 'What',
                  narrow: 1,
                  cell: (row) =>
                    row.emailId ? (
                      <Id id={row.emailId} short />
                    ) : (
                      <span title={row.id}>{row.what === 'RECORD' ? 'A record' : 'An email'}</span>
                    ),
                },
                {
                  head: 'Why',
                  grow: true,
                  narrow: 3,
                  cell: (row) => (
                    <span className={kit.second} title={row.why}>
                      {row.why}
                    </span>
                  ),
                },
                {
                  head: 'Account',
                  upTo: true,
                  cell: (row) =>
                    row.accountId ? (
                      <Link to="/operator/accounts/$id" params={{ id: row.accountId }}>
                        <bdi>{row.accountEmail || shortId(row.accountId)}</bdi>
                      </Link>
                    ) : (
                      <span className={kit.quiet}>–</span>
                    ),
                },
                {
                  head: 'Died',
                  right: true,
                  sorted: true,
                  narrow: 4,
                  cell: (row) => (
                    <span className={kit.quiet}>
                      <Time at={row.diedAt} />
                    </span>
                  ),
                },
                {
                  head: 'Act',
                  right: true,
                  narrow: 2,
                  cell: (row) => <Acts row={row} onDismiss={() => setDismissing(row)} />,
                },
              ]}
            />
          )}
          <Pager
            from={after ? 0 : 1}
            shown={rows?.length ?? 0}
            total={null}
            newer={after ? () => window.history.back() : undefined}
            older={
              letters?.pageInfo.hasNextPage
                ? () =>
                    void navigate({
                      search: (old) => ({ ...old, after: letters.pageInfo.endCursor ?? undefined }),
                    })
                : undefined
            }
          />
        </Box>
      </div>
      <Suspense fallback={null}>
        {dismissing ? (
          <DismissDeadLetter letter={dismissing} onClose={() => setDismissing(undefined)} />
        ) : null}
        {requeueing && q ? <RequeueDeadLetters why={q} onClose={() => setRequeueing(false)} /> : null}
      </Suspense>
    </Page>
  );
}

function sentence(waiting: number): ReactNode {
  if (waiting === 0)
    return (
      <>
        <strong>No dead letters.</strong> Every email could be composed, or was requeued or dismissed.
      </>
    );
  return (
    <>
      <strong>
        {counted(waiting, 'dead letter')} {waiting === 1 ? 'waits' : 'wait'} for you.
      </strong>{' '}
      Fix the cause first: an email is requeued once only, and a second failure is final. Dismiss what is not
      to be sent.
    </>
  );
}

function Acts({ row, onDismiss }: { row: DeadLetter; onDismiss: () => void }) {
  const client = useQueryClient();
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<string>();
  const put = async () => {
    setBusy(true);
    try {
      await requeue(client, row.id);
    } catch (fault) {
      setError(explained(fault, []).rest.join(' '));
      setBusy(false);
    }
  };
  const name = row.emailId ?? row.id;
  return (
    <span className={css.acts}>
      {row.requeuedAt ? (
        <span className={kit.quiet}>
          requeued <Time at={row.requeuedAt} />
        </span>
      ) : error ? (
        <span className={kit.wrong} role="alert" title={error}>
          {error}
        </span>
      ) : row.deliveryId ? (
        <Button small busy={busy} aria-label={`Requeue ${name}`} onClick={() => void put()}>
          Requeue
        </Button>
      ) : null}
      <Button small aria-label={`Dismiss ${name}`} onClick={onDismiss}>
        Dismiss
      </Button>
    </span>
  );
}
