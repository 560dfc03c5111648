import { expect, test } from 'vitest';
import { isIncluded, permissionText, presets } from './permissions';

test('writing includes reading, and sending includes what keys of domains may read', () => {
  expect(isIncluded('TEMPLATES_READ', ['TEMPLATES_WRITE'])).toBe(true);
  expect(isIncluded('TEMPLATES_WRITE', ['TEMPLATES_READ'])).toBe(false);
  expect(isIncluded('INBOUND_READ', ['SEND'])).toBe(true);
  expect(isIncluded('EMAILS_SANDBOX', ['SEND'])).toBe(false);
  expect(isIncluded('DOMAINS_READ', ['SEND'])).toBe(false);
});

test('many permissions are counted', () => {
  expect(permissionText(['SEND'])).toBe('send and read mail');
  expect(permissionText(['TEMPLATES_WRITE', 'DOMAINS_WRITE'])).toBe('change domains, change templates');
  expect(permissionText(presets[3]!.permissions)).toBe(
    'read emails, read inbound mail, read reputation and 8 more',
  );
});

test('no preset starts campaigns', () => {
  expect(presets.flatMap(({ permissions }) => permissions)).not.toContain('CAMPAIGNS_SEND');
});
