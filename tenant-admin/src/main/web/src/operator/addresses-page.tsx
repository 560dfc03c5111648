import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Plus, RotateCw } from 'lucide-react';
import { lazy, Suspense, useState, type ReactNode } from 'react';
import { Box, Button, Note, Status, Time } from '../kit/basics';
import kit from '../kit/kit.module.css';
import { Empty, Failed, Live, Loading, Page } from '../kit/page';
import { explained } from '../kit/problems';
import { Table, type Column } from '../kit/table';
import { counted, number, size } from '../words/formats';
import { addressWord, listWord, sourceWord } from '../words/status';
import css from './operator.module.css';
import { actsColumn } from './row-menu';
import {
  addressesQuery,
  checkAddress,
  type AddressFinding,
  type BlockListRow,
  type SourceRow,
  type CertificateOrderRow,
  type UnreadReportRow,
} from './queries';

const dialogs = () => import('./source-dialogs');
const EditSource = lazy(() => dialogs().then((module) => ({ default: module.EditSource })));
const WarmUp = lazy(() => dialogs().then((module) => ({ default: module.WarmUp })));
const RemoveSource = lazy(() => dialogs().then((module) => ({ default: module.RemoveSource })));

type Open = { readonly dialog: 'edit' | 'remove' | 'warm-up'; readonly source: SourceRow | null };

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
  const [open, setOpen] = useState<Open>();
  const close = () => setOpen(undefined);
  const checks = query.data?.addressChecks;
  const subjects = [...new Set(checks?.map((check) => check.subject))];
  return (
    <Page
      title="Sending addresses"
      after={<Live since={query.isRefetchError ? new Date(query.dataUpdatedAt) : null} />}
      acts={
        <Button icon={Plus} onClick={() => setOpen({ dialog: 'edit', source: null })}>
          Add an address
        </Button>
      }
    >
      {checks && query.data ? (
        <div className={kit.grid}>
          {query.data.sendingAddresses.length > 0 ? (
            <Box title="Addresses">
              <Table
                label="Addresses"
                rows={query.data.sendingAddresses}
                id={(row) => row.name}
                columns={columns(setOpen)}
              />
            </Box>
          ) : null}
          {query.data.sendingAddresses.map((row) =>
            row.warmup ? <WarmUpDays key={row.name} name={row.name} days={row.warmup} /> : null,
          )}
          {checks.length === 0 ? (
            <Box label="Checks">
              <Empty title="No address is checked">
                <p>
                  Add an address, or set MAILROOM_HELO_NAME or MAILROOM_SENDING_ADDRESSES, for mail that is
                  sent directly to recipients&rsquo; servers. Reverse DNS, SPF and block lists are then
                  checked each hour.
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
              lists={query.data.blockLists}
            />
          ))}
          {query.data.blockLists.length > 0 ? <Lists rows={query.data.blockLists} /> : null}
          {query.data.unreadReports.length > 0 ? <Unread rows={query.data.unreadReports} /> : null}
          {query.data.certificateOrders.length > 0 ? <Orders rows={query.data.certificateOrders} /> : null}
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
        {open?.dialog === 'edit' ? <EditSource source={open.source} onClose={close} /> : null}
        {open?.dialog === 'warm-up' && open.source ? <WarmUp source={open.source} onClose={close} /> : null}
        {open?.dialog === 'remove' && open.source ? (
          <RemoveSource source={open.source} onClose={close} />
        ) : null}
      </Suspense>
    </Page>
  );
}

function columns(open: (dialog: Open) => void): Column<SourceRow>[] {
  return [
    { head: 'Name', upTo: true, narrow: 1, cell: (row) => <span className={kit.label}>{row.name}</span> },
    { head: 'State', narrow: 2, cell: (row) => <Status word={sourceWord(row)} /> },
    {
      head: 'Address',
      grow: true,
      narrow: 3,
      cell: (row) => <bdi className={kit.mono}>{[row.v4, row.v6].filter(Boolean).join(', ')}</bdi>,
    },
    { head: 'EHLO', cell: (row) => <bdi>{row.helo}</bdi> },
    { head: 'Workers', right: true, cell: (row) => row.workers },
    { head: 'Pools', cell: (row) => row.pools.join(', ') || <span className={kit.quiet}>–</span> },
    actsColumn(
      (row) => row.name,
      (row) => [
        { text: 'Edit', act: () => open({ dialog: 'edit', source: row }) },
        {
          text: row.warmup ? 'Stop warm-up' : 'Warm up',
          act: () => open({ dialog: 'warm-up', source: row }),
        },
        { text: 'Remove', tone: 'bad', act: () => open({ dialog: 'remove', source: row }) },
      ],
    ),
  ];
}

type Day = NonNullable<SourceRow['warmup']>[number];

/** The last sending day of a warm-up for each provider. */
function WarmUpDays({ name, days }: { name: string; days: readonly Day[] }) {
  return (
    <Box title={`Warm-up of ${name}`}>
      <Table
        label={`Warm-up of ${name}`}
        rows={days}
        id={(row) => row.provider}
        columns={[
          { head: 'Provider', narrow: 1, cell: (row) => <span className={kit.label}>{row.provider}</span> },
          { head: 'Day', narrow: 2, cell: dayOf },
          {
            head: 'Used',
            narrow: 3,
            cell: (row) =>
              row.day === null || row.step > row.steps ? null : (
                <meter
                  min={0}
                  max={row.allowance}
                  value={Math.min(row.used, row.allowance)}
                  aria-label={`${row.used} of ${row.allowance}`}
                />
              ),
          },
          { head: 'Mails', right: true, narrow: 4, cell: mailsOf },
          { head: 'Beyond', right: true, cell: (row) => number(row.over) },
          { head: 'Held back by', grow: true, cell: (row) => row.held ?? '' },
        ]}
      />
    </Box>
  );
}

function dayOf({ day, step, steps }: Day): ReactNode {
  if (day === null) return <span className={kit.quiet}>no mail yet</span>;
  return step > steps ? `${day}, warm` : `${day}, ${step} of ${steps}`;
}

function mailsOf({ day, used, allowance, step, steps }: Day): string {
  if (day === null) return `0 of ${number(allowance)}`;
  return step > steps ? number(used) : `${number(used)} of ${number(allowance)}`;
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

function Orders({ rows }: { rows: readonly CertificateOrderRow[] }) {
  return (
    <Box title="Orders of certificates of tracking domains">
      <Table
        label="Orders of certificates of tracking domains"
        rows={rows}
        id={(row) => `${row.beganAt} ${row.name}`}
        columns={[
          { head: 'Began', narrow: 2, cell: (row) => <Time at={row.beganAt} /> },
          { head: 'Name', narrow: 1, cell: (row) => row.name },
          { head: 'Result', narrow: 4, cell: (row) => row.result },
          { head: 'Why', grow: true, narrow: 3, cell: (row) => row.error ?? '' },
          {
            head: 'Account',
            cell: (row) => (
              <Link to="/operator/accounts/$id" params={{ id: row.accountId }}>
                Show
              </Link>
            ),
          },
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
