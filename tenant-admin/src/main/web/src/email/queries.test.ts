import { describe, expect, it } from 'vitest';
import { newer, patchPage, patchRow, type EmailPage, type EmailRow } from './queries';

const row: EmailRow = {
  id: '1',
  sender: 'b@y.test',
  stream: 'TRANSACTIONAL',
  tags: {},
  toEmails: ['a@x.test'],
  subject: 's',
  status: 'PENDING',
  lastEvent: 'queued',
  openCount: 0,
  clickCount: 0,
  createdAt: '2026-11-21T14:02:11Z',
  scheduledAt: null,
};
const page: EmailPage = {
  totalCount: 1,
  pageInfo: { hasNextPage: false, endCursor: null, hasPreviousPage: false, startCursor: null },
  nodes: [row],
};
const event = (kind: string, emailId: string | null = '1', data: unknown = {}) => ({ kind, emailId, data });

describe('the list of emails after events', () => {
  it('keeps the worst status', () => {
    const delivered = patchRow(row, event('email.delivered'));
    expect(delivered).toMatchObject({ status: 'DELIVERED', lastEvent: 'delivered' });
    expect(patchRow(delivered, event('email.sent'))).toBe(delivered);
    expect(patchRow(delivered, event('email.complained')).status).toBe('COMPLAINED');
    expect(patchRow(row, event('email.delivery_delayed'))).toMatchObject({
      status: 'PENDING',
      lastEvent: 'delivery_delayed',
    });
  });

  it('counts opens and clicks of people, not of programs', () => {
    expect(patchRow(row, event('email.opened')).openCount).toBe(1);
    expect(patchRow(row, event('email.opened', '1', { bot: true }))).toBe(row);
    expect(patchRow(row, event('email.clicked')).clickCount).toBe(1);
  });

  it('reports emails that the page does not show, and leaves the page as it is', () => {
    const patched = patchPage(page, [
      event('email.delivered', '2'),
      event('email.received', '3'),
      event('domain.verified', null),
    ]);
    expect(patched.page).toBe(page);
    expect([...patched.unknown]).toEqual(['2']);
    expect(patchPage(page, [event('email.sent')]).page.nodes[0]!.status).toBe('SENT');
  });

  it('takes an email for new only if it was accepted after those that are shown', () => {
    expect(newer(new Set(['0', '2']), page)).toEqual(['2']);
  });
});
