import { Link } from '@tanstack/react-router';
import type { UseQueryOptions } from '@tanstack/react-query';
import { lazy, Suspense, useState } from 'react';
import type { AuditLogQuery } from '../gen/graphql';
import { Time } from '../kit/basics';
import kit from '../kit/kit.module.css';
import { Table, type Column } from '../kit/table';
import { shortId } from '../words/formats';
import { actorName, sentenceText } from './acts';
import { Said } from './said';

const EntryDialog = lazy(() => import('./entry'));

export type Entry = NonNullable<AuditLogQuery['viewer']>['auditLog']['nodes'][number];

/** An entry; for operators with the account that it concerns, or null if that is the platform. */
export type Row = Entry & { readonly accountId?: string | null; readonly accountEmail?: string | null };

/** The query of the entries on the object of an entry, before it. */
export type History = (entry: Row) => UseQueryOptions<readonly Row[]>;

/** Entries of the audit log, each of which opens in a dialog. */
export function AuditTable({
  rows,
  history,
  account = false,
}: {
  rows: readonly Row[] | undefined;
  history: History;
  /** Whether they name their accounts. */
  account?: boolean;
}) {
  const [open, setOpen] = useState<Row>();
  const of: Column<Row> = { head: 'Account', upTo: true, cell: (row) => <Account row={row} /> };
  return (
    <>
      <Table
        label="Audit log, newest first"
        rows={rows}
        id={(row) => row.id}
        onOpen={setOpen}
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
            narrow: 3,
            cell: (row) => <bdi title={row.actorId ?? undefined}>{actorName(row)}</bdi>,
          },
          {
            head: 'What',
            grow: true,
            narrow: 1,
            cell: (row) => (
              <button
                type="button"
                className={kit.rowButton}
                data-row
                title={sentenceText(row)}
                onClick={() => setOpen(row)}
              >
                <Said entry={row} />
              </button>
            ),
          },
          ...(account ? [of] : []),
          { head: 'Reason', upTo: true, cell: (row) => <bdi className={kit.quiet}>{row.reason}</bdi> },
        ]}
      />
      {open ? (
        <Suspense fallback={null}>
          <EntryDialog entry={open} history={history} onClose={() => setOpen(undefined)} />
        </Suspense>
      ) : null}
    </>
  );
}

/** The account that an entry concerns. */
export function Account({ row: { accountId, accountEmail } }: { row: Row }) {
  if (!accountId) return <span className={kit.quiet}>the platform</span>;
  return (
    <Link to="/operator/accounts/$id" params={{ id: accountId }}>
      <bdi>{accountEmail || shortId(accountId)}</bdi>
    </Link>
  );
}
