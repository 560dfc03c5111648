import { describe, expect, it } from 'vitest';
import { headers, source } from './source';

const email = {
  id: '01a1fcfa-54d5-7637-aeed-db3819747c84',
  sender: 'Büro <news@shop.test>',
  toEmails: ['Ann <ann@example.test>', 'bob@example.test'],
  cc: [],
  replyTo: [],
  subject: 'Grüße',
  createdAt: '2026-11-21T07:20:26.523Z',
  scheduledAt: null,
};

describe('the source of an email', () => {
  it('has the fields that were sent, for reading', () => {
    expect(headers(email, { 'X-Order': '17' }).split('\n')).toEqual([
      'Date: Sat, 21 Nov 2026 07:20:26 +0000',
      'From: Büro <news@shop.test>',
      'To: Ann <ann@example.test>, bob@example.test',
      'Message-ID: <01a1fcfa-54d5-7637-aeed-db3819747c84@shop.test>',
      'Subject: Grüße',
      'X-Order: 17',
    ]);
  });

  it('is ASCII with lines of at most 76 characters', () => {
    const text = source(email, { html: `<p>${'ä'.repeat(200)} = b </p> `, text: 'Hi', headers: {} });
    expect(text).toMatch(/^[\x20-\x7e\r\n]*$/);
    expect(text).toContain('From: =?utf-8?B?QsO8cm8=?= <news@shop.test>');
    expect(text).toContain('=3D b </p>=20\r\n');
    expect(Math.max(...text.split('\r\n').map((line) => line.length))).toBeLessThanOrEqual(78);
    expect(text.match(/^--=_.*$/gm)).toHaveLength(3);
  });
});
