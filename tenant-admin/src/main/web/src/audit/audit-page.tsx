import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { Download } from 'lucide-react';
import { lazy, Suspense, useState } from 'react';
import { SettingsNav } from '../account/settings-nav';
import type { ActorKind } from '../gen/graphql';
import { Box, Button, Note, Time } from '../kit/basics';
import { csv, save as saveFile } from '../kit/csv';
import kit from '../kit/kit.module.css';
import { Empty, Failed, Page } from '../kit/page';
import { explained } from '../kit/problems';
import { useRights } from '../kit/rights';
import { Pager, Table } from '../kit/table';
import { number } from '../words/formats';
import { dayStart } from '../words/inputs';
import { accountActs, actName, actorName, sentenceText } from './acts';
import css from './audit.module.css';
import { auditEntries, auditQuery, peopleQuery, type Entry, type Filters } from './queries';
import { Said } from './said';

const EntryDialog = lazy(() => import('./entry'));

/** Largest number of entries of an export. */
const MAX_EXPORTED = 10_000;

const kinds: readonly (readonly [ActorKind, string])[] = [
  ['PERSON', 'People'],
  ['API_KEY', 'API keys'],
  ['OPERATOR', 'Mailroom operators'],
];

/** The audit log of the account, for its owners and admins. */
export default function AuditPage() {
  const { may, watching } = useRights();
  const search = useSearch({ from: '/shell/settings/$tab' });
  const navigate = useNavigate({ from: '/settings/$tab' });
  const permitted = may('SETTINGS') || watching;
  const kind = kinds.find(([each]) => each === search.by)?.[0];
  const filters: Filters = {
    act: search.act ?? null,
    kind: kind ?? null,
    memberId: kind || !search.by ? null : search.by,
    from: dayStart(search.from),
    until: dayStart(search.until, 1),
  };
  const list = useQuery({ ...auditQuery(filters, search.after ?? null), enabled: permitted });
  const people = useQuery({ ...peopleQuery, enabled: permitted });
  const [open, setOpen] = useState<Entry>();
  const rows = list.data?.nodes;
  const { exporting, problem, save } = useExport(filters);
  const view = (change: Partial<typeof search>) =>
    void navigate({ search: (old) => ({ ...old, ...change, after: undefined }), replace: true });
  const filtered = Boolean(search.act ?? search.by ?? search.from ?? search.until);
  return (
    <Page
      title="Audit log"
      up={{ to: '/settings', text: 'Settings' }}
      acts={
        permitted ? (
          <Button icon={Download} busy={exporting} onClick={() => void save()}>
            Export
          </Button>
        ) : null
      }
    >
      <SettingsNav />
      {permitted ? (
        <div className={kit.grid}>
          <p className={kit.say}>
            <strong>Changes to the account, newest first.</strong> Each entry was written with the change
            itself. An export has at most {number(MAX_EXPORTED)} entries of this view.
          </p>
          <div className={css.filters} role="search" aria-label="Filters">
            <Pick
              label="Act"
              all="All actions"
              value={search.act}
              options={accountActs}
              onPick={(act) => view({ act })}
            />
            <Pick
              label="Actor"
              all="Anyone"
              value={search.by}
              options={[...kinds, ...(people.data ?? []).map(({ id, email }) => [id, email] as const)]}
              onPick={(by) => view({ by })}
            />
            {(['from', 'until'] as const).map((name) => (
              <label key={name}>
                {name === 'from' ? 'From' : 'until'}{' '}
                <input
                  className={`${kit.input} ${css.pick}`}
                  type="date"
                  value={search[name] ?? ''}
                  onChange={(event) => view({ [name]: event.target.value || undefined })}
                />
              </label>
            ))}
            {filtered ? (
              <Button kind="bare" onClick={() => void navigate({ search: {} })}>
                Clear
              </Button>
            ) : null}
          </div>
          {problem ? (
            <Note tone="bad" alert>
              {problem}
            </Note>
          ) : null}
          <Box label="Audit log">
            {list.error && !rows ? (
              <Failed error={list.error} retry={() => void list.refetch()} />
            ) : rows?.length === 0 ? (
              <Empty title={filtered ? 'No entry matches' : 'No changes yet'}>
                <p>Changes of keys, domains, webhooks, members and settings are listed here.</p>
              </Empty>
            ) : (
              <Table
                label="Audit log, newest first"
                rows={rows}
                id={(row) => row.id}
                onOpen={setOpen}
                columns={[
                  {
                    head: 'When',
                    sorted: true,
                    narrow: 4,
                    cell: (row) => (
                      <span className={kit.quiet}>
                        <Time at={row.createdAt} />
                      </span>
                    ),
                  },
                  { head: 'Who', upTo: true, narrow: 3, cell: (row) => <bdi>{actorName(row)}</bdi> },
                  {
                    head: 'What',
                    grow: true,
                    narrow: 1,
                    cell: (row) => (
                      <span title={sentenceText(row)}>
                        <Said entry={row} />
                      </span>
                    ),
                  },
                  {
                    head: 'Reason',
                    upTo: true,
                    cell: (row) => <bdi className={kit.quiet}>{row.reason}</bdi>,
                  },
                ]}
              />
            )}
            <Pager
              from={0}
              shown={rows?.length ?? 0}
              total={null}
              newer={search.after ? () => window.history.back() : undefined}
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
      ) : (
        <p className={kit.say}>Owners and admins of the account read its audit log.</p>
      )}
      {open ? (
        <Suspense fallback={null}>
          <EntryDialog entry={open} onClose={() => setOpen(undefined)} />
        </Suspense>
      ) : null}
    </Page>
  );
}

function Pick({
  label,
  all,
  value,
  options,
  onPick,
}: {
  label: string;
  all: string;
  value: string | undefined;
  options: readonly (readonly [string, string])[];
  onPick: (value: string | undefined) => void;
}) {
  return (
    <select
      className={`${kit.input} ${css.pick}`}
      aria-label={label}
      value={value ?? ''}
      onChange={(event) => onPick(event.target.value || undefined)}
    >
      <option value="">{all}</option>
      {options.map(([each, name]) => (
        <option key={each} value={each}>
          {name}
        </option>
      ))}
    </select>
  );
}

function useExport(filters: Filters) {
  const [exporting, setExporting] = useState(false);
  const [problem, setProblem] = useState<string>();
  const save = async () => {
    setExporting(true);
    setProblem(undefined);
    try {
      const entries = await auditEntries(filters, MAX_EXPORTED);
      saveFile(
        'audit',
        csv(
          ['When (UTC)', 'Who', 'Act', 'What', 'Object', 'Reason', 'Values', 'Id'],
          entries.map((entry) => [
            entry.createdAt,
            actorName(entry),
            actName(entry.act),
            sentenceText(entry),
            entry.target,
            entry.reason,
            JSON.stringify(entry.details ?? {}),
            entry.id,
          ]),
        ),
      );
    } catch (error) {
      setProblem(explained(error, []).rest.join(' '));
    } finally {
      setExporting(false);
    }
  };
  return { exporting, problem, save };
}
