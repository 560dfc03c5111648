/** The live state of the platform, with the samples that the charts show. */
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useStream } from '../app/stream';
import { PlatformStatesDocument } from '../gen/graphql';
import { queueQuery } from './queries';
import { appended, type Sample } from './series';
import { totals } from './totals';

/** Samples outlive the page, which has them again when it is opened next. */
let samples: readonly Sample[] = [];

/** The queue, patched every two seconds; since when it is not live. */
export function useQueue() {
  const client = useQueryClient();
  const query = useQuery(queueQuery);
  const [shown, setShown] = useState(samples);
  const since = useStream(
    PlatformStatesDocument,
    {},
    ({ platformStatus: { at, settledToday, ...state } }) => {
      client.setQueryData(queueQuery.queryKey, (old) => (old ? { ...old, ...state } : old));
      samples = appended(samples, {
        at: new Date(at).getTime(),
        settled: settledToday,
        oldest: totals(state.queue).oldest,
      });
      setShown(samples);
    },
  );
  return { query, since, samples: shown };
}
