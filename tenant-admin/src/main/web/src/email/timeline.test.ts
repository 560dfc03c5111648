import { describe, expect, it } from 'vitest';
import type { AttemptOutcome, SubmitterKind } from '../gen/graphql';
import type { EmailDetail } from './queries';
import { deciding, timeline } from './timeline';

const attempt = (number: number, outcome: AttemptOutcome, beganAt: string) => ({
  id: `a${number}`,
  recipient: 'a@x.test',
  attempt: number,
  beganAt,
  tookMs: 163,
  outcome,
  transport: 'MX' as const,
  host: 'mx.x.test',
  address: '192.0.2.25',
  tls: '',
  tlsPolicy: null,
  tlsResult: null,
  source: null,
  reply: '250 Ok',
  meaning: null,
  conversation: [],
});
const email: EmailDetail = {
  id: '1',
  sender: 'b@y.test',
  toEmails: ['a@x.test'],
  cc: [],
  bcc: [],
  replyTo: [],
  subject: 's',
  tags: {},
  status: 'DELIVERED',
  lastEvent: 'delivered',
  scheduledAt: null,
  openCount: 0,
  clickCount: 0,
  createdAt: '2026-11-21T14:02:11.204Z',
  domain: null,
  acceptedBy: null,
  campaign: null,
  deliveries: [],
  attempts: [
    attempt(1, 'DEFERRED', '2026-11-21T14:02:11.300Z'),
    attempt(2, 'DELIVERED', '2026-11-21T14:02:38.600Z'),
  ],
  events: [
    {
      id: 'e3',
      kind: 'email.opened',
      meaning: null,
      data: { bot: true },
      createdAt: '2026-11-21T14:02:41.006Z',
    },
    {
      id: 'e2',
      kind: 'email.delivered',
      meaning: null,
      data: { recipient: 'a@x.test' },
      createdAt: '2026-11-21T14:02:38.704Z',
    },
    {
      id: 'e1',
      kind: 'email.delivery_delayed',
      meaning: null,
      data: { recipient: 'a@x.test' },
      createdAt: '2026-11-21T14:02:11.391Z',
    },
  ],
  webhookCalls: [],
};

describe('the timeline of an email', () => {
  it('shows an attempt once, newest first, and ends with the acceptance', () => {
    expect(timeline(email).map((entry) => entry.title)).toEqual([
      'Loaded by a program',
      'Delivered',
      'Deferred',
      'Accepted',
    ]);
  });

  it('names the address and the policy about TLS of an attempt', () => {
    const { attempts } = email;
    const last = { ...attempts[1]!, source: '192.0.2.1', tlsPolicy: 'mta_sts', tlsResult: 'testing_failed' };
    expect(timeline({ ...email, attempts: [attempts[0]!, last] }).map((entry) => entry.detail)).toEqual(
      expect.arrayContaining([
        'attempt 1, in 163 ms',
        'attempt 2, in 163 ms, from 192.0.2.1, MTA-STS testing failed',
      ]),
    );
  });

  it('names the campaign that an email was accepted from', () => {
    expect(timeline(email).at(-1)).toMatchObject({ title: 'Accepted', detail: '' });
    expect(timeline({ ...email, campaign: { id: 'c', name: 'Spring sale' } }).at(-1)).toMatchObject({
      title: 'Accepted',
      detail: 'from the campaign Spring sale',
    });
  });

  it('names the key or the person that an email was accepted from, also when they are gone', () => {
    const detail = (kind: SubmitterKind, name: string | null) =>
      timeline({ ...email, acceptedBy: { kind, id: 'k', name } }).at(-1)!.detail;
    expect([detail('API_KEY', 'shop'), detail('API_KEY', null)]).toEqual([
      'with the key shop',
      'with a deleted key',
    ]);
    expect([detail('PERSON', 'Ann Lee'), detail('PERSON', null)]).toEqual([
      'from Ann Lee',
      'from a former member',
    ]);
  });

  it('shows the answers of webhooks, but no call that was not made yet', () => {
    const call = {
      endpointId: 'w',
      kind: 'email.delivered',
      meaning: null,
      attempt: 1,
      lastStatus: 200,
      dueAt: '2026-11-21T14:02:38.710Z',
      createdAt: '2026-11-21T14:02:38.710Z',
    } as const;
    const calls = timeline({
      ...email,
      webhookCalls: [
        { ...call, id: 'c1', status: 'DELIVERED', settledAt: '2026-11-21T14:02:39.100Z' },
        { ...call, id: 'c2', status: 'PENDING', lastStatus: null, settledAt: null },
        { ...call, id: 'c3', status: 'PENDING', attempt: 0, lastStatus: null, settledAt: null },
      ],
    }).filter((entry) => /^c/.test(entry.id));
    expect(calls.map((entry) => [entry.title, entry.detail, entry.tone])).toEqual([
      ['Webhook answered 200', 'email.delivered', 'mute'],
      ['Webhook did not answer', 'email.delivered, called again later', 'warn'],
    ]);
  });

  it('shows the link that was clicked', () => {
    const click = {
      id: 'e4',
      kind: 'email.clicked',
      meaning: null,
      data: { recipient: 'a@x.test', click: { url: 'https://y.test/order' }, bot: false },
      createdAt: '2026-11-21T14:03:00.000Z',
    };
    expect(timeline({ ...email, events: [click] }).find((entry) => entry.id === 'e4')).toMatchObject({
      title: 'Clicked',
      detail: 'y.test/order',
    });
  });

  it('opens the attempt that decided', () => {
    expect(deciding(email)?.attempt).toBe(2);
  });
});
