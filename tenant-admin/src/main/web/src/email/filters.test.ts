import { describe, expect, it } from 'vitest';
import { chosenStates, startOf, stateOf, statusOf, tagOf } from './filters';

describe('the filters of emails', () => {
  it('take a tag with or without a value', () => {
    expect(tagOf('kind')).toEqual({ name: 'kind', value: null });
    expect(tagOf('kind = shipped=today')).toEqual({ name: 'kind', value: 'shipped=today' });
    expect(tagOf(' =x')).toBeNull();
    expect(tagOf(null)).toBeNull();
  });

  it('have a status for all of its states, and states otherwise', () => {
    expect(chosenStates('FAILED')).toEqual(['FAILED', 'SUPPRESSED', 'CANCELLED']);
    expect(statusOf(['CANCELLED', 'FAILED', 'SUPPRESSED'])).toBe('FAILED');
    expect(statusOf(['CANCELLED', 'SCHEDULED'])).toBe('.SCHEDULED.CANCELLED');
    expect(chosenStates('.SCHEDULED.CANCELLED')).toEqual(['SCHEDULED', 'CANCELLED']);
    expect(statusOf([])).toBeUndefined();
    expect([stateOf('PENDING', 'scheduled'), stateOf('FAILED', 'suppressed'), stateOf('SENT', 'x')]).toEqual([
      'SCHEDULED',
      'SUPPRESSED',
      'SENT',
    ]);
  });

  it('begin a period before now', () => {
    expect(startOf('24h', Date.parse('2026-11-22T10:00:00Z'))).toBe('2026-11-21T10:00:00.000Z');
    expect(startOf(null)).toBeNull();
  });
});
