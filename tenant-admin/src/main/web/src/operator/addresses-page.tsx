import { useQuery, useQueryClient } from '@tanstack/react-query';
import { RotateCw } from 'lucide-react';
import { useState, type ReactNode } from 'react';
import { Box, Button, Note, Status, Time } from '../kit/basics';
import kit from '../kit/kit.module.css';
import { Empty, Failed, Live, Loading, Page } from '../kit/page';
import { explained } from '../kit/problems';
import { Table } from '../kit/table';
import { counted, size } from '../words/formats';
import { addressWord, listWord } from '../words/status';
import css from './operator.module.css';
import {
  addressesQuery,
  checkAddress,
  type AddressFinding,
  type BlockListRow,
  type UnreadReportRow,
} from './queries';

const names: Record<AddressFinding['kind'], string> = {
  PTR: 'Reverse DNS',
  FORWARD: 'Name leads back',
  HELO: 'Name in EHLO',
  GENERIC: 'Own name',
  SPF: 'SPF of tenants',
  HELO_SPF: 'SPF of EHLO',
  LIST: 'Block list',
  DOMAIN: 'Domain list',
};

export function AddressesPage() {
  const query = useQuery(addressesQuery);
  const checks = query.data?.addressChecks;
  const subjects = [...new Set(checks?.map((check) => check.subject))];
  return (
    <Page
      title="Sending addresses"
      after={<Live since={query.isRefetchError ? new Date(query.dataUpdatedAt) : null} />}
    >
      {checks ? (
        <div className={kit.grid}>
          {checks.length === 0 ? (
            <Box label="Checks">
              <Empty title="No address is checked">
                <p>
                  Set MAILROOM_HELO_NAME, or MAILROOM_SENDING_ADDRESSES, for mail that is sent directly to
                  recipients&rsquo; servers. Reverse DNS, SPF and block lists are then checked each hour.
                </p>
              </Empty>
            </Box>
          ) : (
            <p className={kit.say} role="status">
              {sentence(checks)}
            </p>
          )}
          {subjects.map((subject) => (
            <Subject
              key={subject}
              subject={subject}
              checks={checks.filter((check) => check.subject === subject)}
              lists={query.data?.blockLists ?? []}
            />
          ))}
          {query.data && query.data.blockLists.length > 0 ? <Lists rows={query.data.blockLists} /> : null}
          {query.data && query.data.unreadReports.length > 0 ? (
            <Unread rows={query.data.unreadReports} />
          ) : null}
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

function Subject({
  subject,
  checks,
  lists,
}: {
  subject: string;
  checks: readonly AddressFinding[];
  lists: readonly BlockListRow[];
}) {
  const client = useQueryClient();
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<string>();
  const isDomain = checks.every((check) => check.kind === 'DOMAIN');
  const run = async () => {
    setBusy(true);
    setError(undefined);
    try {
      await checkAddress(client, subject);
    } catch (fault) {
      setError(explained(fault, []).rest.join(' '));
    } finally {
      setBusy(false);
    }
  };
  return (
    <Box
      title={subject}
      side={
        <>
          <span className={kit.quiet}>
            Checked <Time at={checks[0]!.checkedAt} />
          </span>{' '}
          {isDomain ? null : (
            <Button
              small
              icon={RotateCw}
              busy={busy}
              aria-label={`Check ${subject} now`}
              onClick={() => void run()}
            >
              Check now
            </Button>
          )}
        </>
      }
    >
      {error ? (
        <Note tone="bad" alert>
          {error}
        </Note>
      ) : null}
      {checks.map((check) => (
        <article key={`${check.kind} ${check.list}`} className={css.check}>
          <Status word={addressWord(check.result)} />
          <h3>{check.list ? `${names[check.kind]} ${check.list}` : names[check.kind]}</h3>
          <p>
            {check.detail}{' '}
            {check.result === 'OK' ? null : (
              <span className={kit.quiet}>
                Since <Time at={check.since} />.
              </span>
            )}
          </p>
          {check.fix ? (
            <p className={css.fix}>
              {check.fix} <Removal check={check} lists={lists} />
            </p>
          ) : null}
        </article>
      ))}
    </Box>
  );
}

/** The page of a list on which removal is asked for. */
function Removal({ check, lists }: { check: AddressFinding; lists: readonly BlockListRow[] }) {
  const list = lists.find(({ name }) => name === check.list);
  if (!list || check.result === 'UNKNOWN') return null;
  return (
    <a href={list.removalUrl} target="_blank" rel="noreferrer">
      Page of {list.name}
    </a>
  );
}

function Lists({ rows }: { rows: readonly BlockListRow[] }) {
  return (
    <Box title="Block lists">
      <Table
        label="Block lists"
        rows={rows}
        id={(row) => row.name}
        columns={[
          { head: 'List', grow: true, narrow: 1, cell: (row) => row.name },
          { head: 'Lists', cell: (row) => (row.kind === 'DOMAIN' ? 'domains' : 'addresses') },
          { head: 'Severity', cell: (row) => row.severity.toLowerCase() },
          { head: 'State', narrow: 2, cell: (row) => <Status word={listWord(row.state)} /> },
          { head: 'Tested', right: true, narrow: 4, cell: (row) => <Time at={row.testedAt} /> },
        ]}
      />
    </Box>
  );
}

/** Mails to the addresses for reports of domains that could not be read. */
function Unread({ rows }: { rows: readonly UnreadReportRow[] }) {
  return (
    <Box title="Reports of DMARC that could not be read">
      <Table
        label="Reports of DMARC that could not be read"
        rows={rows}
        id={(row) => `${row.receivedAt} ${row.domain} ${row.sender}`}
        columns={[
          { head: 'Received', narrow: 2, cell: (row) => <Time at={row.receivedAt} /> },
          { head: 'From', narrow: 1, cell: (row) => row.sender || 'unknown' },
          { head: 'About', narrow: 4, cell: (row) => row.domain || 'a deleted domain' },
          { head: 'Why', grow: true, narrow: 3, cell: (row) => row.detail },
          { head: 'Size', right: true, cell: (row) => size(row.bytes) },
        ]}
      />
    </Box>
  );
}

function sentence(checks: readonly AddressFinding[]): ReactNode {
  const failed = checks.filter((check) => check.result === 'FAILED').length;
  const warned = checks.filter((check) => check.result === 'WARNING').length;
  if (failed > 0) return <strong>{counted(failed, 'check')} failed.</strong>;
  if (warned > 0)
    return (
      <strong>
        {counted(warned, 'check')} {warned === 1 ? 'warns' : 'warn'}.
      </strong>
    );
  return <strong>No check failed.</strong>;
}
