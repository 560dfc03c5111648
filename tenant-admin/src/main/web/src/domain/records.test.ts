import { describe, expect, it } from 'vitest';
import { difference, letterTo, nameOf, sorted, zone } from './records';
import type { DnsRecord } from './queries';

const record = (change: Partial<DnsRecord>): DnsRecord => ({
  purpose: 'SPF',
  type: 'TXT',
  host: 'bounce.x.test',
  value: 'v=spf1 include:spf.y.test ~all',
  priority: null,
  status: 'VERIFIED',
  error: null,
  ...change,
});

describe('records of a domain', () => {
  it('marks the words that differ', () => {
    const { expected, found } = difference('v=spf1 include:spf.y.test ~all', 'v=spf1 include:old.test ~all');
    expect(expected.filter((part) => part.differs).map((part) => part.text)).toEqual(['spf.y.test']);
    expect(found.filter((part) => part.differs).map((part) => part.text)).toEqual(['old.test']);
  });

  it('writes a zone file with strings of at most 255 characters', () => {
    const text = zone([
      record({ value: 'a'.repeat(300) }),
      record({ purpose: 'RETURN_PATH', type: 'MX', value: 'mx.y.test', priority: 10 }),
    ]);
    expect(text).toBe(
      `bounce.x.test. 3600 IN TXT "${'a'.repeat(255)}" "${'a'.repeat(45)}"\nbounce.x.test. 3600 IN MX 10 mx.y.test.\n`,
    );
  });

  it('names records in full or below the domain', () => {
    expect(nameOf(record({}), 'x.test', true)).toBe('bounce');
    expect(nameOf(record({}), 'x.test', false)).toBe('bounce.x.test');
    expect(nameOf(record({ host: 'x.test' }), 'x.test', true)).toBe('@');
  });

  it('writes a message for a colleague', () => {
    const letter = decodeURIComponent(letterTo('x.test', [record({ type: 'MX', priority: 10 })]));
    expect(letter).toContain('mailto:?subject=DNS records for x.test&body=');
    expect(letter).toContain('Type: MX\nName: bounce.x.test\nPriority: 10\nValue: v=spf1');
  });

  it('puts needed records that are missing first', () => {
    const records = [record({}), record({ status: 'FAILED' }), record({ purpose: 'DKIM', status: 'FAILED' })];
    expect(sorted(records).map(({ purpose, status }) => `${purpose} ${status}`)).toEqual([
      'DKIM FAILED',
      'SPF FAILED',
      'SPF VERIFIED',
    ]);
  });
});
