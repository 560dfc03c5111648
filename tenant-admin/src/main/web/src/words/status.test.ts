import { describe, expect, it } from 'vitest';
import { accountWord, domainWord, emailWord, foundValue, recordWord, workerWord } from './status';

describe('statuses', () => {
  it('makes the word of an email from its status and its latest event', () => {
    const text = (...[status, event]: Parameters<typeof emailWord>) => emailWord(status, event).text;
    expect(text('PENDING', 'queued')).toBe('Queued');
    expect(text('PENDING', 'scheduled')).toBe('Scheduled');
    expect(text('PENDING', 'delivery_delayed')).toBe('Deferred');
    expect(text('DELIVERED', 'opened')).toBe('Delivered');
    expect(text('FAILED', 'cancelled')).toBe('Cancelled');
    expect(text('FAILED', 'suppressed')).toBe('Suppressed');
    expect(text('FAILED', 'failed')).toBe('Failed');
  });

  it('names domains by whether they send', () => {
    expect(domainWord('TEMPORARY_FAILURE')).toMatchObject({ text: 'Record lost', tone: 'warn' });
    expect(domainWord('FAILED')).toMatchObject({ text: 'Suspended', tone: 'bad' });
  });

  it('reads the value that a lookup found', () => {
    expect(foundValue('Expected TXT a.test to be x, found nothing')).toBe('');
    expect(foundValue('Expected TXT a.test to be x, found y, found z')).toBe('z');
    expect(foundValue('The name servers did not answer for a.test; the lookup is repeated')).toBeNull();
    expect(foundValue(null)).toBeNull();
  });

  it('warns of a recommended record and refuses a needed one', () => {
    const record = {
      status: 'FAILED',
      value: 'v=DKIM1; k=rsa; p=x',
      error: 'Expected TXT a to be b, found nothing',
    } as const;
    expect(recordWord({ ...record, purpose: 'DKIM' })).toMatchObject({ text: 'Not found', tone: 'bad' });
    expect(recordWord({ ...record, purpose: 'DKIM', value: 'v=DKIM1; k=ed25519; p=x' })).toMatchObject({
      tone: 'warn',
    });
    expect(recordWord({ ...record, purpose: 'SPF', error: 'Expected TXT a to be b, found c' })).toMatchObject(
      { text: 'Differs', tone: 'warn' },
    );
  });

  it('tells a worker that stops from one that is not heard of', () => {
    expect(workerWord({ away: false, draining: false })).toMatchObject({ text: 'Working', tone: 'good' });
    expect(workerWord({ away: false, draining: true })).toMatchObject({ text: 'Draining', tone: 'warn' });
    expect(workerWord({ away: true, draining: false })).toMatchObject({ text: 'Away', tone: 'bad' });
  });

  it('calls an account paused before its reputation', () => {
    expect(accountWord({ pausedReason: 'spam', standing: 'RISKY' })).toMatchObject({
      text: 'Suspended',
      tone: 'warn',
    });
    expect(accountWord({ pausedReason: null, standing: 'RISKY' })).toMatchObject({
      text: 'Risky',
      tone: 'bad',
    });
    expect(accountWord({ pausedReason: null, standing: 'HEALTHY' })).toMatchObject({
      text: 'Active',
      tone: 'good',
    });
  });
});
