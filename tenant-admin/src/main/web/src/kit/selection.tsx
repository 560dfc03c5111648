/** Ticked rows of a list, and the bar with the acts on them. */
import { X } from 'lucide-react';
import { useState, type ReactNode } from 'react';
import { number } from '../words/formats';
import { Button } from './basics';
import css from './selection.module.css';

export interface Selection {
  /** The ticked rows; the rows of the page while all that match are selected. */
  readonly ids: ReadonlySet<string>;
  /** Whether all rows that match are selected, those of other pages too. */
  readonly all: boolean;
  /** Number of ticked rows. */
  readonly size: number;
  readonly has: (id: string) => boolean;
  readonly set: (ids: ReadonlySet<string>) => void;
  readonly takeAll: () => void;
  readonly clear: () => void;
}

const NONE: ReadonlySet<string> = new Set();

/** A selection that ends when the view of the list changes, because its rows are no longer shown. */
export function useSelection(view: string): Selection {
  const [state, setState] = useState({ view, ids: NONE, all: false });
  const { ids, all } = state.view === view ? state : { ids: NONE, all: false };
  const change = (next: ReadonlySet<string>, every: boolean) => setState({ view, ids: next, all: every });
  return {
    ids, all, size: ids.size, has: (id) => ids.has(id),
    set: (next) => change(next, false), takeAll: () => change(ids, true), clear: () => change(NONE, false),
  };
}

/** The ids with one more, or without it if it is among them. */
export function toggled(ids: ReadonlySet<string>, id: string): ReadonlySet<string> {
  const next = new Set(ids);
  if (!next.delete(id)) next.add(id);
  return next;
}

/** Number of selected rows, and a way to select all that match. */
export function SelectionBar({ ticks, shown, total, children }: { ticks: Selection; shown: number; total: number | null; children: ReactNode }) {
  if (ticks.size === 0) return null;
  const more = total !== null && total > shown && ticks.size >= shown;
  return (
    <div className={css.bar} role="toolbar" aria-label="Selection">
      <span role="status">{ticks.all && total !== null ? `All ${number(total)} that match` : `${number(ticks.size)} selected`}</span>
      {more && !ticks.all ? <Button small onClick={ticks.takeAll}>All {number(total)} that match</Button> : null}
      <div className={css.acts}>{children}</div>
      <Button small kind="bare" iconOnly icon={X} aria-label="End the selection" onClick={ticks.clear} />
    </div>
  );
}
