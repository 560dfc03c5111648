import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Box } from '../kit/basics';
import kit from '../kit/kit.module.css';
import { Empty, Failed, Live, Loading, Page } from '../kit/page';
import { Table, type Column } from '../kit/table';
import { capital, counted, number } from '../words/formats';
import css from './operator.module.css';
import { forwardsQuery, type ForwardsRow } from './queries';

type Reason = 'refused' | 'loops' | 'unconfirmed' | 'limited' | 'viruses';

const reasons: readonly (readonly [Reason, string])[] = [
  ['refused', 'Refused'],
  ['loops', 'Loops'],
  ['unconfirmed', 'Not confirmed'],
  ['limited', 'Over the limit'],
  ['viruses', 'Viruses'],
];

export function ForwardsPage() {
  const query = useQuery(forwardsQuery);
  const rows = query.data;
  return (
    <Page
      title="Forwards"
      after={<Live since={query.isRefetchError ? new Date(query.dataUpdatedAt) : null} />}
    >
      {rows ? (
        <div className={`${kit.grid} ${css.dense}`}>
          <p className={kit.say} role="status">
            {sentence(rows)}
          </p>
          <Box title="By account, last 24 hours">
            {rows.length === 0 ? (
              <Empty title="None">
                <p>
                  No route forwards received mail. Accounts whose routes do are listed here, with the mails
                  that were not forwarded by reason.
                </p>
              </Empty>
            ) : (
              <Table label="Forwards by account" rows={rows} id={(row) => row.accountId} columns={columns} />
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
    </Page>
  );
}

const columns: readonly Column<ForwardsRow>[] = [
  {
    head: 'Account',
    grow: true,
    narrow: 1,
    cell: (row) => (
      <Link
        to="/operator/accounts/$id"
        params={{ id: row.accountId }}
        className={kit.row}
        data-row
        title={row.account}
      >
        <bdi>{row.account || row.accountId}</bdi>
      </Link>
    ),
  },
  {
    head: 'Forwarded',
    right: true,
    narrow: 2,
    cell: (row) => (
      <>
        {number(row.queued)}
        <span className={kit.narrowOnly}> forwarded</span>
      </>
    ),
  },
  {
    head: 'Not forwarded',
    right: true,
    narrow: 3,
    cell: (row) => (
      <span className={refused(row) > 0 ? kit.label : kit.quiet}>
        {number(refused(row))}
        <span className={kit.narrowOnly}> not forwarded</span>
      </span>
    ),
  },
  ...reasons.map(([reason, head]): Column<ForwardsRow> => ({
    head,
    right: true,
    cell: (row) => <span className={row[reason] > 0 ? undefined : kit.quiet}>{number(row[reason])}</span>,
  })),
  {
    head: 'Addresses',
    right: true,
    narrow: 4,
    cell: (row) => (
      <>
        {number(row.confirmedTargets)}
        <span className={kit.narrowOnly}> {row.confirmedTargets === 1 ? 'address' : 'addresses'}</span>{' '}
        confirmed
        {row.waitingTargets > 0 ? `, ${number(row.waitingTargets)} not` : ''}
      </>
    ),
  },
];

/** Mails of an account that were not queued for one of the addresses. */
function refused(row: ForwardsRow): number {
  return reasons.reduce((sum, [reason]) => sum + row[reason], 0);
}

function sentence(rows: readonly ForwardsRow[]): string {
  const queued = rows.reduce((sum, row) => sum + row.queued, 0);
  const not = rows.reduce((sum, row) => sum + refused(row), 0);
  return `${capital(counted(queued, 'mail'))} ${queued === 1 ? 'was' : 'were'} forwarded in the last 24 hours, ${not === 0 ? 'and none was refused' : `and ${number(not)} ${not === 1 ? 'was' : 'were'} not`}.`;
}
