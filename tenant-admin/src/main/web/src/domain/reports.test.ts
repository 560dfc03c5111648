import { describe, expect, it } from 'vitest';
import type { Dmarc } from './queries';
import { providerName, readinessSentence, reportSentence } from './reports';

const dmarc = (change: Partial<Dmarc>): Dmarc => ({
  address: 'd-1@reports.test',
  record: {
    host: '_dmarc.a.test',
    foundAt: null,
    found: null,
    action: null,
    suggested: 'v=DMARC1; p=none',
    known: true,
  },
  reports: 0,
  unverified: 0,
  total: { count: 0, passed: 0, dkim: 0, spf: 0 },
  days: [],
  sources: [],
  failing: [],
  policies: [],
  ...change,
});

describe('standing of a domain', () => {
  it('says how much of the reported mail passed', () => {
    expect(
      reportSentence(
        dmarc({ reports: 2, unverified: 1, total: { count: 200, passed: 150, dkim: 150, spf: 0 } }),
      ),
    ).toBe(
      'Receivers reported 200 emails in 30 days; 75.0% passed DMARC. 1 report without a proven sender is left out.',
    );
    expect(reportSentence(dmarc({ address: null }))).toBe('This installation does not receive reports.');
    expect(reportSentence(dmarc({}))).toContain('No report arrived');
  });

  it('counts rules that are broken before those that could be kept better', () => {
    expect(readinessSentence([{ result: 'FAIL' }, { result: 'WARN' }])).toBe('1 rule is not kept.');
    expect(readinessSentence([{ result: 'WARN' }, { result: 'UNKNOWN' }])).toContain('1 rule could');
    expect(readinessSentence([{ result: 'PASS' }])).toContain('all rules');
  });

  it('names providers that are not known by their profile', () => {
    expect(['gmail', 'yahoo', 'other'].map(providerName)).toEqual(['Gmail', 'Yahoo', 'All others']);
  });
});
