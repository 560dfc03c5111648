import { useQuery } from '@tanstack/react-query';
import { Plus, Split } from 'lucide-react';
import { lazy, Suspense, useState, type ReactNode } from 'react';
import { Box, Button, Status } from '../kit/basics';
import kit from '../kit/kit.module.css';
import { Empty, Failed, Live, Loading, Page } from '../kit/page';
import { Table, type Column } from '../kit/table';
import { counted } from '../words/formats';
import { poolWord } from '../words/status';
import css from './operator.module.css';
import { actsColumn } from './row-menu';
import { poolsQuery, type PoolRow } from './queries';

const dialogs = () => import('./source-dialogs');
const EditPool = lazy(() => dialogs().then((module) => ({ default: module.EditPool })));
const ChoosePool = lazy(() => dialogs().then((module) => ({ default: module.ChoosePool })));
const RemovePool = lazy(() => dialogs().then((module) => ({ default: module.RemovePool })));

type Open = { readonly dialog: 'edit' | 'remove' | 'choose'; readonly pool: PoolRow | null };

export function PoolsPage() {
  const query = useQuery(poolsQuery);
  const [open, setOpen] = useState<Open>();
  const close = () => setOpen(undefined);
  const rows = query.data;
  return (
    <Page
      title="Pools"
      after={<Live since={query.isRefetchError ? new Date(query.dataUpdatedAt) : null} />}
      acts={
        <>
          {rows && rows.length > 0 ? (
            <Button icon={Split} onClick={() => setOpen({ dialog: 'choose', pool: null })}>
              Choose a pool
            </Button>
          ) : null}
          <Button icon={Plus} onClick={() => setOpen({ dialog: 'edit', pool: null })}>
            Add a pool
          </Button>
        </>
      }
    >
      {rows ? (
        <div className={`${kit.grid} ${css.dense}`}>
          <p className={kit.say} role="status">
            {sentence(rows)}
          </p>
          <Box label="Pools">
            {rows.length === 0 ? (
              <Empty title="No pool yet">
                <p>
                  A pool shares mail among sending addresses. Without one, the operating system of each worker
                  chooses the address.
                </p>
              </Empty>
            ) : (
              <Table label="Pools" rows={rows} id={(row) => row.name} columns={columns(setOpen)} />
            )}
          </Box>
        </div>
      ) : (
        <Box>
          {query.error ? (
            <Failed error={query.error} retry={() => void query.refetch()} />
          ) : (
            <Loading lines={6} />
          )}
        </Box>
      )}
      <Suspense fallback={null}>
        {open?.dialog === 'edit' ? <EditPool pool={open.pool} pools={rows ?? []} onClose={close} /> : null}
        {open?.dialog === 'choose' ? <ChoosePool pools={rows ?? []} onClose={close} /> : null}
        {open?.dialog === 'remove' && open.pool ? <RemovePool pool={open.pool} onClose={close} /> : null}
      </Suspense>
    </Page>
  );
}

function columns(open: (dialog: Open) => void): Column<PoolRow>[] {
  return [
    { head: 'Pool', upTo: true, narrow: 1, cell: (row) => <span className={kit.label}>{row.name}</span> },
    { head: 'State', narrow: 2, cell: (row) => <Status word={poolWord(row)} /> },
    {
      head: 'Addresses',
      upTo: true,
      cell: (row) =>
        row.members.map(({ source, weight }) => (weight === 1 ? source : `${source} ×${weight}`)).join(', '),
    },
    { head: 'Without one', cell: without },
    { head: 'Chosen for', grow: true, narrow: 3, cell: chosen },
    actsColumn(
      (row) => row.name,
      (row) => [
        { text: 'Edit', act: () => open({ dialog: 'edit', pool: row }) },
        { text: 'Remove', tone: 'bad', act: () => open({ dialog: 'remove', pool: row }) },
      ],
    ),
  ];
}

function without({ whenEmpty, fallbackPool }: PoolRow): string {
  switch (whenEmpty) {
    case 'WAIT':
      return 'mail waits';
    case 'FALLBACK':
      return `pool ${fallbackPool}`;
    case 'ANY':
      return 'any address';
  }
}

function chosen({ choices }: PoolRow): ReactNode {
  if (choices.length === 0) return <span className={kit.quiet}>–</span>;
  const streams = new Map<string, string[]>();
  for (const { kind, label, stream } of choices) {
    const what = kind === 'PLATFORM' ? label : `${kind.toLowerCase()} ${label}`;
    streams.set(what, [...(streams.get(what) ?? []), stream.toLowerCase()]);
  }
  return [...streams].map(([what, of]) => (of.length === 2 ? what : `${what} (${of[0]})`)).join(', ');
}

function sentence(rows: readonly PoolRow[]): ReactNode {
  const empty = rows.filter((row) => row.usable === 0 && row.choices.length > 0);
  if (empty.length > 0)
    return (
      <strong>
        {counted(empty.length, 'pool')} {empty.length === 1 ? 'has' : 'have'} no usable address.
      </strong>
    );
  return rows.length === 0 ? 'No pool is chosen for any mail.' : 'Each pool in use has a usable address.';
}
