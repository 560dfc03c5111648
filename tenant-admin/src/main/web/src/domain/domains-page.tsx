import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { Plus } from 'lucide-react';
import { lazy, Suspense, useState } from 'react';
import { useNew } from '../app/new';
import { useEvents } from '../app/live';
import { Box, Button, Code, Status, Time } from '../kit/basics';
import kit from '../kit/kit.module.css';
import { Empty, Failed, Page } from '../kit/page';
import { Pager, Table } from '../kit/table';
import { capital, count, counted } from '../words/formats';
import { domainWord } from '../words/status';
import { apiUrl } from '../app/config';
import { domainsQuery } from './queries';
import { foundCount } from './records';

const AddDomain = lazy(() => import('./add-domain'));

export function DomainsPage() {
  const { after } = useSearch({ from: '/shell/domains' });
  const navigate = useNavigate();
  const client = useQueryClient();
  const domains = useQuery(domainsQuery(after));
  const [adding, setAdding] = useState(false);
  useNew(() => setAdding(true));
  useEvents((events) => {
    if (events.some((event) => event.kind.startsWith('domain.')))
      void client.invalidateQueries({ queryKey: ['domain'] });
  });
  const rows = domains.data?.nodes;
  const wrong =
    rows?.filter((row) => row.status === 'FAILED' || row.status === 'TEMPORARY_FAILURE').length ?? 0;
  const verified = rows?.filter((row) => row.status === 'VERIFIED').length ?? 0;
  return (
    <Page
      title="Domains"
      needs="DOMAINS"
      acts={
        <Button kind="main" needs="DOMAINS" icon={Plus} onClick={() => setAdding(true)}>
          Add domain
        </Button>
      }
    >
      {domains.error && !rows ? (
        <Box>
          <Failed error={domains.error} retry={() => void domains.refetch()} />
        </Box>
      ) : rows?.length === 0 && !after ? (
        <Box>
          <Empty title="You send from names you own">
            <p>
              Add a domain and publish its DNS records. Once they are found, mail from its addresses is
              accepted.
            </p>
            <p>By program:</p>
            <Code
              label="the command"
              text={`curl ${apiUrl()}/api/domains -H "Authorization: Bearer $TOKEN" \\\n  -H 'Content-Type: application/json' -d '{"name": "mail.your-company.example"}'`}
            />
          </Empty>
        </Box>
      ) : (
        <div className={kit.grid}>
          <p className={kit.say}>
            {!rows ? (
              '\u00a0'
            ) : wrong > 0 ? (
              <>
                <strong>{counted(wrong, 'domain has', 'domains have')} a missing DNS record.</strong>{' '}
                {wrong === 1 ? 'Its page says' : 'Their pages say'} which.
              </>
            ) : (
              <>
                <strong>{capital(counted(verified, 'domain'))} can send.</strong>
                {rows.length > verified
                  ? ` ${counted(rows.length - verified, 'domain')} not verified yet.`
                  : ''}
              </>
            )}
          </p>
          <Box label="Domains">
            <Table
              label="Domains"
              rows={rows}
              id={(row) => row.id}
              href={(row) => `/domains/${row.id}`}
              onOpen={(row) => void navigate({ to: '/domains/$id', params: { id: row.id } })}
              columns={[
                {
                  head: 'Name',
                  grow: true,
                  narrow: 1,
                  cell: (row) => (
                    <Link to="/domains/$id" params={{ id: row.id }} className={kit.row} data-row>
                      {row.name}
                    </Link>
                  ),
                },
                { head: 'Status', narrow: 2, cell: (row) => <Status word={domainWord(row.status)} /> },
                {
                  head: 'Records',
                  narrow: 3,
                  cell: (row) => (
                    <span className={kit.num}>
                      {foundCount(row.records)} of {row.records.length} found
                    </span>
                  ),
                },
                {
                  head: 'Sent, 7 days',
                  right: true,
                  cell: (row) => (
                    <span className={row.week.sampleSize > 0 ? undefined : kit.quiet}>
                      {count(row.week.sampleSize)}
                    </span>
                  ),
                },
                {
                  head: 'Added',
                  right: true,
                  narrow: 4,
                  cell: (row) => (
                    <span className={kit.quiet}>
                      <Time at={row.createdAt} />
                    </span>
                  ),
                },
              ]}
            />
            <Pager
              from={0}
              shown={rows?.length ?? 0}
              newer={after ? () => window.history.back() : undefined}
              older={
                domains.data?.pageInfo.hasNextPage
                  ? () =>
                      void navigate({
                        to: '/domains',
                        search: { after: domains.data.pageInfo.endCursor ?? undefined },
                      })
                  : undefined
              }
            />
          </Box>
        </div>
      )}
      <Suspense fallback={null}>
        {adding ? (
          <AddDomain
            onClose={() => setAdding(false)}
            onAdded={(id) => void navigate({ to: '/domains/$id', params: { id } })}
          />
        ) : null}
      </Suspense>
    </Page>
  );
}
