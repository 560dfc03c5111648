// Verifies calls with the clients of Standard Webhooks, Svix and Resend: RESEND_BASE_URL, RESEND_API_KEY, ACCESS_TOKEN, DOMAIN.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { Resend } from 'resend';
import { Webhook as StandardWebhook } from 'standardwebhooks';
import { Webhook as SvixWebhook } from 'svix';

const TIMEOUT = 60_000;
const base = process.env.RESEND_BASE_URL;

const calls = [];
let answer = 500;
const server = createServer(async (request, response) => {
  const chunks = [];
  for await (const chunk of request) chunks.push(chunk);
  calls.push({ headers: request.headers, body: Buffer.concat(chunks).toString('utf8') });
  response.writeHead(answer).end();
  answer = 204;
  server.emit('call');
});
server.listen(0, '127.0.0.1');
await once(server, 'listening');

async function api(method, path, body, token = process.env.ACCESS_TOKEN) {
  const response = await fetch(base + path, {
    method,
    headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
    body: body && JSON.stringify(body),
  });
  assert.ok(response.ok, `${method} ${path}: ${response.status} ${await response.clone().text()}`);
  return response.json();
}

async function received(count) {
  const end = AbortSignal.timeout(TIMEOUT);
  while (calls.length < count) await once(server, 'call', { signal: end });
  return calls[count - 1];
}

function verify(secret, { headers, body }) {
  const event = new StandardWebhook(secret).verify(body, headers);
  new SvixWebhook(secret).verify(body, headers);
  assert.throws(() => new SvixWebhook(secret).verify(`${body} `, headers));
  const { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signature } = headers;
  const resend = new Resend().webhooks.verify({
    payload: body,
    headers: { id, timestamp, signature },
    webhookSecret: secret,
  });
  assert.deepEqual(resend, event);
  assert.throws(() => new StandardWebhook(secret).verify(`${body} `, headers));
  assert.equal(event.id, id);
  return event;
}

const url = `http://localhost:${server.address().port}/hooks`;
const { endpoint } = (await api('POST', '/webhooks/endpoints', { url, events: ['email.delivered'] })).data;
const sent = await new Resend().emails.send({
  from: `Ada <ada@${process.env.DOMAIN}>`,
  to: 'hooks@babbage.test',
  subject: 'Zoë',
  text: 'Hi',
  tags: [{ name: 'kind', value: 'note' }],
});
assert.equal(sent.error, null);

// the first attempt is refused, and the second has the same id and bytes
const first = await received(1);
const second = await received(2);
assert.equal(second.body, first.body);
assert.equal(second.headers['webhook-id'], first.headers['webhook-id']);
for (const call of [first, second]) {
  const { type, data } = verify(endpoint.secret, call);
  assert.equal(type, 'email.delivered');
  assert.deepEqual(
    [data.email_id, data.subject, data.to, data.tags],
    [sent.data.id, 'Zoë', ['hooks@babbage.test'], { kind: 'note' }],
  );
}

// both secrets sign after a rotation
const rotated = (await api('POST', `/webhooks/endpoints/${endpoint.id}/rotate-secret`)).data.endpoint;
await api('POST', `/webhooks/endpoints/${endpoint.id}/test`);
const test = await received(3);
assert.equal(verify(endpoint.secret, test).type, 'webhook.test');
assert.equal(verify(rotated.secret, test).type, 'webhook.test');

server.close();
server.closeAllConnections();
console.log('webhooks passed');
