/** Streams of the GraphQL endpoint. */
import { useEffect, useRef, useState } from 'react';
import type { TypedDocumentString } from '../gen/graphql';
import { base } from './graphql';
import { session } from './session';
import { authorization } from './watch';

const MIN_WAIT_MS = 1000;
const MAX_WAIT_MS = 30_000;

/** Time after which the stream of a hidden tab is closed. */
const HIDDEN_MS = 60_000;

/** Reads a stream until the server or the signal ends it. */
export async function read<R, V extends Record<string, unknown>>(
  document: TypedDocumentString<R, V>,
  variables: V,
  signal: AbortSignal,
  opened: () => void,
  next: (data: R) => void,
): Promise<void> {
  const { createClient } = await import('graphql-sse');
  const client = createClient({
    url: `${base}/graphql`,
    retryAttempts: 0,
    headers: async () => authorization(await session.token()),
  });
  const stream = client.iterate<R>({ query: String(document), variables }, { connected: opened });
  const stop = () => {
    client.dispose();
  };
  signal.addEventListener('abort', stop);
  try {
    for await (const { data, errors } of stream) {
      if (errors || !data) throw new Error('The stream ended with an error');
      next(data);
    }
  } finally {
    signal.removeEventListener('abort', stop);
    client.dispose();
  }
}

/**
 * Reads a stream while the component is shown, again and again, except in a tab that stays hidden. Without variables it
 * reads none. The result is the time since when the stream is away; null while it is open.
 */
export function useStream<R, V extends Record<string, unknown>>(
  document: TypedDocumentString<R, V>,
  variables: V | null,
  next: (data: R) => void,
): Date | null {
  const [since, setSince] = useState<Date | null>(null);
  const latest = useRef(next);
  latest.current = next;
  const key = variables === null ? null : JSON.stringify(variables);
  useEffect(() => {
    if (key === null) return undefined;
    let running: AbortController | undefined;
    let hidden: number | undefined;
    const away = () => setSince((old) => old ?? new Date());
    const run = async (signal: AbortSignal) => {
      let wait = MIN_WAIT_MS;
      while (!signal.aborted) {
        try {
          await read(
            document,
            JSON.parse(key) as V,
            signal,
            () => setSince(null),
            (data) => {
              wait = MIN_WAIT_MS;
              latest.current(data);
            },
          );
        } catch {
          if (!signal.aborted) away();
        }
        if (signal.aborted) return;
        await new Promise((resolve) => setTimeout(resolve, wait));
        wait = Math.min(wait * 2, MAX_WAIT_MS);
      }
    };
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
      if (window.document.hidden)
        hidden = window.setTimeout(() => {
          end();
          away();
        }, HIDDEN_MS);
      else begin();
    };
    window.document.addEventListener('visibilitychange', turn);
    begin();
    return () => {
      window.document.removeEventListener('visibilitychange', turn);
      window.clearTimeout(hidden);
      end();
    };
  }, [document, key]);
  return key === null ? null : since;
}
