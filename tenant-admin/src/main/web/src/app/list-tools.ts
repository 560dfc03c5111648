/** Columns and named views of lists, which a person keeps in this browser. */
import { useQuery } from '@tanstack/react-query';
import { useSyncExternalStore } from 'react';
import { accountQuery } from './queries';

/** Filters, order and columns of a list under a name. */
export interface SavedView {
  readonly name: string;
  readonly search: Readonly<Record<string, unknown>>;
  readonly columns: readonly string[];
}

const watchers = new Set<() => void>();

function watch(watcher: () => void) {
  watchers.add(watcher);
  return () => watchers.delete(watcher);
}

/** A value in this browser, of the person who is signed in. */
function useKept<T>(name: string, initial: T): [T, (value: T) => void] {
  const account = useQuery(accountQuery).data?.account;
  const key = `mailroom-${name} ${account?.id ?? ''} ${account?.email ?? ''}`;
  const text = useSyncExternalStore(watch, () => localStorage.getItem(key));
  let value = initial;
  try {
    if (text) value = JSON.parse(text) as T;
  } catch {
    // Another program's value.
  }
  return [
    value,
    (next) => {
      localStorage.setItem(key, JSON.stringify(next));
      watchers.forEach((watcher) => watcher());
    },
  ];
}

export interface ListTools {
  /** The heads of the columns that are shown. */
  readonly columns: readonly string[];
  readonly setColumns: (columns: readonly string[]) => void;
  readonly views: readonly SavedView[];
  readonly setViews: (views: readonly SavedView[]) => void;
}

/** The columns and views of a list; standard are the heads that are shown at first. */
export function useListTools(list: string, standard: readonly string[]): ListTools {
  const [columns, setColumns] = useKept(`columns ${list}`, standard);
  const [views, setViews] = useKept<readonly SavedView[]>(`views ${list}`, []);
  return { columns, setColumns, views, setViews };
}
