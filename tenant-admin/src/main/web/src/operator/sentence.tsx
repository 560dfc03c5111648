/** The state of the queue in words. */
import type { ReactNode } from 'react';
import { counted, duration, number } from '../words/formats';
import type { Queue } from './queries';
import { totals } from './totals';

/** Seconds within which a first attempt is promised. */
export const PROMISE_SECONDS = 30;

/** Seconds after which an alert is raised. */
export const ALERT_SECONDS = 300;

/** The age of the oldest due mail; a dash without one. */
export function age(seconds: number): string {
  return seconds === 0 ? '–' : duration(seconds * 1000);
}

/** The state and the rate of the queue. */
export function queueSentence(
  queue: Pick<Queue, 'platform' | 'queue'> & { workers: readonly { away: boolean; draining: boolean }[] },
  rate: number | null,
): ReactNode {
  const stop = queue.platform.pausedStreams.length === 1 ? queue.platform.pausedStreams[0] : undefined;
  const { due, oldest } = totals(
    queue.queue,
    stop && (stop.stream === 'CAMPAIGN' ? 'TRANSACTIONAL' : 'CAMPAIGN'),
  );
  const working = queue.workers.filter((worker) => !worker.away && !worker.draining).length;
  const pause = queue.platform.queuePausedReason;
  if (pause !== null)
    return (
      <>
        <strong>Sending is paused.</strong> <bdi>{pause}</bdi>{' '}
        {due === 0 ? 'No mail is due.' : `${counted(due, 'email')} ${due === 1 ? 'waits' : 'wait'}.`}
      </>
    );
  if (working === 0)
    return (
      <>
        <strong>No mail moves.</strong> No worker has reported in the last minute.{' '}
        {due > 0 ? `${counted(due, 'email')} ${due === 1 ? 'waits' : 'wait'}.` : ''}
      </>
    );
  if (!queue.platform.dispatcherActive)
    return (
      <>
        <strong>No mail moves.</strong> {counted(working, 'worker')} {working === 1 ? 'runs' : 'run'}, but due
        mail is not sent.
      </>
    );
  const head =
    oldest >= ALERT_SECONDS
      ? 'Mail is late.'
      : oldest > PROMISE_SECONDS
        ? 'Mail moves slowly.'
        : 'Sending normally.';
  const wait = due === 0 ? 'No mail is due' : `The oldest email that is due has waited ${age(oldest)}`;
  const pace =
    rate === null || rate < 0.05
      ? `${counted(working, 'worker')} ${working === 1 ? 'is' : 'are'} ready`
      : `${counted(working, 'worker')} ${working === 1 ? 'settles' : 'settle'} ${rate < 1 ? rate.toFixed(1) : number(Math.round(rate))} a second`;
  if (stop)
    return (
      <>
        <strong>
          {stop.stream === 'CAMPAIGN' ? 'Campaigns are paused.' : 'Transactional mail is paused.'}
        </strong>{' '}
        <bdi>{stop.reason}</bdi> {stop.stream === 'CAMPAIGN' ? 'Of transactional mail' : 'Of campaigns'}:{' '}
        {wait.charAt(0).toLowerCase() + wait.slice(1)}; {pace}.
      </>
    );
  return (
    <>
      <strong>{head}</strong> {wait}; {pace}.
    </>
  );
}
