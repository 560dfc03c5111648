import { Pause, Play } from 'lucide-react';
import type { ReactNode } from 'react';
import { Status, Time } from '../kit/basics';
import kit from '../kit/kit.module.css';
import { Empty } from '../kit/page';
import { Table, type Column } from '../kit/table';
import { count, counted, number } from '../words/formats';
import { causes, destinationWord, isIdle } from './causes';
import css from './operator.module.css';
import type { Destination } from './queries';
import { actsColumn, IdleSwitch } from './row-menu';

interface Acts {
  readonly hold: (row: Destination) => void;
  readonly release: (row: Destination) => void;
}

/** The recipient domains with traffic or a problem, and with a switch the others. */
export function Destinations({
  rows,
  acts,
  idle,
  onIdle,
}: {
  rows: readonly Destination[] | undefined;
  acts: Acts;
  idle: boolean;
  onIdle: (shown: boolean) => void;
}) {
  const busy = rows?.filter((row) => !isIdle(row));
  return (
    <>
      {busy?.length === 0 && !idle ? (
        <Empty title="All are idle">
          <p>No mail is handed over or waits, and none is deferred.</p>
        </Empty>
      ) : (
        <DestinationsTable rows={idle ? rows : busy} acts={acts} />
      )}
      {rows && busy ? (
        <IdleSwitch idle={rows.length - busy.length} noun="host" shown={idle} onChange={onIdle} />
      ) : null}
    </>
  );
}

/** Recipient domains with their circuits, connections and deferrals. */
export function DestinationsTable({ rows, acts }: { rows: readonly Destination[] | undefined; acts?: Acts }) {
  const columns: Column<Destination>[] = [
    { head: 'Host', upTo: true, narrow: 1, cell: (row) => <bdi className={kit.label}>{row.domain}</bdi> },
    { head: 'State', narrow: 2, cell: (row) => <Status word={destinationWord(row)} /> },
    {
      head: 'Connections',
      right: true,
      cell: (row) =>
        quiet(
          row.connections === 0,
          row.connectionLimit > 0 ? `${number(row.connections)} of ${number(row.connectionLimit)}` : '–',
        ),
    },
    { head: 'A minute', right: true, cell: (row) => quiet(row.rate === 0, count(row.rate)) },
    {
      head: 'Deferred',
      right: true,
      ...(acts ? {} : { narrow: 4 as const }),
      cell: (row) => (
        <span title={causes(row.deferrals)} className={row.deferred === 0 ? kit.quiet : undefined}>
          {count(row.deferred)}
        </span>
      ),
    },
    { head: 'Waiting', right: true, cell: (row) => quiet(row.waiting === 0, count(row.waiting)) },
    {
      head: 'Last answer',
      grow: true,
      narrow: 3,
      cell: (row) => (
        <span className={css.two}>
          {answer(row)}
          <small title={causes(row.deferrals)}>{causes(row.deferrals)}</small>
        </span>
      ),
    },
    { head: 'Now', right: true, cell: (row) => <span className={kit.quiet}>{now(row)}</span> },
  ];
  if (acts)
    columns.push(
      actsColumn(
        (row) => row.domain,
        (row) => [
          row.held === null
            ? { text: 'Hold', icon: Pause, act: () => acts.hold(row) }
            : { text: 'Release', icon: Play, act: () => acts.release(row) },
        ],
      ),
    );
  return <Table label="Destinations" rows={rows} id={(row) => row.domain} columns={columns} />;
}

const quiet = (when: boolean, text: string) => <span className={when ? kit.quiet : undefined}>{text}</span>;

/** The reason of the hold, or the last reply. */
function answer({ held, reply, waiting }: Destination): ReactNode {
  if (held !== null)
    return (
      <span title={held.reason}>
        <bdi>{held.reason}</bdi>
      </span>
    );
  return reply ? (
    <span className={`${kit.mono} ${kit.second}`} title={reply}>
      {reply}
    </span>
  ) : (
    <span className={kit.quiet}>
      –<span className={kit.narrowOnly}> {counted(waiting, 'email')} waiting</span>
    </span>
  );
}

/** The next step for its mail. */
function now({ held, circuit, closedUntil, deferred, nextAt }: Destination): ReactNode {
  if (held !== null)
    return held.until ? (
      <>
        until <Time at={held.until} />
      </>
    ) : (
      'until released'
    );
  if (circuit === 'OPEN' && closedUntil)
    return (
      <>
        left alone until <Time at={closedUntil} />
      </>
    );
  if (circuit === 'HALF_OPEN') return 'trying one';
  return deferred > 0 ? (
    <>
      next at <Time at={nextAt} />
    </>
  ) : (
    '–'
  );
}
