import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Plus } from 'lucide-react';
import { lazy, Suspense, useState } from 'react';
import { Box, Button } from '../kit/basics';
import kit from '../kit/kit.module.css';
import { Empty, Failed, Page } from '../kit/page';
import { Table } from '../kit/table';
import { counted, number } from '../words/formats';
import css from './operator.module.css';
import { plansQuery, type Plan } from './queries';

const EditPlan = lazy(() => import('./dialogs').then((module) => ({ default: module.EditPlan })));

export function PlansPage() {
  const list = useQuery(plansQuery);
  const [editing, setEditing] = useState<Plan | 'new'>();
  const rows = list.data;
  const common = rows?.toSorted((a, b) => b.accounts - a.accounts)[0];
  return (
    <Page
      title="Plans"
      acts={
        <Button kind="main" icon={Plus} onClick={() => setEditing('new')}>
          New plan
        </Button>
      }
    >
      <div className={`${kit.grid} ${css.dense}`}>
        {list.error && !rows ? null : (
          <p className={kit.say}>
            {common ? (
              <>
                <strong>{counted(rows!.length, 'plan')}.</strong> Most accounts have {common.name}:{' '}
                {counted(common.accounts, 'account')},{' '}
                {common.dailyLimit === null
                  ? 'without a limit of emails'
                  : `${number(common.dailyLimit)} emails a day`}
                .
              </>
            ) : (
              '\u00a0'
            )}
          </p>
        )}
        <Box label="Plans">
          {list.error && !rows ? (
            <Failed error={list.error} retry={() => void list.refetch()} />
          ) : rows?.length === 0 ? (
            <Empty title="No plan yet">
              <p>A plan sets what its accounts may send and store.</p>
            </Empty>
          ) : (
            <Table
              label="Plans"
              rows={rows}
              id={(row) => row.name}
              columns={[
                {
                  head: 'Name',
                  grow: true,
                  narrow: 1,
                  cell: (row) => <span className={kit.label}>{row.name}</span>,
                },
                { head: 'Day', right: true, narrow: 3, cell: (row) => <Limit value={row.dailyLimit} /> },
                { head: 'Month', right: true, cell: (row) => <Limit value={row.monthlyLimit} /> },
                { head: 'Domains', right: true, cell: (row) => <Limit value={row.domainLimit} /> },
                { head: 'Books', right: true, cell: (row) => <Limit value={row.contactBookLimit} /> },
                { head: 'Contacts', right: true, cell: (row) => <Limit value={row.contactLimit} /> },
                {
                  head: 'Accounts',
                  right: true,
                  narrow: 4,
                  cell: (row) =>
                    row.accounts === 0 ? (
                      <span className={kit.quiet}>–</span>
                    ) : (
                      <Link to="/operator/accounts" search={{ plan: row.name }}>
                        {number(row.accounts)}
                      </Link>
                    ),
                },
                {
                  head: 'Act',
                  right: true,
                  narrow: 2,
                  cell: (row) => (
                    <Button small aria-label={`Change ${row.name}`} onClick={() => setEditing(row)}>
                      Change
                    </Button>
                  ),
                },
              ]}
            />
          )}
        </Box>
      </div>
      <Suspense fallback={null}>
        {editing ? (
          <EditPlan
            plan={editing === 'new' ? undefined : editing}
            names={rows?.map(({ name }) => name) ?? []}
            onClose={() => setEditing(undefined)}
          />
        ) : null}
      </Suspense>
    </Page>
  );
}

function Limit({ value }: { value: number | null }) {
  return value === null ? <span className={kit.quiet}>Unlimited</span> : number(value);
}
