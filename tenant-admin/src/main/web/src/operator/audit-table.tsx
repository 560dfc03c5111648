import { Link } from '@tanstack/react-router';
import { Time } from '../kit/basics';
import kit from '../kit/kit.module.css';
import { Table, type Column } from '../kit/table';
import { shortId } from '../words/formats';
import { actName, actorName, listed, valuesOf } from '../audit/acts';
import { Said } from '../audit/said';
import css from './operator.module.css';
import type { AuditRow } from './queries';

type Row = Omit<AuditRow, 'accountId' | 'accountEmail'>
  & Partial<Pick<AuditRow, 'accountId' | 'accountEmail'>>;

/** Entries of the audit log; those of one account do not name it. */
export function AuditTable({ rows, whole = false }: { rows: readonly Row[] | undefined; whole?: boolean }) {
  const whom: Column<Row> = { head: 'Target', upTo: true, cell: (row) => <Whom row={row} /> };
  return (
    <Table
      label="Audit log, newest first"
      rows={rows}
      id={(row) => row.id}
      columns={[
        {
          head: 'When',
          sorted: true,
          narrow: 2,
          cell: (row) => (
            <span className={kit.quiet}>
              <Time at={row.createdAt} />
            </span>
          ),
        },
        {
          head: 'Who',
          upTo: true,
          cell: (row) => (
            <bdi className={kit.second} title={row.actorId}>
              {who(row)}
            </bdi>
          ),
        },
        {
          head: 'What',
          narrow: 1,
          cell: (row) => (
            <span title={actName(row.act)}>
              <Said entry={row} />
            </span>
          ),
        },
        ...(whole ? [whom] : []),
        { head: 'Reason or values', grow: true, narrow: 3, cell: (row) => <Why row={row} /> },
      ]}
    />
  );
}

function Whom({ row }: { row: Row }) {
  if (!row.accountId) return <span className={kit.quiet}>the platform</span>;
  return (
    <Link to="/operator/accounts/$id" params={{ id: row.accountId }}>
      <bdi>{row.accountEmail || shortId(row.accountId)}</bdi>
    </Link>
  );
}

function who(row: Row): string {
  return actorName({ ...row, actor: row.actorEmail });
}

function Why({ row }: { row: Row }) {
  const values = [
    ...Object.entries(valuesOf(row.details)).map(
      ([name, value]) => `${name.replaceAll('_', ' ')} ${listed(value)}`,
    ),
    row.target,
  ]
    .filter(Boolean)
    .join(', ');
  return (
    <span title={[row.reason, values].filter(Boolean).join('; ')}>
      <span className={css.narrow}>
        <bdi>{who(row)}</bdi>:{' '}
      </span>
      {row.reason ? <bdi>{row.reason}</bdi> : null}
      {row.reason && values ? ' ' : null}
      <span className={kit.quiet}>{values}</span>
    </span>
  );
}
