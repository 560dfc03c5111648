import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { Download, X } from 'lucide-react';
import { useState } from 'react';
import { Box, Button, Note } from '../kit/basics';
import { save as saveFile } from '../kit/csv';
import kit from '../kit/kit.module.css';
import { Empty, Failed, Page } from '../kit/page';
import { explained } from '../kit/problems';
import { actNames } from '../audit/acts';
import { Pager } from '../kit/table';
import { number, shortId } from '../words/formats';
import { dayStart } from '../words/inputs';

import { AuditTable } from './audit-table';
import { auditCsv } from './csv';
import css from './operator.module.css';
import { auditEntries, auditQuery } from './queries';

/** The view of the audit log; from and until are days. */
export interface AuditSearch {
  act?: string | undefined;
  kind?: 'PERSON' | 'API_KEY' | 'OPERATOR' | undefined;
  account?: string | undefined;
  from?: string | undefined;
  until?: string | undefined;
  after?: string | undefined;
}

/** Largest number of entries of an export. */
const MAX_EXPORTED = 10_000;

const kinds = [
  ['OPERATOR', 'Operators'],
  ['PERSON', 'People'],
  ['API_KEY', 'API keys'],
] as const;

export function AuditPage() {
  const search = useSearch({ from: '/shell/operator/audit' });
  const navigate = useNavigate({ from: '/operator/audit' });
  const filters = {
    account: search.account ?? null,
    act: search.act ?? null,
    kind: search.kind ?? null,
    from: dayStart(search.from),
    until: dayStart(search.until, 1),
  };
  const list = useQuery(auditQuery({ ...filters, after: search.after ?? null }));
  const rows = list.data?.nodes;
  const { exporting, problem, save } = useExport(filters);
  const view = (change: AuditSearch) =>
    void navigate({ search: (old) => ({ ...old, ...change, after: undefined }), replace: true });
  const filtered = Boolean(search.account ?? search.act ?? search.kind ?? search.from ?? search.until);
  const account = rows?.find((row) => row.accountId === search.account)?.accountEmail;
  return (
    <Page
      title="Audit"
      acts={
        <Button icon={Download} busy={exporting} onClick={() => void save()}>
          Export
        </Button>
      }
    >
      <div className={`${kit.grid} ${css.dense}`}>
        <p className={kit.say}>
          <strong>Acts of people and operators, newest first.</strong> Each entry was written with the change
          itself. The export has at most {number(MAX_EXPORTED)} entries of this view.
        </p>
        <div className={css.filters}>
          <select
            className={`${kit.input} ${css.pick}`}
            aria-label="Act"
            value={search.act ?? ''}
            onChange={(event) => view({ act: event.target.value || undefined })}
          >
            <option value="">All actions</option>
            {actNames.map(([value, name]) => (
              <option key={value} value={value}>
                {name}
              </option>
            ))}
          </select>
          <select
            className={`${kit.input} ${css.pick}`}
            aria-label="Actor"
            value={search.kind ?? ''}
            onChange={(event) => view({ kind: kinds.find(([kind]) => kind === event.target.value)?.[0] })}
          >
            <option value="">Anyone</option>
            {kinds.map(([value, name]) => (
              <option key={value} value={value}>
                {name}
              </option>
            ))}
          </select>
          <label className={css.date}>
            From{' '}
            <input
              className={`${kit.input} ${css.pick}`}
              type="date"
              value={search.from ?? ''}
              onChange={(event) => view({ from: event.target.value || undefined })}
            />
          </label>
          <label className={css.date}>
            until{' '}
            <input
              className={`${kit.input} ${css.pick}`}
              type="date"
              value={search.until ?? ''}
              onChange={(event) => view({ until: event.target.value || undefined })}
            />
          </label>
          {search.account ? (
            <Button
              icon={X}
              aria-label="Entries of all accounts"
              onClick={() => view({ account: undefined })}
            >
              <bdi>{account ?? shortId(search.account)}</bdi>
            </Button>
          ) : null}
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
            filtered ? (
              <Empty title="No entry matches">
                <Button onClick={() => void navigate({ search: {} })}>Clear filters</Button>
              </Empty>
            ) : (
              <Empty title="No entries">
                <p>Changes by people, API keys and operators are listed here.</p>
              </Empty>
            )
          ) : (
            <AuditTable rows={rows} whole />
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
    </Page>
  );
}

function useExport(filters: Parameters<typeof auditEntries>[0]) {
  const [exporting, setExporting] = useState(false);
  const [problem, setProblem] = useState<string>();
  const save = async () => {
    setExporting(true);
    setProblem(undefined);
    try {
      saveFile('audit', auditCsv(await auditEntries(filters, MAX_EXPORTED)));
    } catch (error) {
      setProblem(explained(error, []).rest.join(' '));
    } finally {
      setExporting(false);
    }
  };
  return { exporting, problem, save };
}
