/** The stream of the account's events, of which each tab has one. */
import { useEffect, useRef, useSyncExternalStore } from 'react';
import { AccountEventsDocument, FeedEndDocument, type AccountEventsSubscription } from '../gen/graphql';
import { request } from './graphql';
import { read } from './stream';

export type LiveEvent = AccountEventsSubscription['accountEvents'];

const MIN_WAIT_MS = 1000;
const MAX_WAIT_MS = 30_000;

/** Time after which the stream of a hidden tab is closed. */
const HIDDEN_MS = 60_000;

const readers = new Set<(events: readonly LiveEvent[]) => void>();
const watchers = new Set<() => void>();
const rejoined = new Set<() => void>();

/** Time of the interruption of the stream; null while it is open. */
let since: Date | null = null;
let cursor: string | undefined;
let running: AbortController | undefined;

function setSince(value: Date | null): void {
  if ((since === null) === (value === null)) return;
  since = value;
  watchers.forEach((watcher) => watcher());
}

/** Keeps the stream open until the signal ends it. */
async function run(signal: AbortSignal): Promise<void> {
  let wait = MIN_WAIT_MS;
  while (!signal.aborted) {
    const began = Date.now();
    try {
      cursor ??= (await request(FeedEndDocument)).viewer!.eventCursor;
      await follow(signal, cursor);
    } catch {
      // The next attempt follows below.
    }
    if (signal.aborted) return;
    if (Date.now() - began > MAX_WAIT_MS) wait = MIN_WAIT_MS;
    else setSince(since ?? new Date());
    await new Promise((resolve) => setTimeout(resolve, wait));
    wait = Math.min(wait * 2, MAX_WAIT_MS);
  }
}

function follow(signal: AbortSignal, after: string): Promise<void> {
  return read(
    AccountEventsDocument,
    { after },
    signal,
    () => {
      if (since !== null) rejoined.forEach((reader) => reader());
      setSince(null);
    },
    ({ accountEvents }) => {
      cursor = accountEvents.cursor;
      queue(accountEvents);
    },
  );
}

let queued: LiveEvent[] = [];

/** Hands over events in groups: many cause one change of the page. */
function queue(event: LiveEvent): void {
  queued.push(event);
  if (queued.length === 1) {
    setTimeout(() => {
      const events = queued;
      queued = [];
      readers.forEach((reader) => reader(events));
    }, 100);
  }
}

/** Opens the stream; the result closes it. A tab that stays hidden closes it too, until it is shown again. */
export function openLive(): () => void {
  let hidden: number | undefined;
  const begin = () => {
    if (running) return;
    running = new AbortController();
    void run(running.signal);
  };
  const end = () => {
    running?.abort();
    running = undefined;
  };
  const turn = () => {
    window.clearTimeout(hidden);
    if (document.hidden)
      hidden = window.setTimeout(() => {
        end();
        setSince(new Date());
      }, HIDDEN_MS);
    else begin();
  };
  const offline = () => {
    end();
    setSince(new Date());
  };
  document.addEventListener('visibilitychange', turn);
  window.addEventListener('offline', offline);
  window.addEventListener('online', turn);
  begin();
  return () => {
    document.removeEventListener('visibilitychange', turn);
    window.removeEventListener('offline', offline);
    window.removeEventListener('online', turn);
    window.clearTimeout(hidden);
    end();
    cursor = undefined;
    since = null;
  };
}

/** Time since which the page is not live; null while it is. */
export function useLiveSince(): Date | null {
  return useSyncExternalStore(
    (watcher) => {
      watchers.add(watcher);
      return () => watchers.delete(watcher);
    },
    () => since,
  );
}

/** Calls back with new events, and after a gap that the events do not cover. */
export function useEvents(reader: (events: readonly LiveEvent[]) => void, afterGap?: () => void): void {
  const latest = useRef({ reader, afterGap });
  latest.current = { reader, afterGap };
  useEffect(() => {
    const read = (events: readonly LiveEvent[]) => latest.current.reader(events);
    const gap = () => latest.current.afterGap?.();
    readers.add(read);
    rejoined.add(gap);
    return () => {
      readers.delete(read);
      rejoined.delete(gap);
    };
  }, []);
}
