import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { lazy, Suspense, type ReactNode } from 'react';
import { cells } from '../app/config';
import { Box, Button, Segments, Status } from '../kit/basics';
import { FilterInput } from '../kit/filter';
import { FilterBar } from '../kit/filter-bar';
import kit from '../kit/kit.module.css';
import { Empty, Failed, Page } from '../kit/page';
import { Pager, Table } from '../kit/table';
import { count, counted, percent } from '../words/formats';
import { accountWord } from '../words/status';
import { AccountLink, RateCell } from './account-cells';
import css from './operator.module.css';
import { accountsQuery, type AccountRow } from './queries';

const AccountsElsewhere = lazy(() =>
  import('./cells').then((module) => ({ default: module.AccountsElsewhere })),
);

const parts = [
  { value: 'all', text: 'All' },
  { value: 'paused', text: 'Suspended' },
  { value: 'risk', text: 'At risk' },
] as const;

export function AccountsPage() {
  const { q, show, plan, after } = useSearch({ from: '/shell/operator/accounts' });
  const navigate = useNavigate({ from: '/operator/accounts' });
  const list = useQuery(
    accountsQuery({
      search: q ?? null,
      plan: plan ?? null,
      paused: show === 'paused' ? true : null,
      atRisk: show === 'risk' ? true : null,
      after: after ?? null,
    }),
  );
  const rows = list.data?.accounts.nodes;
  const filtered = Boolean(q ?? show ?? plan);
  const view = (change: {
    q?: string | undefined;
    show?: 'paused' | 'risk' | undefined;
    plan?: string | undefined;
  }) => void navigate({ search: (old) => ({ ...old, ...change, after: undefined }), replace: true });
  return (
    <Page title="Accounts">
      <div className={`${kit.grid} ${css.dense}`}>
        {list.error && !rows ? null : (
          <p className={kit.say}>{list.data ? sentence(list.data.platform) : '\u00a0'}</p>
        )}
        <FilterBar>
          <FilterInput label="Address, name, id or tag" value={q} onChange={(value) => view({ q: value })} />
          <Segments
            label="Accounts shown"
            value={show ?? 'all'}
            options={parts}
            onChange={(value) => view({ show: value === 'all' ? undefined : value })}
          />
          <select
            className={kit.input}
            aria-label="Plan"
            value={plan ?? ''}
            onChange={(event) => view({ plan: event.target.value || undefined })}
          >
            <option value="">Any plan</option>
            {list.data?.plans.map(({ name }) => (
              <option key={name} value={name}>
                {name}
              </option>
            ))}
          </select>
          {filtered ? (
            <Button kind="bare" onClick={() => view({ q: undefined, show: undefined, plan: undefined })}>
              Clear
            </Button>
          ) : null}
        </FilterBar>
        <Box label="Accounts">
          {list.error && !rows ? (
            <Failed error={list.error} retry={() => void list.refetch()} />
          ) : rows?.length === 0 ? (
            filtered ? (
              <Empty title={empty(show, q)}>
                <Button onClick={() => view({ q: undefined, show: undefined, plan: undefined })}>
                  Clear filters
                </Button>
              </Empty>
            ) : (
              <Empty title="No account yet">
                <p>Accounts appear here when people sign up.</p>
              </Empty>
            )
          ) : (
            <Rows
              rows={rows}
              onOpen={(row) => void navigate({ to: '/operator/accounts/$id', params: { id: row.id } })}
            />
          )}
          <Pager
            from={0}
            shown={rows?.length ?? 0}
            total={null}
            newer={after ? () => window.history.back() : undefined}
            older={
              list.data?.accounts.pageInfo.hasNextPage
                ? () =>
                    void navigate({
                      search: (old) => ({
                        ...old,
                        after: list.data.accounts.pageInfo.endCursor ?? undefined,
                      }),
                    })
                : undefined
            }
          />
        </Box>
        {q && cells().length > 0 ? (
          <Suspense fallback={null}>
            <AccountsElsewhere search={q} />
          </Suspense>
        ) : null}
      </div>
    </Page>
  );
}

function Rows({
  rows,
  onOpen,
}: {
  rows: readonly AccountRow[] | undefined;
  onOpen: (row: AccountRow) => void;
}) {
  return (
    <Table
      label="Accounts, newest first"
      rows={rows}
      id={(row) => row.id}
      onOpen={onOpen}
      href={(row) => `/operator/accounts/${row.id}`}
      columns={[
        { head: 'Name', grow: true, narrow: 1, cell: (row) => <AccountLink account={row} /> },
        { head: 'Plan', narrow: 3, cell: (row) => <span className={kit.second}>{row.plan}</span> },
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
  );
}

function sentence({ accounts, pausedAccounts }: { accounts: number; pausedAccounts: number }): ReactNode {
  return pausedAccounts === 0 ? (
    <>
      <strong>No account is suspended.</strong> {counted(accounts, 'tenant')} in all; rates are those of the
      last 7 days.
    </>
  ) : (
    <>
      <strong>
        {counted(pausedAccounts, 'account')} {pausedAccounts === 1 ? 'is' : 'are'} suspended.
      </strong>{' '}
      {counted(accounts, 'tenant')} in all; rates are those of the last 7 days.
    </>
  );
}

function empty(show: string | undefined, q: string | undefined): string {
  if (q) return 'No account matches';
  return show === 'paused'
    ? 'No account is suspended'
    : show === 'risk'
      ? 'No account is at risk'
      : 'No account has this plan';
}
