/** The parts of a page with the audit log. */
import type { UseQueryResult } from '@tanstack/react-query';
import { Download } from 'lucide-react';
import { lazy, Suspense, useState, type ReactNode } from 'react';
import { Box, Button, Note } from '../kit/basics';
import { FilterBar } from '../kit/filter-bar';
import kit from '../kit/kit.module.css';
import { Empty, Failed, Loading } from '../kit/page';
import { explained } from '../kit/problems';
import { Pager } from '../kit/table';
import { number } from '../words/formats';
import type { History, Row } from './table';

const AuditTable = lazy(() => import('./table').then((module) => ({ default: module.AuditTable })));

/** Largest number of entries of an export. */
const MAX_EXPORTED = 10_000;

type Options = readonly (readonly [string, string])[];

/** The filters of a log and the place in it; from and until are days. */
export interface AuditView {
  readonly act?: string | undefined;
  readonly from?: string | undefined;
  readonly until?: string | undefined;
  readonly after?: string | undefined;
}

interface Log {
  readonly nodes: readonly Row[];
  readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor?: string | null };
}

/** The button that saves the entries of a view, and the problem that it met. */
export function useExport(read: (limit: number) => Promise<readonly Row[]>) {
  const [exporting, setExporting] = useState(false);
  const [problem, setProblem] = useState<string>();
  const save = async () => {
    setExporting(true);
    setProblem(undefined);
    try {
      const [rows, { auditCsv }, { save: saveFile }] = await Promise.all([
        read(MAX_EXPORTED),
        import('./csv'),
        import('../kit/csv'),
      ]);
      saveFile('audit', auditCsv(rows));
    } catch (error) {
      setProblem(explained(error, []).rest.join(' '));
    } finally {
      setExporting(false);
    }
  };
  const button = (
    <Button icon={Download} busy={exporting} onClick={() => void save()}>
      Export
    </Button>
  );
  return { button, problem };
}

/** What the log has, its filters and its entries. */
export function AuditLog({
  says,
  empty,
  problem,
  search,
  acts,
  actor,
  actors,
  more,
  filtered,
  list,
  history,
  account,
  onChange,
  onActor,
  onClear,
}: {
  says: string;
  /** What an empty log will list. */
  empty: string;
  problem: string | undefined;
  search: AuditView;
  acts: Options;
  actor: string | undefined;
  actors: Options;
  more?: ReactNode;
  filtered: boolean;
  list: UseQueryResult<Log>;
  history: History;
  account?: boolean;
  /** Changes the filters, or with after only the place. */
  onChange: (change: AuditView) => void;
  onActor: (actor: string | undefined) => void;
  onClear: () => void;
}) {
  const rows = list.data?.nodes;
  return (
    <div className={kit.grid}>
      <p className={kit.say}>
        <strong>{says}</strong> Each entry was written with the change itself. An export has at most{' '}
        {number(MAX_EXPORTED)} entries of this view.
      </p>
      <FilterBar>
        <Pick
          label="Act"
          all="All actions"
          value={search.act}
          options={acts}
          onPick={(act) => onChange({ act })}
        />
        <Pick label="Actor" all="Anyone" value={actor} options={actors} onPick={onActor} />
        {(['from', 'until'] as const).map((name) => (
          <label key={name}>
            {name === 'from' ? 'From' : 'until'}{' '}
            <input
              className={kit.input}
              type="date"
              value={search[name] ?? ''}
              onChange={(event) => onChange({ [name]: event.target.value || undefined })}
            />
          </label>
        ))}
        {more}
        {filtered ? (
          <Button kind="bare" onClick={onClear}>
            Clear
          </Button>
        ) : null}
      </FilterBar>
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
              <Button onClick={onClear}>Clear filters</Button>
            </Empty>
          ) : (
            <Empty title="No entries">
              <p>{empty}</p>
            </Empty>
          )
        ) : (
          <Suspense fallback={<Loading lines={8} />}>
            <AuditTable rows={rows} history={history} account={account ?? false} />
          </Suspense>
        )}
        <Pager
          from={0}
          shown={rows?.length ?? 0}
          total={null}
          newer={search.after ? () => window.history.back() : undefined}
          older={
            list.data?.pageInfo.hasNextPage
              ? () => onChange({ after: list.data.pageInfo.endCursor ?? undefined })
              : undefined
          }
        />
      </Box>
    </div>
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
  options: Options;
  onPick: (value: string | undefined) => void;
}) {
  return (
    <select
      className={kit.input}
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
