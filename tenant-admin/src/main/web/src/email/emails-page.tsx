import { useMediaQuery } from '@mantine/hooks';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { Download, ListFilter, Send } from 'lucide-react';
import { lazy, Suspense, useRef, useState } from 'react';
import { useNew } from '../app/new';
import { useListTools, type ListTools } from '../app/list-tools';
import { useEvents, useLiveSince } from '../app/live';
import { Announce } from '../kit/announce';
import { Ago } from '../kit/ago';
import { Button, Note, Status, Time } from '../kit/basics';
import { SearchField } from '../kit/filter';
import kit from '../kit/kit.module.css';
import { Sheet } from '../kit/layers';
import { Failed, Live, Loading, PageHeader } from '../kit/page';
import { explained } from '../kit/problems';
import { useRights } from '../kit/rights';
import { useSelection } from '../kit/selection';
import { Pager, Table, type Column } from '../kit/table';
import { counted, number, recipients } from '../words/formats';
import { emailWord } from '../words/status';
import css from './email.module.css';
import { chosenStates, stateOf, streams } from './filters';
import { emailsQuery, newer, patchPage, type EmailFilters, type EmailRow } from './queries';

/** The view of the list of mails. */
export interface EmailsSearch {
  q?: string | undefined;
  status?: string | undefined;
  stream?: 'transactional' | 'campaign' | undefined;
  domain?: string | undefined;
  period?: '1h' | '24h' | '7d' | '30d' | undefined;
  /** The earliest time of acceptance, which a link from a number has. */
  since?: string | undefined;
  /** The time before which the emails were accepted. */
  until?: string | undefined;
  /** Newest first without it. */
  order?: 'oldest' | undefined;
  /** A name, or name=value. */
  tag?: string | undefined;
  /** Id of a campaign. */
  campaign?: string | undefined;
  after?: string | undefined;
  open?: string | undefined;
  tab?: string | undefined;
}

const Drawer = lazy(() => import('./drawer').then((module) => ({ default: module.Drawer })));
const ListButtons = lazy(() => import('../app/list-buttons'));
const Picks = lazy(() => import('./picks'));
const Nothing = lazy(() => import('./picks').then((module) => ({ default: module.Nothing })));
const Selected = lazy(() => import('./bulk'));
const SendTest = lazy(() => import('./send-test'));

const CLEAR: EmailsSearch = {
  q: undefined,
  status: undefined,
  stream: undefined,
  domain: undefined,
  period: undefined,
  since: undefined,
  until: undefined,
  tag: undefined,
  campaign: undefined,
};

/** Largest number of mails of an export. */
const MAX_EXPORTED = 10_000;

export function EmailsPage() {
  const search = useSearch({ from: '/shell/emails' });
  const navigate = useNavigate({ from: '/emails' });
  const [sending, setSending] = useState(false);
  useNew(() => setSending(true));
  const since = useLiveSince();
  const wide = useMediaQuery('(min-width: 1281px)', true, { getInitialValueInEffect: false });
  const tools = useListTools('emails', ['Opens', 'Clicks']);
  const chosen = chosenStates(search.status);
  const filters: EmailFilters = {
    after: search.after ?? null,
    search: search.q ?? null,
    domain: search.domain ?? null,
    status: chosen.length > 0 ? search.status! : null,
    stream: search.stream ? streams[search.stream].value : null,
    tag: search.tag ?? null,
    period: search.period ?? null,
    since: search.since ?? null,
    until: search.until ?? null,
    campaign: search.campaign ?? null,
    oldestFirst: search.order === 'oldest',
    places: tools.columns.some((head) => head === 'Domain' || head === 'Campaign'),
  };
  const emails = useQuery(emailsQuery(filters));
  const rows = emails.data?.nodes;
  const list = useRef<HTMLDivElement>(null);
  const { waiting, show } = useLiveList(filters, list);
  const view = (change: EmailsSearch, replace = false) =>
    void navigate({ search: (old) => ({ ...old, ...change }), replace });
  const filtered = Boolean(
    filters.search
    ?? filters.domain
    ?? filters.status
    ?? filters.stream
    ?? filters.tag
    ?? filters.period
    ?? filters.since
    ?? filters.until
    ?? filters.campaign,
  );
  const bounded =
    filters.status?.startsWith('.') === true
    || Boolean(
      filters.search
      ?? filters.stream
      ?? filters.tag
      ?? filters.period
      ?? filters.since
      ?? filters.until
      ?? filters.campaign,
    );
  const ticks = useSelection(JSON.stringify(filters));
  const ticked = (rows ?? []).filter((row) => ticks.has(row.id));
  const { may } = useRights();
  const exporting = useExport(filters);
  const open = (row: EmailRow | undefined) =>
    view({ open: row?.id, tab: undefined }, search.open !== undefined);
  // Rows follow their emails, so their state may leave the filter.
  const left = (row: EmailRow) => chosen.length > 0 && !chosen.includes(stateOf(row.status, row.lastEvent));
  const changed = (rows ?? []).filter(left).length;
  const at = rows?.findIndex((row) => row.id === search.open) ?? -1;
  const drawer = search.open ? (
    <Suspense fallback={<Loading lines={6} />}>
      <Drawer
        id={search.open}
        tab={search.tab}
        onTab={(tab) => view({ tab: tab === 'timeline' ? undefined : tab }, true)}
        onClose={() => open(undefined)}
        previous={at > 0 ? () => open(rows![at - 1]) : undefined}
        next={rows && at >= 0 && at < rows.length - 1 ? () => open(rows[at + 1]) : undefined}
      />
    </Suspense>
  ) : null;
  return (
    <div className={css.frame}>
      <div className={css.head}>
        <PageHeader
          title="Emails"
          after={<Live since={since} />}
          needs="SEND"
          acts={
            <>
              {rows && rows.length > 0 ? (
                <Button
                  icon={Download}
                  busy={exporting.busy}
                  title={`A CSV file of this view, at most ${number(MAX_EXPORTED)} emails`}
                  onClick={() => void exporting.run()}
                >
                  Export
                </Button>
              ) : null}
              <Button kind="main" icon={Send} needs="SEND" onClick={() => setSending(true)}>
                Send test email
              </Button>
            </>
          }
        />
        {exporting.problem ? (
          <div className={css.cut}>
            <Note tone="bad" alert>
              {exporting.problem}
            </Note>
          </div>
        ) : null}
      </div>
      <Filters
        search={search}
        filtered={filtered}
        onChange={(change) => view({ ...change, after: undefined }, true)}
        tools={tools}
        onApply={(saved) =>
          view({ ...CLEAR, order: undefined, ...saved, after: undefined, open: undefined } as EmailsSearch)
        }
      />
      <div className={css.split} data-open={search.open && wide ? true : undefined}>
        <section
          className={css.list}
          aria-label={filters.oldestFirst ? 'Emails, oldest first' : 'Emails, newest first'}
        >
          <Announce
            text={
              waiting > 0
                ? `${counted(waiting, 'new email')} above the list`
                : rows?.[0]
                  ? `The newest email is ${emailWord(rows[0].status, rows[0].lastEvent).text.toLowerCase()}`
                  : ''
            }
          />
          {waiting > 0 ? (
            <div className={css.new}>
              <Button small onClick={show}>
                {number(waiting)} new
              </Button>
            </div>
          ) : changed > 0 ? (
            <div className={css.new}>
              <Button small busy={emails.isFetching} onClick={() => void emails.refetch()}>
                {number(changed)} no longer {changed === 1 ? 'matches' : 'match'} · Refresh
              </Button>
            </div>
          ) : null}
          <div className={css.rows} ref={list}>
            {emails.error && !rows ? (
              <Failed error={emails.error} retry={() => void emails.refetch()} />
            ) : rows?.length === 0 ? (
              <Suspense fallback={null}>
                <Nothing
                  filtered={filtered}
                  bounded={bounded}
                  onClear={() => view({ ...CLEAR, after: undefined })}
                  onSend={() => setSending(true)}
                />
              </Suspense>
            ) : (
              <Table
                label="Emails"
                full
                rows={rows}
                id={(row) => row.id}
                selected={search.open}
                onOpen={open}
                href={(row) => `/emails/${row.id}`}
                name={(row) => `${recipients(row.toEmails)}, ${row.subject}`}
                faded={left}
                {...(may('SEND') || may('SUPPRESSIONS') ? { ticks } : {})}
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
                        to="/emails/$id"
                        params={{ id: row.id }}
                        className={kit.row}
                        data-row
                        title={row.toEmails.join(', ')}
                        onClick={(event) => {
                          if (event.ctrlKey || event.metaKey) return;
                          event.preventDefault();
                          open(row);
                        }}
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
                  ...(search.open && wide ? [] : optional.filter(({ head }) => tools.columns.includes(head))),
                  {
                    head: 'Accepted',
                    right: true,
                    sorted: filters.oldestFirst ? 'ascending' : true,
                    onSort: () =>
                      view({
                        order: filters.oldestFirst ? undefined : 'oldest',
                        after: undefined,
                        open: undefined,
                      }),
                    narrow: 2,
                    cell: (row) => (
                      <span className={kit.quiet}>
                        {row.lastEvent === 'scheduled' && row.scheduledAt ? (
                          <>
                            <span className={css.sends}>
                              sends <Time at={row.scheduledAt} />
                            </span>{' '}
                          </>
                        ) : null}
                        <Ago at={row.createdAt} />
                      </span>
                    ),
                  },
                ]}
              />
            )}
          </div>
          {ticks.size > 0 ? (
            <Suspense fallback={null}>
              <Selected ticks={ticks} rows={ticked} shown={rows?.length ?? 0} />
            </Suspense>
          ) : null}
          <Pager
            ascending={filters.oldestFirst}
            from={search.after ? 0 : 1}
            shown={rows?.length ?? 0}
            total={emails.data?.totalCount ?? null}
            newer={search.after ? () => window.history.back() : undefined}
            older={
              emails.data?.pageInfo.hasNextPage
                ? () => view({ after: emails.data.pageInfo.endCursor ?? undefined, open: undefined })
                : undefined
            }
          />
        </section>
        {drawer && wide ? (
          <aside className={css.drawer} aria-label="Email">
            {drawer}
          </aside>
        ) : null}
      </div>
      {drawer && !wide ? (
        <Sheet title="Email" side="right" onClose={() => open(undefined)}>
          <div className={css.drawer} style={{ height: '100%' }}>
            {drawer}
          </div>
        </Sheet>
      ) : null}
      {sending ? (
        <Suspense fallback={null}>
          <SendTest
            onClose={() => setSending(false)}
            onSent={(id) => {
              setSending(false);
              view({ ...CLEAR, open: id, after: undefined });
            }}
          />
        </Suspense>
      ) : null}
    </div>
  );
}

/** Columns that can be hidden. */
const optional: readonly Column<EmailRow>[] = [
  { head: 'From', upTo: true, cell: (row) => <bdi className={kit.second}>{row.sender}</bdi> },
  { head: 'Domain', upTo: true, cell: (row) => <span className={kit.second}>{row.domain?.name}</span> },
  {
    head: 'Type',
    cell: (row) => (
      <span className={kit.second}>
        {row.stream === 'CAMPAIGN' ? 'Campaign' : streams.transactional.text}
      </span>
    ),
  },
  {
    head: 'Tags',
    upTo: true,
    cell: (row) => (
      <bdi className={kit.second}>
        {Object.entries((row.tags ?? {}) as Record<string, unknown>)
          .map(([name, value]) => `${name}=${String(value)}`)
          .join(', ')}
      </bdi>
    ),
  },
  {
    head: 'Campaign',
    upTo: true,
    cell: (row) =>
      row.campaign ? (
        <Link to="/campaigns/$id" params={{ id: row.campaign.id }}>
          <bdi>{row.campaign.name}</bdi>
        </Link>
      ) : null,
  },
  { head: 'Opens', right: true, cell: (row) => <Quiet value={row.openCount} /> },
  { head: 'Clicks', right: true, cell: (row) => <Quiet value={row.clickCount} /> },
];

function Quiet({ value }: { value: number }) {
  return value === 0 ? <span className={kit.quiet}>0</span> : <>{number(value)}</>;
}

function Filters({
  search,
  filtered,
  onChange,
  tools,
  onApply,
}: {
  search: EmailsSearch;
  filtered: boolean;
  onChange: (change: EmailsSearch) => void;
  tools: ListTools;
  onApply: (search: Readonly<Record<string, unknown>>) => void;
}) {
  const { after: _after, open: _open, tab: _tab, ...kept } = search;
  const narrow = useMediaQuery('(max-width: 760px)', false, { getInitialValueInEffect: false });
  const [open, setOpen] = useState(false);
  const chosen = [
    search.status,
    search.domain,
    search.stream,
    search.period,
    search.tag,
    search.campaign,
  ].filter(Boolean).length;
  return (
    <div className={css.filters} role="search" aria-label="Filters">
      <SearchField label="Recipient, subject or id" value={search.q} onChange={(q) => onChange({ q })} />
      {narrow ? (
        <Button icon={ListFilter} aria-expanded={open} onClick={() => setOpen(!open)}>
          Filters{chosen > 0 ? ` (${chosen})` : ''}
        </Button>
      ) : null}
      {narrow && !open ? null : (
        <Suspense fallback={null}>
          <Picks search={search} onChange={onChange} />
        </Suspense>
      )}
      {filtered ? (
        <Button kind="bare" onClick={() => onChange(CLEAR)}>
          Clear
        </Button>
      ) : null}
      <span className={css.tools}>
        <Suspense fallback={null}>
          <ListButtons
            tools={tools}
            columns={narrow ? [] : optional.map(({ head }) => head)}
            search={kept}
            onApply={onApply}
          />
        </Suspense>
      </span>
    </div>
  );
}

/** Saves the mails of the view as a file. */
function useExport(filters: EmailFilters) {
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string>();
  const run = async () => {
    setBusy(true);
    setProblem(undefined);
    try {
      await (await import('./csv')).exportEmails(filters, MAX_EXPORTED);
    } catch (error) {
      setProblem(explained(error, []).rest.join(' '));
    } finally {
      setBusy(false);
    }
  };
  return { busy, problem, run };
}

/** Time in which the list is read again at most once. */
const RELOAD_MS = 2000;

/** Patches the rows with events. New mails are read at once, or wait while the list is scrolled. */
function useLiveList(filters: EmailFilters, list: { current: HTMLElement | null }) {
  const client = useQueryClient();
  const [unknown, setUnknown] = useState<ReadonlySet<string>>(new Set());
  const timer = useRef<number>(undefined);
  const first = !filters.after && !filters.search && !filters.oldestFirst;
  const key = emailsQuery(filters).queryKey;
  const reload = () => {
    setUnknown(new Set());
    timer.current ??= window.setTimeout(
      () => {
        timer.current = undefined;
        void client.invalidateQueries({ queryKey: ['email', 'list'] });
      },
      Math.min(RELOAD_MS, 300),
    );
  };
  useEvents((events) => {
    const page = client.getQueryData(key);
    if (!page) return;
    const patched = patchPage(page, events);
    client.setQueryData(key, patched.page);
    events.forEach((event) => {
      if (event.emailId)
        void client.invalidateQueries({ queryKey: ['email', 'one', event.emailId], exact: true });
    });
    if (!first || patched.unknown.size === 0) return;
    if ((list.current?.scrollTop ?? 0) <= 40) reload();
    else setUnknown((old) => new Set([...old, ...newer(patched.unknown, page)]));
  }, reload);
  return {
    waiting: unknown.size,
    show: () => {
      list.current?.scrollTo(0, 0);
      reload();
    },
  };
}
