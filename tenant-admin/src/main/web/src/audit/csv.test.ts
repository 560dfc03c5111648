import { describe, expect, it } from 'vitest';
import { auditCsv } from './csv';

const row = {
  id: '1',
  accountId: 'a',
  accountEmail: 'b@c.test',
  actorId: '01a1fcfa-54d5-7637-aeed-db3819747c84',
  actor: 'op@c.test',
  actorKind: 'OPERATOR',
  act: 'account.suspended',
  target: '',
  reason: 'It said "buy", twice',
  details: { plan: 'free' },
  ip: '192.0.2.7',
  device: 'Firefox on Linux',
  createdAt: '2026-11-22T10:00:00.000Z',
} as const;

describe('the export of the audit log', () => {
  it('has one line for each entry', () => {
    expect(auditCsv([row]).split('\r\n')[1]).toBe(
      '2026-11-22T10:00:00.000Z,op@c.test,operator,Account suspended,Suspended the account,b@c.test,,"It said ""buy"", twice","{""plan"":""free""}",192.0.2.7,Firefox on Linux,1',
    );
  });
});
