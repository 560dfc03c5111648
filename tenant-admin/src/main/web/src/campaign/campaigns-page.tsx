import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { Plus } from 'lucide-react';
import type { ReactNode } from 'react';
import { apiUrl } from '../app/config';
import { useEvents, useLiveSince } from '../app/live';
import type { CampaignStatus } from '../gen/graphql';
import { Box, Button, buttonClass, Code, ICON, Status, Time } from '../kit/basics';
import { SearchField } from '../kit/filter';
import { FilterBar } from '../kit/filter-bar';
import kit from '../kit/kit.module.css';
import { Empty, Failed, Live, Page } from '../kit/page';
import { May } from '../kit/rights';
import { Pager, Table } from '../kit/table';
import { counted, number, percent } from '../words/formats';
import { campaignWord } from '../words/status';
import css from './campaign.module.css';
import { share } from './progress';
import { campaignsQuery, type CampaignRow } from './queries';

/** Interval in which the list is read again while a campaign runs. */
const RUNNING_INTERVAL_MS = 3000;

const statuses: readonly CampaignStatus[] = ['RUNNING', 'SCHEDULED', 'PAUSED', 'DRAFT', 'SENT'];

export function CampaignsPage() {
  const { q, status, after } = useSearch({ from: '/shell/campaigns' });
  const navigate = useNavigate({ from: '/campaigns' });
  const client = useQueryClient();
  const filters = {
    after: after ?? null,
    search: q ?? null,
    status: statuses.find((value) => value === status) ?? null,
  };
  const list = useQuery({
    ...campaignsQuery(filters),
    refetchInterval: ({ state }) =>
      state.data?.nodes.some((row) => row.status === 'RUNNING') ? RUNNING_INTERVAL_MS : false,
  });
  const reload = () => void client.invalidateQueries({ queryKey: ['campaign', 'list'] });
  useEvents((events) => {
    if (events.some((event) => event.kind.startsWith('campaign.'))) reload();
  }, reload);
  const since = useLiveSince();
  const rows = list.data?.nodes;
  const filtered = Boolean(q ?? filters.status);
  const create = (
    <May right="CAMPAIGNS">
      <Link to="/campaigns/compose" className={buttonClass({ kind: 'main' })}>
        <Plus {...ICON} />
        New campaign
      </Link>
    </May>
  );
  return (
    <Page title="Campaigns" after={<Live since={since} />} needs="CAMPAIGNS" acts={create}>
      {list.error && !rows ? (
        <Box>
          <Failed error={list.error} retry={() => void list.refetch()} />
        </Box>
      ) : rows?.length === 0 && !filtered && !after ? (
        <Box>
          <Empty title="One email to a book">
            <p>
              A campaign sends one email to each subscribed contact of a contact book, at once or at a time,
              and shows what became of it.
            </p>
            <p>By program:</p>
            <Code
              label="the command"
              text={`curl ${apiUrl()}/api/campaigns -H "Authorization: Bearer $TOKEN" \\\n  -H 'Content-Type: application/json' \\\n  -d '{"name": "…", "from": "…", "subject": "…", "contact_book_id": "…", "html_content": "…"}'`}
            />
          </Empty>
        </Box>
      ) : (
        <div className={kit.grid}>
          {!filtered && !after ? (
            rows ? (
              <Sentence rows={rows} />
            ) : (
              <p className={kit.say}>{'\u00a0'}</p>
            )
          ) : null}
          <Filters
            q={q}
            status={filters.status}
            filtered={filtered}
            onChange={(change) =>
              void navigate({ search: (old) => ({ ...old, ...change, after: undefined }), replace: true })
            }
          />
          <Box label="Campaigns">
            {rows?.length === 0 ? (
              <Empty title="No campaign matches">
                <p>The search covers names and subjects.</p>
                <Button onClick={() => void navigate({ search: {} })}>Clear filters</Button>
              </Empty>
            ) : (
              <Table
                label="Campaigns"
                rows={rows}
                id={(row) => row.id}
                href={(row) => `/campaigns/${row.id}`}
                onOpen={(row) => void navigate({ to: '/campaigns/$id', params: { id: row.id } })}
                columns={[
                  {
                    head: 'Name',
                    grow: true,
                    narrow: 1,
                    cell: (row) => (
                      <Link to="/campaigns/$id" params={{ id: row.id }} className={kit.row} data-row>
                        <bdi>{row.name}</bdi>
                        <small className={css.book}>
                          <bdi>{row.contactBookName}</bdi>
                        </small>
                      </Link>
                    ),
                  },
                  { head: 'Status', narrow: 2, cell: (row) => <Status word={campaignWord(row.status)} /> },
                  { head: 'Progress', narrow: 3, cell: (row) => <Progress row={row} /> },
                  {
                    head: 'Delivered',
                    right: true,
                    cell: (row) =>
                      row.startedAt ? number(row.deliveredCount) : <span className={kit.quiet}>none</span>,
                  },
                  {
                    head: 'Opened',
                    right: true,
                    cell: (row) =>
                      row.deliveredCount > 0 ? (
                        <>
                          {number(row.openedCount)}{' '}
                          <span className={css.share}>
                            {percent((row.openedCount / row.deliveredCount) * 100, 1)}
                          </span>
                        </>
                      ) : (
                        <span className={kit.quiet}>none</span>
                      ),
                  },
                  {
                    head: 'When',
                    right: true,
                    narrow: 4,
                    cell: (row) => (
                      <span className={kit.quiet}>
                        <When row={row} />
                      </span>
                    ),
                  },
                ]}
              />
            )}
            <Pager
              from={after ? 0 : 1}
              shown={rows?.length ?? 0}
              newer={after ? () => window.history.back() : undefined}
              older={
                list.data?.pageInfo.hasNextPage
                  ? () =>
                      void navigate({
                        search: (old) => ({ ...old, after: list.data.pageInfo.endCursor ?? undefined }),
                      })
                  : undefined
              }
            />
          </Box>
        </div>
      )}
    </Page>
  );
}

function Sentence({ rows }: { rows: readonly CampaignRow[] }) {
  const running = rows.filter((row) => row.status === 'RUNNING');
  const next = rows
    .filter((row) => row.status === 'SCHEDULED' && row.sendAt)
    .sort((a, b) => a.sendAt!.localeCompare(b.sendAt!))[0];
  const paused = rows.filter((row) => row.status === 'PAUSED').length;
  const [first] = running;
  const head: ReactNode =
    first === undefined ? (
      'No campaign is running.'
    ) : running.length === 1 ? (
      <>
        <bdi>{first.name}</bdi> is running.
      </>
    ) : (
      `${counted(running.length, 'campaign')} are running.`
    );
  return (
    <p className={kit.say}>
      <strong>{head}</strong>
      {paused > 0 ? ` ${counted(paused, 'campaign')} ${paused === 1 ? 'waits' : 'wait'} to be resumed.` : ''}
      {next ? (
        <>
          {' '}
          Next: <bdi>{next.name}</bdi>, <Time at={next.sendAt!} />.
        </>
      ) : (
        ''
      )}
    </p>
  );
}

function Progress({ row }: { row: CampaignRow }) {
  if (!row.startedAt) return <span className={kit.quiet}>{counted(row.totalContacts, 'contact')}</span>;
  const done = share(row);
  return (
    <span className={css.progress}>
      <span className={kit.bar} data-glide>
        <i className={row.status === 'PAUSED' ? kit.warn : undefined} style={{ width: `${done}%` }} />
      </span>
      <span className={kit.num}>
        {row.status === 'SENT' ? number(row.totalContacts) : percent(Math.floor(done), 0)}
      </span>
    </span>
  );
}

function When({ row }: { row: CampaignRow }) {
  switch (row.status) {
    case 'DRAFT':
      return (
        <>
          changed <Time at={row.updatedAt} />
        </>
      );
    case 'SCHEDULED':
      return (
        <>
          starts <Time at={row.sendAt ?? row.updatedAt} />
        </>
      );
    case 'RUNNING':
      return (
        <>
          since <Time at={row.startedAt ?? row.updatedAt} />
        </>
      );
    case 'PAUSED':
      return (
        <>
          paused <Time at={row.updatedAt} />
        </>
      );
    case 'SENT':
      return (
        <>
          sent <Time at={row.updatedAt} />
        </>
      );
  }
}

interface Search {
  q?: string | undefined;
  status?: string | undefined;
}

function Filters({
  q,
  status,
  filtered,
  onChange,
}: {
  q: string | undefined;
  status: CampaignStatus | null;
  filtered: boolean;
  onChange: (change: Search) => void;
}) {
  return (
    <FilterBar>
      <SearchField label="Name or subject" value={q} onChange={(value) => onChange({ q: value })} />
      <select
        className={kit.input}
        aria-label="Status"
        value={status ?? ''}
        onChange={(event) => onChange({ status: event.target.value || undefined })}
      >
        <option value="">Any status</option>
        {statuses.map((value) => (
          <option key={value} value={value}>
            {campaignWord(value).text}
          </option>
        ))}
      </select>
      {filtered ? (
        <Button kind="bare" onClick={() => onChange({ q: undefined, status: undefined })}>
          Clear
        </Button>
      ) : null}
    </FilterBar>
  );
}
