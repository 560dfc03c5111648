/** Sums of the parts of the queue. */
import type { EmailStream } from '../gen/graphql';
import type { Queue } from './queries';

export interface Totals {
  readonly due: number;
  readonly inHand: number;
  readonly retries: number;
  readonly scheduled: number;
  /** Age of the oldest due mail in seconds. */
  readonly oldest: number;
}

/** The sums of the parts of the queue, or of those of one stream. */
export function totals(queue: Queue['queue'], stream?: EmailStream): Totals {
  const parts = queue.filter((part) => stream === undefined || part.stream === stream);
  const sum = (value: (part: Queue['queue'][number]) => number) =>
    parts.reduce((total, part) => total + value(part), 0);
  return {
    due: sum((part) => part.due),
    retries: sum((part) => part.retries),
    scheduled: sum((part) => part.scheduled),
    inHand: sum((part) => (part.phase === 'QUEUED' ? 0 : part.count)),
    oldest: Math.max(0, ...parts.map((part) => part.oldestSeconds)),
  };
}
