import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { CornerUpLeft, Flag, MailX, Plus, UserRound, type LucideIcon } from 'lucide-react';
import { lazy, Suspense, useState } from 'react';
import { apiUrl } from '../app/config';
import { useEvents } from '../app/live';
import type { SuppressionReason } from '../gen/graphql';
import { Box, Button, Code, Note, Status, Time } from '../kit/basics';
import { SearchField } from '../kit/filter';
import { FilterBar } from '../kit/filter-bar';
import kit from '../kit/kit.module.css';
import { Confirm } from '../kit/layers';
import { Empty, Failed, Page } from '../kit/page';
import { Pager, Table } from '../kit/table';
import type { Tone } from '../words/status';
import { removeSuppression, suppressionsQuery, type SuppressionRow } from './queries';

const AddSuppressions = lazy(() => import('./add'));

const reasons: Record<SuppressionReason, readonly [Tone, string, LucideIcon]> = {
  HARD_BOUNCE: ['bad', 'The address does not exist', CornerUpLeft],
  COMPLAINT: ['plum', 'Spam complaint', Flag],
  UNSUBSCRIBE: ['mute', 'Unsubscribed', MailX],
  MANUAL: ['mute', 'Added manually', UserRound],
};

export function SuppressionsPage() {
  const { q, after } = useSearch({ from: '/shell/suppressions' });
  const navigate = useNavigate({ from: '/suppressions' });
  const client = useQueryClient();
  const list = useQuery(suppressionsQuery({ search: q ?? null, after: after ?? null }));
  const [adding, setAdding] = useState(false);
  const [removing, setRemoving] = useState<SuppressionRow>();
  useEvents((events) => {
    if (
      events.some(
        (event) =>
          event.kind === 'email.bounced'
          || event.kind === 'email.complained'
          || event.kind === 'contact.unsubscribed',
      )
    )
      void client.invalidateQueries({ queryKey: ['suppression', 'list'] });
  });
  const rows = list.data?.nodes;
  return (
    <Page
      title="Suppressions"
      needs="SUPPRESSIONS"
      acts={
        <Button kind="main" icon={Plus} needs="SUPPRESSIONS" onClick={() => setAdding(true)}>
          Add
        </Button>
      }
    >
      {list.error && !rows ? (
        <Box>
          <Failed error={list.error} retry={() => void list.refetch()} />
        </Box>
      ) : rows?.length === 0 && !q && !after ? (
        <Box>
          <Empty title="No suppressed addresses">
            <p>
              Addresses that do not exist, that reported spam or that unsubscribed are listed here by
              themselves. Mail to them is not sent, which protects your reputation.
            </p>
            <Code
              label="the command"
              text={`curl ${apiUrl()}/api/suppressions -H "Authorization: Bearer $TOKEN" \\\n  -H 'Content-Type: application/json' -d '{"email": "ines@postbox.example", "reason": "manual"}'`}
            />
          </Empty>
        </Box>
      ) : (
        <div className={kit.grid}>
          {q ? null : (
            <p className={kit.say}>
              {rows ? (
                <>
                  <strong>We don't send to these addresses.</strong> The log of emails shows such mail as
                  suppressed.
                </>
              ) : (
                '\u00a0'
              )}
            </p>
          )}
          <FilterBar>
            <SearchField
              label="Email address"
              value={q}
              onChange={(value) => void navigate({ search: { q: value }, replace: true })}
            />
          </FilterBar>
          <Box label="Suppressions">
            {rows?.length === 0 ? (
              <Empty title="No address matches">
                <Button onClick={() => void navigate({ search: {} })}>Clear the filter</Button>
              </Empty>
            ) : (
              <Table
                label="Suppressions"
                rows={rows}
                id={(row) => row.id}
                columns={[
                  {
                    head: 'Address',
                    grow: true,
                    narrow: 1,
                    cell: (row) => <bdi className={kit.label}>{row.address}</bdi>,
                  },
                  { head: 'Reason', narrow: 3, cell: (row) => <Reason reason={row.reason} /> },
                  {
                    head: 'Since',
                    right: true,
                    sorted: true,
                    narrow: 4,
                    cell: (row) => (
                      <span className={kit.quiet}>
                        <Time at={row.createdAt} />
                      </span>
                    ),
                  },
                  {
                    head: 'Act',
                    right: true,
                    narrow: 2,
                    needs: 'SUPPRESSIONS',
                    cell: (row) => (
                      <Button small aria-label={`Remove ${row.address}`} onClick={() => setRemoving(row)}>
                        Remove
                      </Button>
                    ),
                  },
                ]}
              />
            )}
            <Pager
              from={0}
              shown={rows?.length ?? 0}
              total={null}
              newer={after ? () => window.history.back() : undefined}
              older={
                list.data?.pageInfo.hasNextPage
                  ? () => void navigate({ search: { q, after: list.data.pageInfo.endCursor ?? undefined } })
                  : undefined
              }
            />
          </Box>
        </div>
      )}
      <Suspense fallback={null}>
        {adding ? <AddSuppressions onClose={() => setAdding(false)} /> : null}
      </Suspense>
      {removing ? (
        <Confirm
          title={`Remove ${removing.address}?`}
          verb="Remove"
          onClose={() => setRemoving(undefined)}
          act={() => removeSuppression(client, removing.id)}
        >
          <p>
            Mail to <strong>{removing.address}</strong> is sent again.
          </p>
          {removing.reason === 'COMPLAINT' ? (
            <Note tone="warn">
              <strong>This person reported an email as spam.</strong> Another report hurts the reputation of
              your domains. Remove it only if they asked for your mail again.
            </Note>
          ) : null}
        </Confirm>
      ) : null}
    </Page>
  );
}

function Reason({ reason }: { reason: SuppressionReason }) {
  const [tone, text, icon] = reasons[reason];
  return <Status word={{ tone, text, icon }} />;
}
