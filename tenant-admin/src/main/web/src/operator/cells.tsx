/** Other cells: their states, and their accounts that match a search. Each cell is asked by itself and may fail alone. */
import { useQuery } from '@tanstack/react-query';
import { Check, OctagonX, TriangleAlert, Unplug } from 'lucide-react';
import { cells, pathOf } from '../app/config';
import { base, send } from '../app/graphql';
import { session } from '../app/session';
import { CellStateDocument, FindAccountsDocument, type TypedDocumentString } from '../gen/graphql';
import { Box, Status } from '../kit/basics';
import kit from '../kit/kit.module.css';
import { Table } from '../kit/table';
import { Fault } from '../words/errors';
import { number } from '../words/formats';
import { accountWord, type Word } from '../words/status';
import css from './operator.module.css';
import { age, ALERT_SECONDS } from './sentence';
import { totals } from './totals';

/** Time after which a cell counts as not reachable. */
const DEADLINE_MS = 5_000;

const STATES_MS = 15_000;

/** Reads from cells with the operator's token of this one; each result has the data or the error of one cell. */
async function read<R, V>(names: readonly string[], document: TypedDocumentString<R, V>, variables: V) {
  const token = (await session.token()) ?? '';
  return Promise.all(
    names.map(async (cell): Promise<{ cell: string; data?: R; error?: Error }> => {
      const late = new Promise<never>((_, reject) => {
        setTimeout(() => reject(new Fault('unreachable', 'It does not answer.')), DEADLINE_MS);
      });
      try {
        return { cell, data: await Promise.race([send(document, variables, token, pathOf(cell)), late]) };
      } catch (error) {
        // A proxy whose cell is away answers for it.
        const silent = error instanceof Fault && error.status >= 500;
        return { cell, error: silent ? new Fault('unreachable', 'It does not answer.') : (error as Error) };
      }
    }),
  );
}

const away: Word = { tone: 'bad', text: 'Not reachable', icon: Unplug };
const refused: Word = { tone: 'bad', text: 'Not permitted', icon: OctagonX };
const failing: Word = { tone: 'bad', text: 'Failed', icon: OctagonX };
const warning: Word = { tone: 'warn', text: 'Warning', icon: TriangleAlert };
const working: Word = { tone: 'good', text: 'Works', icon: Check };

/** The state of a cell that did not answer as it should. */
function wrong(error: unknown): Word {
  const status = error instanceof Fault ? error.status : 0;
  return status >= 400 && status < 500 ? refused : away;
}

/** All cells, each with a link to its console. */
export function Cells() {
  const states = useQuery({
    queryKey: ['operator', 'one', 'cells'],
    queryFn: () => read(cells(), CellStateDocument, {}),
    refetchInterval: STATES_MS,
  });
  const rows = states.data?.map(({ cell, data, error }) => {
    if (!data) return { cell, error, word: wrong(error) };
    const { platform, queue, healthChecks, traffic } = data.operator!;
    const { due, oldest } = totals(queue);
    const findings = healthChecks.filter((check) => check.result !== 'OK');
    const minute = traffic[0];
    return {
      cell,
      due,
      oldest,
      rate: minute ? (minute.delivered + minute.bounced + minute.failed) / 60 : 0,
      paused: platform.queuePausedReason,
      findings,
      word: findings.some((check) => check.result === 'FAILED')
        ? failing
        : findings.length > 0
          ? warning
          : working,
    };
  });
  return (
    <Box title="Cells" side={<span>each with its own console</span>}>
      <Table
        label="Cells"
        rows={rows}
        id={(row) => row.cell}
        columns={[
          {
            head: 'Cell',
            narrow: 1,
            cell: (row) =>
              pathOf(row.cell) === base ? (
                <strong aria-current="page">{row.cell}</strong>
              ) : (
                <a className={kit.row} href={`${pathOf(row.cell)}/operator`}>
                  {row.cell}
                </a>
              ),
          },
          { head: 'State', narrow: 2, cell: (row) => <Status word={row.word} /> },
          { head: 'Due now', right: true, narrow: 4, cell: (row) => figure(row.due) },
          {
            head: 'Oldest due',
            right: true,
            cell: (row) =>
              row.oldest === undefined ? null : (
                <span className={row.oldest >= ALERT_SECONDS ? kit.wrongTone : undefined}>
                  {age(row.oldest)}
                </span>
              ),
          },
          {
            head: 'A second',
            right: true,
            cell: (row) =>
              row.rate === undefined ? null : row.rate < 10 ? row.rate.toFixed(1) : number(row.rate),
          },
          {
            head: 'Alerts',
            grow: true,
            narrow: 3,
            cell: (row) => (
              <span className={kit.quiet}>
                {row.error
                  ? row.error.message
                  : [row.paused, ...(row.findings ?? []).map((check) => check.finding)]
                      .filter(Boolean)
                      .join(' ')}
              </span>
            ),
          },
        ]}
      />
    </Box>
  );
}

const figure = (value: number | undefined) => (value === undefined ? null : number(value));

/** Accounts of the other cells that match a search, each with a link to its page in the console of its cell. */
export function AccountsElsewhere({ search }: { search: string }) {
  const others = cells().filter((cell) => pathOf(cell) !== base);
  const found = useQuery({
    queryKey: ['operator', 'list', 'cells', search],
    queryFn: () => read(others, FindAccountsDocument, { search }),
  });
  const failed = found.data?.filter(({ error }) => error) ?? [];
  const rows = found.data?.flatMap(({ cell, data }) =>
    (data?.operator?.accounts.nodes ?? []).map((account) => ({ ...account, cell })),
  );
  return (
    <Box title="In other cells">
      {failed.length > 0 ? (
        <p className={css.none} role="alert">
          {failed.map(({ cell, error }) => `${cell} was not searched: ${error?.message}`).join(' ')}
        </p>
      ) : null}
      {rows?.length === 0 ? (
        failed.length < others.length ? (
          <p className={css.none}>No other account matches.</p>
        ) : null
      ) : (
        <Table
          label="Accounts in other cells"
          rows={rows}
          id={(row) => `${row.cell} ${row.id}`}
          columns={[
            {
              head: 'Name',
              grow: true,
              narrow: 1,
              cell: (row) => (
                <a className={kit.row} href={`${pathOf(row.cell)}/operator/accounts/${row.id}`}>
                  <bdi>{row.name || row.email || row.id}</bdi>
                  {row.name && row.email ? (
                    <span className={kit.quiet}>
                      {' '}
                      <bdi>{row.email}</bdi>
                    </span>
                  ) : null}
                </a>
              ),
            },
            { head: 'Cell', narrow: 3, cell: (row) => row.cell },
            { head: 'Plan', narrow: 4, cell: (row) => <span className={kit.second}>{row.plan}</span> },
            { head: 'State', narrow: 2, cell: (row) => <Status word={accountWord(row)} /> },
          ]}
        />
      )}
    </Box>
  );
}
