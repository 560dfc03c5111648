import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { Signpost } from 'lucide-react';
import { useEvents, useLiveSince } from '../app/live';
import { Button, Code, ICON, Status, Time } from '../kit/basics';
import kit from '../kit/kit.module.css';
import { MenuButton } from '../kit/layers';
import { Empty, Failed, Live, Loading, PageHeader } from '../kit/page';
import { SearchField } from '../kit/filter';
import { Split } from '../kit/split';
import { Pager, Table } from '../kit/table';
import { counted, number } from '../words/formats';
import { isSending } from '../words/status';
import { Drawer, type Tab } from './drawer';
import { inboundQuery, recordsQuery, type InboundRow, type InboundView } from './queries';
import { verdicts, worst } from './verdicts';

export interface InboundSearch {
  q?: string | undefined;
  domain?: string | undefined;
  after?: string | undefined;
  open?: string | undefined;
  tab?: string | undefined;
}

export function InboundPage() {
  const search = useSearch({ from: '/shell/inbound' });
  const navigate = useNavigate({ from: '/inbound' });
  const client = useQueryClient();
  const query = useQuery(
    inboundQuery({ after: search.after ?? null, domain: search.domain ?? null, search: search.q ?? null }),
  );
  const reload = () => void client.invalidateQueries({ queryKey: ['inbound', 'list'] });
  useEvents((events) => {
    if (events.some((event) => event.kind === 'email.received')) reload();
  }, reload);
  const since = useLiveSince();
  const mails = query.data?.inboundEmails;
  const rows = mails?.nodes;
  const view = (change: InboundSearch, replace = false) =>
    void navigate({ search: (old) => ({ ...old, ...change }), replace });
  const open = (row: InboundRow | undefined) =>
    view({ open: row?.id, tab: undefined }, search.open !== undefined);
  const at = rows?.findIndex((row) => row.id === search.open) ?? -1;
  const drawer = search.open ? (
    <Drawer
      id={search.open}
      tab={search.tab}
      onTab={(tab: Tab) => view({ tab: tab === 'message' ? undefined : tab }, true)}
      onClose={() => open(undefined)}
      previous={at > 0 ? () => open(rows![at - 1]) : undefined}
      next={rows && at >= 0 && at < rows.length - 1 ? () => open(rows[at + 1]) : undefined}
    />
  ) : null;
  const searchable = rows?.length !== 0 || Boolean(search.q || search.domain);
  const several = (query.data?.domains.nodes.length ?? 0) > 1 || search.domain !== undefined;
  return (
    <Split
      head={
        <>
          <PageHeader
            title="Inbound"
            after={<Live since={since} />}
            acts={query.data ? <ToRoutes of={query.data.domains.nodes} chosen={search.domain} /> : null}
          />
          <p className={kit.say}>
            {mails ? <Sentence view={query.data!} found={search.q !== undefined} /> : '\u00a0'}
          </p>
        </>
      }
      filters={
        searchable || several ? (
          <>
            {searchable ? (
              <SearchField
                label="Subject or address"
                value={search.q}
                onChange={(q) => view({ q, after: undefined }, true)}
              />
            ) : null}
            {several ? (
              <select
                className={kit.input}
                aria-label="Domain"
                data-filter
                value={search.domain ?? ''}
                onChange={(event) =>
                  view({ domain: event.target.value || undefined, after: undefined }, true)
                }
              >
                <option value="">All domains</option>
                {query.data?.domains.nodes.map((domain) => (
                  <option key={domain.id} value={domain.id}>
                    {domain.name}
                  </option>
                ))}
              </select>
            ) : null}
          </>
        ) : null
      }
      label="Received emails, newest first"
      drawerLabel="Mail"
      drawer={drawer}
      onClose={() => open(undefined)}
      bar={
        <Pager
          from={search.after ? 0 : 1}
          shown={rows?.length ?? 0}
          total={null}
          newer={search.after ? () => window.history.back() : undefined}
          older={
            mails?.pageInfo.hasNextPage
              ? () => view({ after: mails.pageInfo.endCursor ?? undefined, open: undefined })
              : undefined
          }
        />
      }
    >
      {query.error && !rows ? (
        <Failed error={query.error} retry={() => void query.refetch()} />
      ) : rows?.length === 0 ? (
        search.domain || search.q ? (
          <Empty title={search.q ? 'No mail matches' : 'No mail came in for this domain'}>
            {search.q ? <p>The newest 20,000 emails were searched.</p> : null}
            <Button onClick={() => view({ q: undefined, domain: undefined, after: undefined })}>
              Clear the filter
            </Button>
          </Empty>
        ) : (
          <Publish />
        )
      ) : (
        <Table
          label="Received mails"
          full
          rows={rows}
          id={(row) => row.id}
          selected={search.open}
          onOpen={open}
          href={(row) => `/inbound?open=${row.id}`}
          columns={[
            {
              head: 'From',
              upTo: true,
              narrow: 1,
              cell: (row) => (
                <Link
                  to="/inbound"
                  search={{ open: row.id }}
                  className={kit.row}
                  data-row
                  title={row.fromEmail}
                  onClick={(event) => {
                    if (event.ctrlKey || event.metaKey) return;
                    event.preventDefault();
                    open(row);
                  }}
                >
                  <bdi>{row.fromName || row.fromEmail}</bdi>
                </Link>
              ),
            },
            {
              head: 'Subject',
              grow: true,
              narrow: 3,
              cell: (row) => <bdi className={kit.second}>{row.subject || 'No subject'}</bdi>,
            },
            { head: 'Checks', narrow: 4, cell: (row) => <Checks mail={row} /> },
            {
              head: 'Received',
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
      )}
    </Split>
  );
}

/** The way to the routes of the chosen domain, of the only one, or of one in a menu. */
function ToRoutes({
  of: domains,
  chosen,
}: {
  of: InboundView['domains']['nodes'];
  chosen: string | undefined;
}) {
  const navigate = useNavigate();
  const id = chosen ?? (domains.length === 1 ? domains[0]!.id : undefined);
  const to = (domain: string) =>
    ({ to: '/domains/$id', params: { id: domain }, search: { tab: 'routes' } }) as const;
  return id === undefined ? (
    <MenuButton
      label="Routes"
      trigger={{ icon: Signpost, text: 'Routes' }}
      entries={domains.map((domain) => ({
        kind: 'item',
        text: domain.name,
        act: () => void navigate(to(domain.id)),
      }))}
    />
  ) : (
    <Link {...to(id)} className={kit.button}>
      <Signpost {...ICON} />
      Routes
    </Link>
  );
}

/** The worst verdict; all of them at the pointer. */
function Checks({ mail }: { mail: InboundRow }) {
  return (
    <span
      title={verdicts(mail)
        .map(([name, word]) => `${name}: ${word.text}`)
        .join(', ')}
    >
      <Status word={worst(mail)} />
    </span>
  );
}

function Sentence({
  view: { inboundEmails, domains },
  found,
}: {
  view: InboundView;
  /** Whether the emails were searched. */
  found: boolean;
}) {
  const able = domains.nodes.filter((domain) => isSending(domain.status)).length;
  if (inboundEmails.nodes.length === 0 && found) return <strong>No mail matches.</strong>;
  if (inboundEmails.nodes.length === 0)
    return (
      <>
        <strong>No mail came in.</strong>{' '}
        {able === 0
          ? 'A verified domain is needed to receive.'
          : 'Mail to a domain arrives once its MX record points here.'}
      </>
    );
  const bad = inboundEmails.nodes.filter((row) => worst(row).tone === 'bad').length;
  return (
    <>
      <strong>{counted(inboundEmails.nodes.length, 'email')} on this page.</strong>{' '}
      {bad > 0 ? `${number(bad)} failed a check.` : 'None failed a check.'}
    </>
  );
}

/** The MX records with which mail arrives. */
function Publish() {
  const { data, error, refetch } = useQuery(recordsQuery);
  if (!data) return error ? <Failed error={error} retry={() => void refetch()} /> : <Loading />;
  const records = data
    .filter((domain) => isSending(domain.status))
    .flatMap((domain) => {
      const mx = domain.records.find((record) => record.type === 'MX');
      return mx ? [`${domain.name}. MX ${mx.priority ?? 10} ${mx.value}.`] : [];
    });
  return (
    <Empty title="No mail came in">
      {records.length > 0 ? (
        <>
          <p>
            Publish this record at your DNS host. Mail to any address of the domain is then listed here, and
            posted to webhooks as email.received.
          </p>
          <Code label="the MX record" text={records.join('\n')} />
          <p>A domain that has mailboxes elsewhere keeps its MX record: receive with a subdomain.</p>
        </>
      ) : (
        <>
          <p>Verify a domain first. Its MX record is then shown here.</p>
          <Link to="/domains" className={kit.button}>
            Go to Domains
          </Link>
        </>
      )}
    </Empty>
  );
}
