import { Link } from '@tanstack/react-router';
import { Status, Time } from '../kit/basics';
import kit from '../kit/kit.module.css';
import { Pager, Table } from '../kit/table';
import { recipients } from '../words/formats';
import { emailWord } from '../words/status';
import type { FoundRow } from './search-queries';

/** The mails that a search found. */
export default function FoundList({
  rows,
  onOpen,
  newer,
  older,
}: {
  rows: readonly FoundRow[] | undefined;
  onOpen: (row: FoundRow) => void;
  newer: (() => void) | undefined;
  older: (() => void) | undefined;
}) {
  return (
    <>
      <Table
        label="Emails found, newest first"
        rows={rows}
        id={(row) => row.id}
        onOpen={onOpen}
        columns={[
          {
            head: 'Status',
            narrow: 4,
            cell: (row) => <Status word={emailWord(row.status, row.lastEvent)} />,
          },
          {
            head: 'To',
            upTo: true,
            narrow: 1,
            cell: (row) => (
              <Link
                to="/operator/emails"
                search={(old) => ({ ...old, open: row.id })}
                className={kit.row}
                data-row
                title={row.toEmails.join(', ')}
              >
                <bdi>{recipients(row.toEmails)}</bdi>
              </Link>
            ),
          },
          {
            head: 'Subject',
            grow: true,
            narrow: 3,
            cell: (row) => <bdi className={kit.second}>{row.subject}</bdi>,
          },
          {
            head: 'Account',
            upTo: true,
            cell: (row) => (
              <Link to="/operator/accounts/$id" params={{ id: row.accountId }}>
                <bdi>{row.accountEmail || row.accountId}</bdi>
              </Link>
            ),
          },
          {
            head: 'Sent',
            right: true,
            sorted: true,
            narrow: 2,
            cell: (row) => (
              <span className={kit.quiet}>
                <Time at={row.createdAt} />
              </span>
            ),
          },
        ]}
      />
      <Pager from={0} shown={rows?.length ?? 0} total={null} newer={newer} older={older} />
    </>
  );
}
