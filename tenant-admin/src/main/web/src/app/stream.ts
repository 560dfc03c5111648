/** Streams of states of the server, which are opened again when they end. */
import { useEffect, useRef, useState } from 'react';
import type { TypedDocumentString } from '../gen/graphql';
import { session } from './session';

const MIN_WAIT_MS = 1000;
const MAX_WAIT_MS = 30_000;

/** Time after which the stream of a hidden tab is closed. */
const HIDDEN_MS = 60_000;

/** Calls back with each state while the component is shown; the result is since when the stream is away, or null. */
export function useStream<R>(document: TypedDocumentString<R, Record<string, never>>, onData: (data: R) => void): Date | null {
  const [since, setSince] = useState<Date | null>(null);
  const latest = useRef(onData);
  latest.current = onData;
  useEffect(() => follow(document, (data) => { setSince(null); latest.current(data); }, () => setSince((old) => old ?? new Date())), [document]);
  return since;
}

/** Keeps a stream open until the result is called; a tab that stays hidden closes it until it is shown again. */
function follow<R>(document: TypedDocumentString<R, Record<string, never>>, onData: (data: R) => void, onEnd: () => void): () => void {
  let running: AbortController | undefined;
  let hidden: number | undefined;
  const turn = () => {
    window.clearTimeout(hidden);
    if (window.document.hidden) {
      hidden = window.setTimeout(() => { running?.abort(); running = undefined; onEnd(); }, HIDDEN_MS);
    } else if (!running) {
      running = new AbortController();
      void repeat(document, onData, onEnd, running.signal);
    }
  };
  window.document.addEventListener('visibilitychange', turn);
  turn();
  return () => {
    window.document.removeEventListener('visibilitychange', turn);
    window.clearTimeout(hidden);
    running?.abort();
  };
}

async function repeat<R>(document: TypedDocumentString<R, Record<string, never>>, onData: (data: R) => void, onEnd: () => void, signal: AbortSignal): Promise<void> {
  let wait = MIN_WAIT_MS;
  while (!signal.aborted) {
    try {
      await read(document, (data) => { wait = MIN_WAIT_MS; onData(data); }, signal);
    } catch {
      // The next attempt follows below.
    }
    if (signal.aborted) return;
    onEnd();
    await new Promise((resolve) => setTimeout(resolve, wait));
    wait = Math.min(wait * 2, MAX_WAIT_MS);
  }
}

async function read<R>(document: TypedDocumentString<R, Record<string, never>>, onData: (data: R) => void, signal: AbortSignal): Promise<void> {
  const { createClient } = await import('graphql-sse');
  const client = createClient({
    url: '/graphql', retryAttempts: 0,
    headers: async () => ({ Authorization: `Bearer ${await session.token() ?? ''}` }),
  });
  const stop = () => { client.dispose(); };
  signal.addEventListener('abort', stop);
  try {
    for await (const { data, errors } of client.iterate<R>({ query: String(document) })) {
      if (errors || !data) throw new Error('The stream ended with an error');
      onData(data as R);
    }
  } finally {
    signal.removeEventListener('abort', stop);
    client.dispose();
  }
}
