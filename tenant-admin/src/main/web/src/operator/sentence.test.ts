import type { ReactElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { describe, expect, it } from 'vitest';
import type { Queue } from './queries';
import { queueSentence } from './sentence';

const queue = {
  platform: { dispatcherActive: true, queuePausedReason: null, pausedStreams: [] },
  queue: [
    {
      phase: 'QUEUED',
      stream: 'TRANSACTIONAL',
      count: 2,
      due: 2,
      retries: 0,
      scheduled: 0,
      oldestSeconds: 3,
    },
    { phase: 'QUEUED', stream: 'CAMPAIGN', count: 9, due: 9, retries: 0, scheduled: 0, oldestSeconds: 400 },
  ],
  workers: [
    { away: false, draining: false },
    { away: false, draining: true },
  ],
} as unknown as Queue;

const words = (change: object) =>
  renderToStaticMarkup(queueSentence({ ...queue, ...change }, null) as ReactElement).replace(/<[^>]*>/g, '');

describe('the sentence about the queue', () => {
  it('counts the workers that are neither away nor draining', () => {
    expect(words({})).toContain('1 worker is ready');
    expect(words({ workers: [{ away: false, draining: true }] })).toContain('No mail moves.');
  });

  it('names a paused stream, and the age of the other one only', () => {
    const paused = words({
      platform: { ...queue.platform, pausedStreams: [{ stream: 'CAMPAIGN', reason: 'list bought' }] },
    });
    expect(paused).toContain('Campaigns are paused. list bought');
    expect(paused).toContain('waited 3');
    expect(words({})).toContain('Mail is late.');
  });
});
