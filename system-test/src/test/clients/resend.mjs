// The client of Resend, as its package is, against this server: RESEND_BASE_URL, RESEND_API_KEY, DOMAIN.
import assert from 'node:assert/strict';
import { Resend } from 'resend';

const resend = new Resend();
const from = `Ada <ada@${process.env.DOMAIN}>`;
const note = { from, to: 'charles@babbage.test', subject: 'Note G', html: '<p>It weaves.</p>' };

async function good(call) {
  const { data, error } = await call;
  assert.equal(error, null);
  return data;
}

async function refused(call, statusCode, name) {
  const { data, error } = await call;
  assert.equal(data, null);
  assert.deepEqual({ statusCode: error.statusCode, name: error.name }, { statusCode, name });
  assert.ok(error.message.length > 0);
}

// send, in every way that the client writes it
const full = {
  ...note,
  to: ['charles@babbage.test', 'Mary <mary@somerville.test>'],
  cc: 'cc@babbage.test',
  bcc: ['bcc@babbage.test'],
  replyTo: from,
  text: 'It weaves.',
  headers: { 'X-Note': 'G' },
  tags: [{ name: 'kind', value: 'note' }],
  attachments: [
    { filename: 'a.txt', content: Buffer.from('one') },
    { filename: 'b.txt', content: 'dHdv', contentType: 'text/plain', contentId: 'two' },
  ],
};
const sent = await good(resend.emails.send(full, { idempotencyKey: 'note-g' }));
assert.match(sent.id, /^[0-9a-f-]{36}$/);
assert.equal((await good(resend.emails.send(full, { idempotencyKey: 'note-g' }))).id, sent.id);
await refused(resend.emails.send(note, { idempotencyKey: 'note-g' }), 409, 'idempotency_key_reused');

// get
const got = await good(resend.emails.get(sent.id));
assert.equal(got.id, sent.id);
assert.equal(got.from, from);
assert.equal(got.subject, 'Note G');
assert.deepEqual(got.cc, ['cc@babbage.test']);
assert.deepEqual(got.reply_to, [from]);
assert.ok(got.created_at && got.last_event);
await refused(resend.emails.get('00000000-0000-4000-8000-000000000000'), 404, 'email_not_found');

// schedule, update, cancel
const inHours = (hours) => new Date(Date.now() + hours * 3_600_000).toISOString();
const later = await good(resend.emails.send({ ...note, scheduledAt: inHours(1) }));
assert.equal((await good(resend.emails.update({ id: later.id, scheduledAt: inHours(2) }))).id, later.id);
assert.equal((await good(resend.emails.cancel(later.id))).id, later.id);
assert.equal((await good(resend.emails.get(later.id))).last_event, 'cancelled');
await refused(resend.emails.cancel(later.id), 400, 'email_already_processed');

// batch: the contract's item is {emailId}, where the client's type says {id}
const batch = await good(resend.batch.send([note, { ...note, to: ['mary@somerville.test'] }]));
assert.equal(batch.data.length, 2);
batch.data.forEach((item) => assert.match(item.emailId, /^[0-9a-f-]{36}$/));

// errors as the client returns them
await refused(resend.emails.send({ ...note, to: 'nobody' }), 400, 'validation_error');
await refused(resend.emails.send({ ...note, from: 'a@elsewhere.test' }), 403, 'from_domain_mismatch');
await refused(new Resend('re_unknown').emails.send(note), 401, 'unauthorized');

console.log('resend passed');
