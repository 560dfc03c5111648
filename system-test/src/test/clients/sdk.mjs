// Calls every operation of the TypeScript SDK: MAILROOM_URL, MAILROOM_API_KEY and DOMAIN.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { Mailroom, NotFound, RateLimited, verify } from '../../../../clients/typescript/dist/index.js';
import { Mailbox } from '../../../../clients/typescript/dist/testing.js';

const { DOMAIN } = process.env;
const inAnHour = () => new Date(Date.now() + 3_600_000).toISOString();
const mailroom = new Mailroom({ app: 'coverage/1' });
const mail = {
  from: `Ada <ada@${DOMAIN}>`,
  to: 'charles@babbage.test',
  subject: 'Note G',
  text: 'It weaves.',
};

const key = await mailroom.key.current();
assert.equal(key.domain, null);
assert.equal((await mailroom.usage.get()).daily.limit !== undefined, true);

// mails
const sent = await mailroom.emails.send({ ...mail, tags: { kind: 'note' } });
assert.equal((await mailroom.emails.waitFor(sent.id, { every: 200 })).status, 'delivered');
assert.ok((await mailroom.emails.events(sent.id).toList(9)).length > 0);
assert.equal((await mailroom.emails.attempts(sent.id)).length, 1);
// the response of the first attempt is lost: the mail is sent once
let lost = false;
const unreliable = new Mailroom({
  fetch: async (...given) => {
    const response = await fetch(...given);
    if (lost) return response;
    lost = true;
    throw new TypeError('lost');
  },
});
const repeated = await unreliable.emails.send({ ...mail, subject: 'Once' });
assert.equal(repeated.replayed, true);
const found = (await mailroom.emails.list().toList(100)).filter(({ subject }) => subject === 'Once');
assert.deepEqual(
  found.map(({ id }) => id),
  [repeated.id],
);
const batch = await mailroom.emails.sendBatch([mail, { ...mail, from: 'a@elsewhere.test' }]);
assert.deepEqual(
  batch.map(({ accepted }) => accepted),
  [true, false],
);
const message = `From: ${mail.from}\nTo: ${mail.to}\nSubject: Schön\n\nIt weaves.\n`;
const mime = await mailroom.emails.sendMime(message);
assert.deepEqual((await mailroom.emails.get(mime.id)).to, [mail.to]);
const hidden = await mailroom.emails.sendMime(Buffer.from(message), {
  to: [mail.to, 'two@babbage.test'],
  send_at: inAnHour(),
});
assert.equal((await mailroom.emails.get(hidden.id)).bcc.length, 1);
await mailroom.emails.cancel(hidden.id);
const later = await mailroom.emails.send({ ...mail, send_at: inAnHour() });
await mailroom.emails.reschedule(later.id, { send_at: inAnHour() });
await mailroom.emails.cancel(later.id);
assert.equal((await mailroom.emails.get(later.id)).last_event, 'cancelled');
const listed = [];
for await (const email of mailroom.emails.list({ limit: 1 })) listed.push(email.id);
assert.ok(listed.length >= 3 && new Set(listed).size === listed.length);
await assert.rejects(mailroom.emails.get('00000000-0000-4000-8000-000000000000'), NotFound);

// the mailbox of tests
const mailbox = new Mailbox(process.env.MAILBOX);
const since = new Date();
const waiting = mailbox.waitFor({ to: 'code@babbage.test', subject: 'your code', since });
await mailroom.emails.send({
  ...mail,
  to: 'code@babbage.test',
  subject: 'Your code',
  text: 'It is 123456.',
  html: '<p>It is 123456: <a href="https://babbage.test/?a=1&amp;b=2">open</a>',
  attachments: [{ filename: 'note.txt', content: btoa('A note.') }],
});
const caught = await waiting;
assert.equal(caught.code(/\d{6}/), '123456');
assert.deepEqual(caught.links(), ['https://babbage.test/?a=1&b=2']);
assert.equal(new TextDecoder().decode(await caught.attachments[0].content()), 'A note.');
await mailbox.delete({ to: 'code@babbage.test' });
await assert.rejects(mailbox.waitFor({ to: 'code@babbage.test', timeout: 1 }), /No mail arrived/);

// domains
const domain = await mailroom.domains.create({ name: `typescript.${DOMAIN}` });
await mailroom.domains.verify(domain.id);
await mailroom.domains.waitUntilVerified(domain.id, { every: 100 });
await mailroom.domains.rotateDkim(domain.id);
assert.equal((await mailroom.domains.update(domain.id, { open_tracking: true })).open_tracking, true);
assert.equal((await mailroom.domains.get(domain.id)).id, domain.id);
assert.ok(await mailroom.domains.list().first());
assert.equal((await mailroom.domains.dmarc(domain.id, { from: '2026-01-01', to: '2026-01-31' })).reports, 0);
assert.equal(
  (await mailroom.domains.tlsReports(domain.id, { from: '2026-01-01', to: '2026-01-31' })).reports,
  0,
);
assert.ok((await mailroom.domains.readiness(domain.id)).some(({ rule }) => rule === 'dkim'));
assert.equal((await mailroom.domains.policy(domain.id)).mode, 'none');
await assert.rejects(mailroom.domains.choosePolicy(domain.id, { mode: 'testing' }), { statusCode: 409 });
await mailroom.domains.deletePolicy(domain.id);
const links = await mailroom.trackingDomains.create({ name: `links.${domain.name}`, domain_id: domain.id });
assert.equal((await mailroom.trackingDomains.verify(links.id)).state, 'pending');
assert.equal((await mailroom.trackingDomains.list()).length, 1);
await mailroom.trackingDomains.delete(links.id);
await mailroom.domains.delete(domain.id);

// templates
const template = await mailroom.templates.create({
  name: 'TypeScript',
  subject: 'Hi {{name}}',
  text_content: 'x',
});
await mailroom.templates.update(template.id, { text_content: '{{name}}' });
const rendered = await mailroom.templates.render(template.id, { variables: { name: 'Ann' } });
assert.equal(rendered.subject, 'Hi Ann');
await mailroom.templates.test(template.id, {
  to: 'ann@example.test',
  from: mail.from,
  variables: { name: 'Ann' },
});
assert.equal((await mailroom.templates.get(template.id)).name, 'TypeScript');
assert.ok(await mailroom.templates.list().first());
await mailroom.templates.delete(template.id);

// contacts
const book = await mailroom.contactBooks.create({ name: 'TypeScript', double_opt_in: true });
await mailroom.contactBooks.update(book.id, { name: 'TypeScript 2' });
assert.equal((await mailroom.contactBooks.get(book.id)).name, 'TypeScript 2');
assert.ok(await mailroom.contactBooks.list().first());
const contact = await mailroom.contacts.create(book.id, { email: 'one@typescript.test' });
// a contact is asked once a day
await assert.rejects(mailroom.contacts.repeatConfirmation(book.id, contact.id), RateLimited);
await mailroom.contacts.update(book.id, contact.id, { firstName: 'One' });
await mailroom.contacts.put(book.id, contact.id, { email: 'one@typescript.test', lastName: 'Last' });
assert.equal((await mailroom.contacts.get(book.id, contact.id)).last_name, 'Last');
const saved = await mailroom.contacts.saveAll(
  book.id,
  [{ email: 'two@typescript.test' }, { email: 'three@typescript.test' }],
  { consent_stated: true },
);
assert.equal(saved.count, 2);
const imported = await mailroom.contacts.importCsv(book.id, 'email,first_name\nfour@typescript.test,Four\n');
assert.equal(imported.count, 1);
assert.equal((await mailroom.contacts.list(book.id, { search: 'four', limit: 1 }).toList(9)).length, 1);
assert.match(await new Response(await mailroom.contacts.exportCsv(book.id)).text(), /four@typescript\.test/);
await mailroom.contacts.delete(book.id, contact.id);

// campaigns
const draft = {
  name: 'TypeScript',
  contact_book_id: book.id,
  from: mail.from,
  subject: 'News',
  html_content: '<p>{{unsubscribe_url}}</p>',
  pace: 1,
};
const campaign = await mailroom.campaigns.create(draft);
await mailroom.campaigns.update(campaign.id, { subject: 'News of today' });
await mailroom.campaigns.test(campaign.id, { to: 'ann@example.test' });
await mailroom.campaigns.schedule(campaign.id, { send_at: inAnHour() });
await mailroom.campaigns.unschedule(campaign.id);
await mailroom.campaigns.start(campaign.id);
await mailroom.campaigns.pause(campaign.id);
await mailroom.campaigns.resume(campaign.id);
assert.equal((await mailroom.campaigns.get(campaign.id)).total_contacts, 2);
await mailroom.campaigns.series(campaign.id, { interval: 'day' });
await mailroom.campaigns.links(campaign.id);
await mailroom.campaigns.delete((await mailroom.campaigns.create({ ...draft, name: 'Other' })).id);
assert.equal((await mailroom.campaigns.list({ search: 'News of today' }).first()).id, campaign.id);
await mailroom.campaigns.pause(campaign.id);
await mailroom.campaigns.delete(campaign.id);
await mailroom.contactBooks.delete(book.id);

// suppressions
const suppression = await mailroom.suppressions.add({ email: 'never@typescript.test' });
assert.equal((await mailroom.suppressions.addAll([{ email: 'no@typescript.test' }])).count, 1);
assert.ok(await mailroom.suppressions.list({ search: 'never@typescript' }).first());
await mailroom.suppressions.remove(suppression.id);

// webhooks: a call is verified with the secret of the endpoint
const calls = [];
const receiver = createServer(async (request, response) => {
  const chunks = [];
  for await (const chunk of request) chunks.push(chunk);
  calls.push({ body: Buffer.concat(chunks), headers: request.headers });
  response.writeHead(204).end();
  receiver.emit('call');
});
receiver.listen(0, '127.0.0.1');
await once(receiver, 'listening');
const endpoint = await mailroom.webhooks.create({
  url: `http://localhost:${receiver.address().port}/hooks`,
  events: ['email.bounced'],
});
const rotated = await mailroom.webhooks.rotateSecret(endpoint.id);
const arrived = once(receiver, 'call', { signal: AbortSignal.timeout(30_000) });
const delivery = await mailroom.webhooks.test(endpoint.id);
await arrived;
for (const secret of [endpoint.secret, rotated.secret]) {
  assert.equal(verify(calls[0].body, calls[0].headers, secret).type, 'webhook.test');
}
await mailroom.webhooks.redeliver(delivery.id);
assert.equal((await mailroom.webhooks.deliveries(endpoint.id).first()).id, delivery.id);
await mailroom.webhooks.recover(endpoint.id, { since: new Date(Date.now() - 60_000).toISOString() });
await mailroom.webhooks.update(endpoint.id, { active: false });
assert.equal((await mailroom.webhooks.get(endpoint.id)).active, false);
assert.ok(await mailroom.webhooks.list().first());
assert.equal((await mailroom.webhooks.eventTypes()).event_types.length, 28);
assert.match((await mailroom.webhooks.listenSecret()).secret, /^whsec_/);
await mailroom.webhooks.delete(endpoint.id);
receiver.close();
receiver.closeAllConnections();

// inbound mail
const end = Date.now() + 30_000;
let inbound;
while (!(inbound = await mailroom.inbound.list().first())) assert.ok(Date.now() < end);
const target = await mailroom.inbound.createTarget({ address: 'target@kept.example' });
assert.equal((await mailroom.inbound.resendTarget(target.id)).confirmed, false);
assert.equal((await mailroom.inbound.targets())[0].id, target.id);
await mailroom.inbound.deleteTarget(target.id);
const received = await mailroom.inbound.get(inbound.id);
assert.equal(received.subject, 'To the SDK');
assert.match(new TextDecoder().decode(await mailroom.inbound.source(inbound.id)), /To the SDK/);
assert.equal(new TextDecoder().decode(await mailroom.inbound.attachment(inbound.id, 0)), 'A note.');
const own = (await mailroom.domains.list().toList(100)).find(({ name }) => name === DOMAIN).id;
const refused = await mailroom.inbound.createRoute({ domain_id: own, pattern: 'no-*', action: 'reject' });
const all = await mailroom.inbound.createRoute({ domain_id: own, pattern: '*' });
assert.equal((await mailroom.inbound.updateRoute(all.id, { spam: 'drop' })).spam, 'drop');
await mailroom.inbound.orderRoutes({ domain_id: own, ids: [all.id, refused.id] });
assert.equal((await mailroom.inbound.testRoute({ recipient: `no-reply@${DOMAIN}` })).route_id, all.id);
await mailroom.inbound.deleteRoute(all.id);
assert.deepEqual(
  (await mailroom.inbound.routes({ domain_id: own })).map((it) => it.id),
  [refused.id],
);
await mailroom.inbound.deleteRoute(refused.id);

await mailroom.analytics.metrics();
await mailroom.analytics.reputation({ from: '2026-01-01' });
const events = await mailroom.events.list({ limit: 2 }).toList(5);
assert.equal(events.length, 5);
console.log('typescript sdk passed');
