// A journey through Prism, which refuses each request and response that the OpenAPI document does not describe:
// RESEND_BASE_URL, ACCESS_TOKEN, DOMAIN and OPENAPI, the path of the document.
import assert from 'node:assert/strict';
import { validatingProxy } from './proxy.mjs';

const TIMEOUT = 60_000;
const end = AbortSignal.timeout(TIMEOUT);
const { port, stop } = await validatingProxy(end);

let calls = 0;

async function api(method, path, body, token = process.env.ACCESS_TOKEN) {
  const response = await fetch(`http://127.0.0.1:${port}${path}`, {
    method,
    headers: { Authorization: `Bearer ${token}`, ...(body && { 'Content-Type': 'application/json' }) },
    body: body && JSON.stringify(body),
    signal: end,
  });
  const text = await response.text();
  assert.ok(response.ok, `${method} ${path}: ${response.status} ${text}`);
  assert.equal(response.headers.get('sl-violations'), null, `${method} ${path}`);
  calls += 1;
  return text.startsWith('{') ? JSON.parse(text) : text;
}

// the proxy refuses what the document does not describe
const wrong = await fetch(`http://127.0.0.1:${port}/templates`, {
  method: 'POST',
  headers: { Authorization: `Bearer ${process.env.ACCESS_TOKEN}`, 'Content-Type': 'application/json' },
  body: '{"name": 1}',
});
assert.equal(wrong.status, 422);

const name = `prism.${process.env.DOMAIN}`;
const { domain } = (await api('POST', '/domains', { name })).data;
await api('POST', `/domains/${domain.id}/verify`);
await api('GET', `/domains/${domain.id}`);
await api('GET', '/domains');
const { apiKey } = (await api('POST', '/api-keys', { domainId: domain.id, keyName: 'prism' })).data;
await api('GET', '/api-keys');
const { template } = (
  await api('POST', '/templates', { name: 'Prism', subject: 'Hi {{name}}', text_content: '{{name}}' })
).data;
await api('PATCH', `/templates/${template.id}`, { subject: 'Hello {{name}}' });
await api('GET', '/templates?limit=1');

const from = `Ada <ada@${name}>`;
const mail = {
  from,
  to: ['charles@babbage.test'],
  subject: 'Note',
  text: 'It weaves.',
  tags: { kind: 'note' },
};
const { id } = await api('POST', '/emails', mail, apiKey.key);
await api('POST', '/emails/batch', [mail, { ...mail, html: '<p>It weaves.</p>' }], apiKey.key);
const later = await api(
  'POST',
  '/emails',
  { ...mail, send_at: new Date(Date.now() + 3_600_000).toISOString() },
  apiKey.key,
);
await api('POST', `/emails/${later.id}/cancel`, undefined, apiKey.key);
await api('GET', `/emails/${id}`, undefined, apiKey.key);
await api('GET', `/emails/${id}/events`);
await api('GET', `/emails/logs?domain_id=${domain.id}&limit=2`);

const { contactBook } = (await api('POST', '/contact-books', { name: 'Prism' })).data;
await api('POST', `/contact-books/${contactBook.id}/contacts/bulk`, [
  { email: 'one@babbage.test', firstName: 'One', properties: { team: 'A' } },
  { email: 'two@babbage.test', subscribed: false },
]);
const { contacts } = (await api('GET', `/contact-books/${contactBook.id}/contacts?limit=10&search=one`)).data;
await api('PATCH', `/contact-books/${contactBook.id}/contacts/${contacts[0].id}`, { lastName: 'Last' });
const { campaign } = (
  await api('POST', '/campaigns', {
    name: 'Prism',
    contact_book_id: contactBook.id,
    from,
    subject: 'News',
    html_content: '<p>{{unsubscribe_url}}</p>',
  })
).data;
await api('GET', `/campaigns/${campaign.id}`);
await api('GET', '/campaigns?status=draft');
const { endpoint } = (
  await api('POST', '/webhooks/endpoints', {
    url: 'https://hooks.babbage.test/',
    events: ['email.delivered'],
  })
).data;
await api('PUT', `/webhooks/endpoints/${endpoint.id}`, { active: false });
await api('GET', '/webhooks/endpoints');
await api('POST', '/suppressions', { email: 'never@babbage.test' });
await api('GET', '/suppressions');
await api('GET', '/inbound');
await api('GET', '/analytics/reputation-metrics');
await api('GET', '/events');
await api('GET', '/usage');
await api('GET', '/auth/me');
stop();
console.log(`prism passed ${calls} calls`);
