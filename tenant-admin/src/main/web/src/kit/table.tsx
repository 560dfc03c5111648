/** Tables of lists: one line a row on wide screens, two on narrow ones. */
import { ChevronLeft, ChevronRight } from 'lucide-react';
import { useEffect, useRef, type MouseEvent, type ReactNode } from 'react';
import { number } from '../words/formats';
import { Button, cx } from './basics';
import css from './kit.module.css';
import narrow from './table.module.css';
import { Skeleton, useLate } from './page';

export interface Column<T> {
  readonly head: string;
  readonly cell: (row: T) => ReactNode;
  readonly right?: boolean;
  /** The column that takes the width which the others leave. */
  readonly grow?: boolean;
  readonly upTo?: boolean;
  /** Place on narrow screens: 1 and 2 in the first line, 3 and 4 in the second; hidden without one. */
  readonly narrow?: 1 | 2 | 3 | 4;
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
}

const places = [undefined, narrow.first, narrow.second, narrow.third, narrow.fourth];

export function Table<T>({ label, columns, rows, id, onOpen, href, selected, full = false }: TableProps<T>) {
  const late = useLate();
  const body = useRef<HTMLTableSectionElement>(null);
  useRowKeys(body, Boolean(onOpen));
  const open = (event: MouseEvent, row: T) => {
    if ((event.target as HTMLElement).closest('a, button, input, select')) return;
    if ((event.ctrlKey || event.metaKey) && href) window.open(href(row), '_blank', 'noopener');
    else onOpen?.(row);
  };
  const place = (column: Column<T>) => cx(column.right && css.right, column.grow && css.grow, column.upTo && css.upTo,
    column.narrow ? places[column.narrow] : narrow.off);
  return (
    <div className={css.tableWrap}>
      <table className={cx(css.table, full && css.full)} aria-label={label} aria-busy={rows === undefined}>
        <thead><tr>{columns.map((column) => <th key={column.head} scope="col" className={cx(column.right && css.right)}>{column.head}</th>)}</tr></thead>
        <tbody ref={body}>
          {rows?.map((row) => (
            <tr key={id(row)} className={onOpen ? css.open : undefined} aria-selected={selected === undefined ? undefined : selected === id(row)} onClick={(event) => open(event, row)}>
              {columns.map((column) => <td key={column.head} className={place(column)}>{column.cell(row)}</td>)}
            </tr>
          ))}
          {rows === undefined && late ? Array.from({ length: 8 }, (_, row) => (
            <tr key={row}>{columns.map((column) => <td key={column.head} className={place(column)}><Skeleton width={column.grow ? '70%' : '72px'} /></td>)}</tr>
          )) : null}
        </tbody>
      </table>
    </div>
  );
}

/** j and k move between the links of the rows. */
function useRowKeys(body: { current: HTMLElement | null }, enabled: boolean): void {
  useEffect(() => {
    if (!enabled) return undefined;
    const move = (event: KeyboardEvent) => {
      if ((event.key !== 'j' && event.key !== 'k') || event.ctrlKey || event.metaKey || event.altKey) return;
      if (document.documentElement.dataset.shortcuts === 'off' || (event.target as HTMLElement).closest('input, textarea, select, [role=dialog]')) return;
      const links = [...(body.current?.querySelectorAll<HTMLElement>('tr a[data-row]') ?? [])];
      const at = links.indexOf(document.activeElement as HTMLElement);
      links[event.key === 'j' ? Math.min(at + 1, links.length - 1) : Math.max(at - 1, 0)]?.focus();
    };
    window.addEventListener('keydown', move);
    return () => window.removeEventListener('keydown', move);
  }, [body, enabled]);
}

/** Buttons for the pages of a list, and the number of its items where it is known. */
export function Pager({ from, shown, total, older, newer }: {
  from: number; shown: number; total: number | null; older: (() => void) | undefined; newer: (() => void) | undefined;
}) {
  if (!older && !newer) return null;
  return (
    <nav className={css.pager} aria-label="Pages">
      <span className={css.num}>{from > 0 ? `${number(from)}–${number(from + shown - 1)}` : `${number(shown)} shown`}{total === null ? '' : ` of ${number(total)}`}</span>
      <div className={css.acts}>
        {newer ? <Button small icon={ChevronLeft} onClick={newer}>Newer</Button> : null}
        {older ? <Button small onClick={older}>Older<ChevronRight size={14} aria-hidden /></Button> : null}
      </div>
    </nav>
  );
}
