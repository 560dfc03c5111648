/** Tables of lists: one line a row on wide screens, two on narrow ones. */
import { ArrowDown, ArrowUp, ChevronLeft, ChevronRight } from 'lucide-react';
import { useEffect, useRef, type MouseEvent, type ReactNode } from 'react';
import { base } from '../app/graphql';
import type { Right } from '../gen/graphql';
import { number } from '../words/formats';
import { Button, cx } from './basics';
import css from './kit.module.css';
import { Skeleton, useLate } from './page';
import { useRights } from './rights';
import { toggled, type Selection } from './selection';
import narrow from './table.module.css';

export interface Column<T> {
  readonly head: string;
  readonly cell: (row: T) => ReactNode;
  readonly right?: boolean;
  /** The column that takes the width which the others leave. */
  readonly grow?: boolean;
  readonly upTo?: boolean;
  /** Whether the rows are in the order of this column: the newest first, or the oldest. */
  readonly sorted?: boolean | 'ascending';
  /** Reverses the order. */
  readonly onSort?: () => void;
  /** Place on narrow screens: 1 and 2 in the first line, 3 and 4 in the second; hidden without one. */
  readonly narrow?: 1 | 2 | 3 | 4;
  /** The right without which the column is left out. */
  readonly needs?: Right;
}

export interface TableProps<T> {
  readonly label: string;
  readonly columns: readonly Column<T>[];
  /** undefined while they load. */
  readonly rows: readonly T[] | undefined;
  readonly id: (row: T) => string;
  readonly onOpen?: (row: T) => void;
  readonly href?: (row: T) => string;
  readonly selected?: string | undefined;
  readonly full?: boolean;
  /** Whether a row no longer belongs to the list. */
  readonly faded?: (row: T) => boolean;
  /** Ticks of the rows, for acts on many of them; x ticks the row with the focus. */
  readonly ticks?: Selection;
  /** The name of a row that a ticked one is announced with. */
  readonly name?: (row: T) => string;
}

const places = [undefined, narrow.first, narrow.second, narrow.third, narrow.fourth];

export function Table<T>({
  label,
  columns: all,
  rows,
  id,
  onOpen,
  href,
  selected,
  full = false,
  ticks,
  name,
  faded,
}: TableProps<T>) {
  const late = useLate();
  const { may } = useRights();
  const columns = all.filter((column) => may(column.needs));
  const body = useRef<HTMLTableSectionElement>(null);
  useRowKeys(body, Boolean(onOpen), ticks);
  const open = (event: MouseEvent, row: T) => {
    if ((event.target as HTMLElement).closest('a, button, input, select, label')) return;
    if ((event.ctrlKey || event.metaKey) && href) window.open(base + href(row), '_blank', 'noopener');
    else onOpen?.(row);
  };
  const place = (column: Column<T>) =>
    cx(
      column.right && css.right,
      column.grow && css.grow,
      column.upTo && css.upTo,
      column.narrow ? places[column.narrow] : narrow.off,
    );
  return (
    <div className={css.tableWrap}>
      <table className={cx(css.table, full && css.full)} aria-label={label} aria-busy={rows === undefined}>
        <thead>
          <tr>
            {ticks ? (
              <th scope="col" className={narrow.tick}>
                <TickAll ids={rows?.map(id) ?? []} ticks={ticks} />
              </th>
            ) : null}
            {columns.map((column) => (
              <th
                key={column.head}
                scope="col"
                aria-sort={
                  column.sorted === 'ascending' ? 'ascending' : column.sorted ? 'descending' : undefined
                }
                className={cx(column.right && css.right)}
              >
                {column.onSort ? (
                  <button type="button" className={narrow.sort} onClick={column.onSort}>
                    {column.head}
                    <Arrow sorted={column.sorted} />
                  </button>
                ) : (
                  <>
                    {column.head}
                    <Arrow sorted={column.sorted} />
                  </>
                )}
              </th>
            ))}
          </tr>
        </thead>
        <tbody ref={body}>
          {rows?.map((row) => (
            <tr
              key={id(row)}
              data-id={id(row)}
              className={cx(onOpen && css.open, faded?.(row) && narrow.faded)}
              aria-selected={
                selected === undefined && !ticks ? undefined : selected === id(row) || ticks?.has(id(row))
              }
              onClick={(event) => open(event, row)}
            >
              {ticks ? (
                <td className={narrow.tick}>
                  <Tick
                    on={ticks.has(id(row))}
                    any={ticks.size > 0}
                    label={`Select ${name?.(row) ?? ''}`}
                    onChange={() => ticks.set(toggled(ticks.ids, id(row)))}
                  />
                </td>
              ) : null}
              {columns.map((column) => (
                <td key={column.head} className={place(column)}>
                  {column.cell(row)}
                </td>
              ))}
            </tr>
          ))}
          {rows === undefined && late
            ? Array.from({ length: 8 }, (_, row) => (
                <tr key={row}>
                  {ticks ? (
                    <td className={narrow.tick}>
                      <Skeleton width="16px" />
                    </td>
                  ) : null}
                  {columns.map((column) => (
                    <td key={column.head} className={place(column)}>
                      <Skeleton width={column.grow ? '70%' : '72px'} />
                    </td>
                  ))}
                </tr>
              ))
            : null}
        </tbody>
      </table>
    </div>
  );
}

function Arrow({ sorted }: { sorted: boolean | 'ascending' | undefined }) {
  if (!sorted) return null;
  const Icon = sorted === 'ascending' ? ArrowUp : ArrowDown;
  return <Icon className={narrow.sorted} size={13} aria-hidden />;
}

function Tick({
  on,
  any,
  label,
  onChange,
}: {
  on: boolean;
  any: boolean;
  label: string;
  onChange: () => void;
}) {
  return (
    <label className={narrow.box} data-any={any || undefined}>
      <input type="checkbox" checked={on} aria-label={label} onChange={onChange} />
    </label>
  );
}

/** Ticks all rows of the page, or none. */
function TickAll({ ids, ticks }: { ids: readonly string[]; ticks: Selection }) {
  const on = ids.length > 0 && ids.every((each) => ticks.has(each));
  return (
    <label className={narrow.box} data-any={ticks.size > 0 || undefined}>
      <input
        type="checkbox"
        checked={on}
        aria-label="Select all on this page"
        onChange={() => ticks.set(on ? new Set() : new Set(ids))}
        ref={(input) => {
          if (input) input.indeterminate = !on && ids.some((each) => ticks.has(each));
        }}
      />
    </label>
  );
}

/** j and k move between the links of the rows, x ticks the row with the focus. */
function useRowKeys(
  body: { current: HTMLElement | null },
  enabled: boolean,
  ticks: Selection | undefined,
): void {
  const latest = useRef(ticks);
  latest.current = ticks;
  useEffect(() => {
    if (!enabled) return undefined;
    const move = (event: KeyboardEvent) => {
      if (
        event.key === 'x'
        && latest.current
        && !event.ctrlKey
        && !event.metaKey
        && !event.altKey
        && document.documentElement.dataset.shortcuts !== 'off'
      ) {
        const row = (document.activeElement as HTMLElement | null)?.closest<HTMLElement>('tr[data-id]');
        if (row && body.current?.contains(row))
          latest.current.set(toggled(latest.current.ids, row.dataset.id!));
        return;
      }
      if ((event.key !== 'j' && event.key !== 'k') || event.ctrlKey || event.metaKey || event.altKey) return;
      if (
        document.documentElement.dataset.shortcuts === 'off'
        || (event.target as HTMLElement).closest('input, textarea, select, [role=dialog]')
      )
        return;
      const links = [...(body.current?.querySelectorAll<HTMLElement>('tr [data-row]') ?? [])];
      const at = links.indexOf(document.activeElement as HTMLElement);
      links[event.key === 'j' ? Math.min(at + 1, links.length - 1) : Math.max(at - 1, 0)]?.focus();
    };
    window.addEventListener('keydown', move);
    return () => window.removeEventListener('keydown', move);
  }, [body, enabled]);
}

/** Buttons for the pages of a list, and the number of its items where it is known. */
export function Pager({
  from,
  shown,
  total,
  older,
  newer,
  ascending = false,
}: {
  /** Whether the list is oldest first: then a newer part follows. */
  ascending?: boolean;
  from: number;
  shown: number;
  total?: number | null;
  older: (() => void) | undefined;
  newer: (() => void) | undefined;
}) {
  if (!older && !newer) return null;
  return (
    <nav className={css.pager} aria-label="Parts of the list">
      <span className={css.num}>
        {from > 0 ? `${number(from)}–${number(from + shown - 1)}` : `${number(shown)} shown`}
        {total == null ? '' : ` of ${number(total)}`}
      </span>
      <div className={css.acts}>
        {newer ? (
          <Button small icon={ChevronLeft} onClick={newer}>
            {ascending ? 'Older' : 'Newer'}
          </Button>
        ) : null}
        {older ? (
          <Button small onClick={older}>
            {ascending ? 'Newer' : 'Older'}
            <ChevronRight size={14} aria-hidden />
          </Button>
        ) : null}
      </div>
    </nav>
  );
}
