import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useSyncExternalStore } from 'react';
import { Note, Time } from '../kit/basics';
import { shown } from '../words/errors';
import { gapOf, type Gap } from './connection';
import css from './shell.module.css';

/** Interval in which failed queries are repeated. */
const RETRY_MS = 5000;

/** The bar over all pages that do not show the newest state: offline, or the server refuses or does not answer. */
export function ConnectionBar() {
  const offline = useSyncExternalStore(watchOnline, () => !navigator.onLine);
  const found = useGap();
  if (!offline && !found) return null;
  return (
    <div className={css.banner} role="status">
      <Note tone="warn">
        <strong>{offline ? 'You are offline.' : found ? shown(found.fault).title : ''}</strong>{' '}
        {found ? (
          <>
            This is the state of <Time at={new Date(found.at).toISOString()} />.{' '}
          </>
        ) : null}
        {offline ? 'The page goes on when the connection is back.' : 'Trying again.'}
      </Note>
    </div>
  );
}

function watchOnline(changed: () => void): () => void {
  window.addEventListener('online', changed);
  window.addEventListener('offline', changed);
  return () => {
    window.removeEventListener('online', changed);
    window.removeEventListener('offline', changed);
  };
}

function useGap(): Gap | undefined {
  const client = useQueryClient();
  const last = useRef<Gap>(undefined);
  const found = useSyncExternalStore(
    (changed) => client.getQueryCache().subscribe(changed),
    () => {
      const next = gapOf(client);
      if (next?.at !== last.current?.at || next?.fault !== last.current?.fault) last.current = next;
      return last.current;
    },
  );
  const wait = Math.max(RETRY_MS, (found?.fault.retryAfter ?? 0) * 1000);
  const any = found !== undefined;
  useEffect(() => {
    if (!any) return undefined;
    const timer = setInterval(
      () =>
        void client.refetchQueries({
          type: 'active',
          predicate: ({ state }) => state.status === 'error' && state.data !== undefined,
        }),
      wait,
    );
    return () => clearInterval(timer);
  }, [client, any, wait]);
  return found;
}
