/** Ticked rows of a list. */
import { useState } from 'react';

export interface Selection {
  /** The ticked rows; the rows of the page while all that match are selected. */
  readonly ids: ReadonlySet<string>;
  /** The number of all rows that match while they are selected, those of other pages too; null otherwise. */
  readonly all: number | null;
  /** Number of ticked rows. */
  readonly size: number;
  readonly has: (id: string) => boolean;
  readonly set: (ids: ReadonlySet<string>) => void;
  readonly takeAll: (count: number) => void;
  readonly clear: () => void;
}

const NONE: ReadonlySet<string> = new Set();

/** A selection that ends when the view of the list changes, because its rows are no longer shown. */
export function useSelection(view: string): Selection {
  const [state, setState] = useState<{ view: string; ids: ReadonlySet<string>; all: number | null }>({
    view,
    ids: NONE,
    all: null,
  });
  const { ids, all } = state.view === view ? state : { ids: NONE, all: null };
  const set = (next: ReadonlySet<string>) => setState({ view, ids: next, all: null });
  return {
    ids,
    all,
    size: ids.size,
    has: (id) => ids.has(id),
    set,
    clear: () => set(NONE),
    // The view and the ticks may have changed while the rows were counted.
    takeAll: (count) =>
      setState((now) => (now.view === view && now.ids === ids ? { ...now, all: count } : now)),
  };
}

/** The ids with one more, or without it if it is among them. */
export function toggled(ids: ReadonlySet<string>, id: string): ReadonlySet<string> {
  const next = new Set(ids);
  if (!next.delete(id)) next.add(id);
  return next;
}
