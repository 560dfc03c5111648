// The client of Resend, as its package is, against the routes for it: COMPAT_URL, RESEND_API_KEY, ACCOUNT_KEY, ACCESS_TOKEN, DOMAIN.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { setTimeout } from 'node:timers/promises';
import { Resend } from 'resend';
import { Webhook as SvixWebhook } from 'svix';

const TIMEOUT = 60_000;
const baseUrl = process.env.COMPAT_URL;
const sender = new Resend(process.env.RESEND_API_KEY, { baseUrl });
const resend = new Resend(process.env.ACCOUNT_KEY, { baseUrl });
const from = `Ada <ada@${process.env.DOMAIN}>`;
const note = { from, to: 'charles@babbage.test', subject: 'Note G', html: '<p>It weaves.</p>' };
const ID = /^[0-9a-f-]{36}$/;
const nobody = '00000000-0000-4000-8000-000000000000';

// the account's rate of requests is that of a person, so the script waits as it is told
const { fetch: fetchOnce } = globalThis;
globalThis.fetch = async (...request) => {
  for (;;) {
    const response = await fetchOnce(...request);
    const seconds = Number(response.headers.get('retry-after'));
    if (response.status !== 429 || seconds > 5) return response;
    await setTimeout(1000 * seconds);
  }
};

async function good(call) {
  const { data, error } = await call;
  assert.equal(error, null);
  return data;
}

async function refused(call, statusCode, name, message = /./) {
  const { data, error } = await call;
  assert.equal(data, null);
  assert.deepEqual(Object.keys(error).sort(), ['message', 'name', 'statusCode']);
  assert.deepEqual({ statusCode: error.statusCode, name: error.name }, { statusCode, name });
  assert.match(error.message, message);
}

const ids = (items) => items.map(({ id }) => id);

/** Reads a list in pages of two, forwards and back, and compares it with one page. */
async function paged(list) {
  const all = await good(list({ limit: 100 }));
  assert.equal(all.object, 'list');
  assert.equal(all.has_more, false);
  const seen = [];
  for (let more = true; more;) {
    const page = await good(list({ limit: 2, ...(seen.length && { after: seen.at(-1).id }) }));
    assert.ok(page.data.length <= 2);
    seen.push(...page.data);
    more = page.has_more;
  }
  assert.deepEqual(ids(seen), ids(all.data));
  const before = await good(list({ limit: 2, before: all.data.at(-1).id }));
  assert.deepEqual(ids(before.data), ids(all.data.slice(-3, -1)));
  assert.equal(before.has_more, all.data.length > 3);
  await refused(list({ limit: 101 }), 422, 'invalid_parameter');
  await refused(list({ after: 'nothing' }), 422, 'invalid_parameter');
  await refused(list({ after: nobody }), 404, 'not_found');
  return all.data;
}

// emails
const full = {
  ...note,
  to: ['charles@babbage.test', 'Mary <mary@somerville.test>'],
  cc: 'cc@babbage.test',
  bcc: ['bcc@babbage.test'],
  replyTo: from,
  text: 'It weaves.',
  headers: { 'X-Note': 'G' },
  tags: [{ name: 'kind', value: 'note' }],
  attachments: [{ filename: 'a.txt', content: Buffer.from('one') }],
};
const sent = await good(sender.emails.send(full, { idempotencyKey: 'compat-g' }));
assert.deepEqual(Object.keys(sent), ['id']);
assert.match(sent.id, ID);
assert.deepEqual(await good(sender.emails.send(full, { idempotencyKey: 'compat-g' })), sent);
await refused(sender.emails.send(note, { idempotencyKey: 'compat-g' }), 409, 'invalid_idempotent_request');
await refused(sender.emails.send(note, { idempotencyKey: 'x'.repeat(257) }), 400, 'invalid_idempotency_key');

const got = await good(sender.emails.get(sent.id));
assert.deepEqual(
  [got.object, got.id, got.from, got.subject, got.to, got.cc, got.reply_to, got.tags, got.scheduled_at],
  ['email', sent.id, from, 'Note G', full.to, ['cc@babbage.test'], [from], full.tags, null],
);
assert.match(got.message_id, new RegExp(`^<${sent.id}@`));
await refused(sender.emails.get(nobody), 404, 'not_found');

const inHours = (hours) => new Date(Date.now() + hours * 3_600_000).toISOString();
const later = await good(sender.emails.send({ ...note, scheduledAt: inHours(1) }));
const changed = { object: 'email', id: later.id };
assert.deepEqual(await good(sender.emails.update({ id: later.id, scheduledAt: inHours(2) })), changed);
assert.deepEqual(await good(sender.emails.cancel(later.id)), changed);
assert.equal((await good(sender.emails.get(later.id))).last_event, 'canceled');
await refused(sender.emails.cancel(later.id), 422, 'validation_error');

await refused(sender.emails.send({ ...note, to: 'nobody' }), 422, 'validation_error', /to/);
await refused(sender.emails.send({ ...note, subject: undefined }), 422, 'missing_required_field', /subject/);
await refused(sender.emails.send({ ...note, from: 'nobody' }), 422, 'invalid_from_address');
const file = { filename: 'a.txt', path: 'https://files.test/a.txt' };
await refused(sender.emails.send({ ...note, attachments: [file] }), 422, 'invalid_attachment');
await refused(sender.emails.send({ ...note, topicId: nobody }), 422, 'validation_error', /topic/);
await refused(sender.emails.send({ ...note, from: 'a@elsewhere.test' }), 403, 'validation_error');
await refused(new Resend('re_unknown', { baseUrl }).emails.send(note), 403, 'invalid_api_key');
await refused(sender.get('/nowhere'), 401, 'restricted_api_key');
await refused(resend.get('/nowhere'), 401, 'restricted_api_key');
const unsigned = await (await fetch(`${baseUrl}/emails`)).json();
assert.deepEqual([unsigned.statusCode, unsigned.name], [401, 'missing_api_key']);

// batch, strict unless the other mode is asked for
const wrong = { ...note, to: 'nobody' };
const permissive = { batchValidation: 'permissive' };
const count = async () => (await good(sender.emails.list({ limit: 100 }))).data.length;
const strict = await good(sender.batch.send([note, { ...note, to: ['mary@somerville.test'] }]));
assert.deepEqual(Object.keys(strict), ['data']);
assert.equal(strict.data.length, 2);
strict.data.forEach((item) => assert.match(item.id, ID));
const before = await count();
await refused(sender.batch.send([note, wrong, note]), 422, 'validation_error', /^Mail 2 of 3: to/);
const other = { ...note, from: 'a@elsewhere.test' };
await refused(sender.batch.send([note, other], { idempotencyKey: 'compat-b' }), 403, 'validation_error');
assert.equal(await count(), before, 'a strict batch was sent in part');
const batch = await good(sender.batch.send([note], { idempotencyKey: 'compat-b' }));
assert.deepEqual(await good(sender.batch.send([note], { idempotencyKey: 'compat-b' })), batch);
const partly = await good(sender.batch.send([note, wrong, other, note], permissive));
assert.equal(partly.data.length, 2);
assert.deepEqual(
  partly.errors.map(({ index }) => index),
  [1, 2],
);
partly.errors.forEach(({ message }) => assert.ok(message.length > 0));
assert.deepEqual((await good(sender.batch.send([note], permissive))).errors, []);
await refused(sender.batch.send([]), 422, 'validation_error');
const emails = await paged((options) => sender.emails.list(options));
assert.equal(emails.length, before + 4);
assert.deepEqual(ids((await good(resend.emails.list({ limit: 100 }))).data), ids(emails));

// domains
await refused(sender.domains.list(), 401, 'restricted_api_key');
const created = await good(
  resend.domains.create({ name: 'engine.test', region: 'eu-west-1', openTracking: true, tls: 'enforced' }),
);
assert.deepEqual([created.name, created.status, created.open_tracking], ['engine.test', 'pending', true]);
assert.ok(created.records.some(({ record, type, value }) => record === 'DKIM' && type === 'TXT' && value));
await refused(resend.domains.create({ name: 'engine.test' }), 403, 'validation_error');
await refused(resend.domains.create({ name: 'x.test', customReturnPath: 'b' }), 422, 'validation_error');
const domain = { object: 'domain', id: created.id };
assert.deepEqual(await good(resend.domains.verify(created.id)), domain);
assert.deepEqual(
  await good(resend.domains.update({ id: created.id, clickTracking: true, tls: 'opportunistic' })),
  domain,
);
const shown = await good(resend.domains.get(created.id));
assert.deepEqual(
  [shown.object, shown.status, shown.click_tracking, shown.open_tracking, shown.tls],
  ['domain', 'verified', true, true, 'opportunistic'],
);
assert.ok(shown.records.every(({ status }) => status === 'verified'));
for (const name of ['loom.test', 'mill.test', 'card.test']) await good(resend.domains.create({ name }));
const domains = await paged((options) => resend.domains.list(options));
assert.ok(domains.some(({ id }) => id === created.id));
assert.deepEqual(await good(resend.domains.remove(created.id)), { ...domain, deleted: true });
await refused(resend.domains.get(created.id), 404, 'not_found');

// suppressions
const added = await good(resend.suppressions.add({ email: 'Ann@gone.test' }));
assert.deepEqual(await good(resend.suppressions.add({ email: 'ann@gone.test' })), added);
await refused(resend.suppressions.add({ email: 'nobody' }), 422, 'missing_required_field');
const three = await good(
  resend.suppressions.batch.add({ emails: ['b@gone.test', 'c@gone.test', 'd@gone.test'] }),
);
assert.equal(three.data.length, 3);
const suppressions = await paged((options) => resend.suppressions.list(options));
const gone = (entries) => entries.map(({ email }) => email).filter((email) => email.endsWith('@gone.test'));
const four = ['ann@gone.test', 'b@gone.test', 'c@gone.test', 'd@gone.test'];
assert.deepEqual(gone(suppressions).sort(), four);
assert.equal(gone((await good(resend.suppressions.list({ origin: 'manual' }))).data).length, 4);
assert.equal(gone((await good(resend.suppressions.list({ origin: 'bounce' }))).data).length, 0);
const ann = await good(resend.suppressions.get('ann@gone.test'));
assert.deepEqual([ann.object, ann.id, ann.origin], ['suppression', added.id, 'manual']);
assert.deepEqual(await good(resend.suppressions.get(added.id)), ann);
const lifted = { object: 'suppression', id: added.id, deleted: true };
assert.deepEqual(await good(resend.suppressions.remove('ann@gone.test')), lifted);
await refused(resend.suppressions.remove(added.id), 404, 'not_found');
const rest = await good(resend.suppressions.batch.remove({ ids: [three.data[0].id, nobody] }));
assert.deepEqual(rest.data, [{ ...lifted, id: three.data[0].id }]);
assert.equal(
  (await good(resend.suppressions.batch.remove({ emails: ['c@gone.test', 'd@gone.test'] }))).data.length,
  2,
);

// webhooks: a handler that was written for Resend reads the headers of Svix
const calls = [];
const server = createServer(async (request, response) => {
  const chunks = [];
  for await (const chunk of request) chunks.push(chunk);
  calls.push({ headers: request.headers, payload: Buffer.concat(chunks).toString('utf8') });
  response.writeHead(204).end();
  server.emit('call');
});
server.listen(0, '127.0.0.1');
await once(server, 'listening');
const response = await fetch(`${baseUrl.replace(/\/compat\/resend$/, '/api')}/webhooks/endpoints`, {
  method: 'POST',
  headers: { Authorization: `Bearer ${process.env.ACCESS_TOKEN}`, 'Content-Type': 'application/json' },
  body: JSON.stringify({
    url: `http://localhost:${server.address().port}/hooks`,
    events: ['email.delivered'],
    headers: 'svix',
  }),
});
const { endpoint } = (await response.json()).data;
assert.equal(endpoint.headers, 'svix');
const hooked = await good(sender.emails.send({ ...note, to: 'svix@babbage.test' }));
const end = AbortSignal.timeout(TIMEOUT);
const ofMail = () => calls.find(({ payload }) => JSON.parse(payload).data.email_id === hooked.id);
while (!ofMail()) await once(server, 'call', { signal: end });
const { headers, payload } = ofMail();
const event = sender.webhooks.verify({
  payload,
  headers: {
    id: headers['svix-id'],
    timestamp: headers['svix-timestamp'],
    signature: headers['svix-signature'],
  },
  webhookSecret: endpoint.secret,
});
const svix = Object.fromEntries(Object.entries(headers).filter(([name]) => name.startsWith('svix-')));
new SvixWebhook(endpoint.secret).verify(payload, svix);
assert.throws(() => new SvixWebhook(endpoint.secret).verify(`${payload} `, svix));
assert.deepEqual([event.type, event.data.email_id], ['email.delivered', hooked.id]);
assert.equal(headers['webhook-signature'], headers['svix-signature']);
server.close();
server.closeAllConnections();

console.log('compat passed');
