import { describe, expect, it } from 'vitest';
import { Fault } from '../words/errors';
import { gap } from './connection';

const reading = (
  data: unknown,
  dataUpdatedAt: number,
  error: unknown,
  fetchFailureReason: unknown = null,
) => ({ state: { data, dataUpdatedAt, error, fetchFailureReason } });
const busy = new Fault('service_unavailable', 'The database does not answer', 503);

describe('the state of the connection', () => {
  it('is that of the oldest data whose last reading failed', () => {
    const away = new Fault('unreachable', 'The server does not answer.');
    expect(gap([reading({}, 7, busy), reading({}, 3, null, away), reading({}, 1, null)])).toEqual({
      fault: away,
      at: 3,
    });
  });

  it('is no gap for what was never read, and for errors that do not pass', () => {
    expect(
      gap([reading(undefined, 0, busy), reading({}, 1, new Fault('email_not_found', 'no', 404))]),
    ).toBeUndefined();
  });
});
