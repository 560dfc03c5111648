import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { test } from 'node:test';
import {
  Conflict,
  ConnectionFailure,
  InvalidRequest,
  Mailroom,
  NotFound,
  PermissionDenied,
  QuotaExceeded,
  RateLimited,
  Refused,
  ServerFailure,
  Unauthenticated,
  WaitTimeout,
} from '../dist/index.js';
import { ACCEPTED, KEY, MAIL, cut, json, refused, silence, stub } from './stub.mjs';

const header = (requests, name) => requests.map(({ headers }) => headers[name]);

test('a mail refused twice with 503 is sent three times with one key', async (t) => {
  const { mailroom, requests } = await stub(t, [
    refused(503, 'Service unavailable', { 'Retry-After': '0' }),
    refused(503, 'Service unavailable', { 'Retry-After': '0' }),
    json(200, ACCEPTED),
  ]);
  assert.deepEqual(await mailroom.emails.send(MAIL), ACCEPTED);
  assert.equal(requests.length, 3);
  const keys = new Set(header(requests, 'idempotency-key'));
  assert.equal(keys.size, 1);
  assert.match([...keys][0], /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  assert.deepEqual(header(requests, 'mailroom-attempt'), ['1', '2', '3']);
  assert.equal(new Set(header(requests, 'x-request-id')).size, 3);
  assert.deepEqual(new Set(requests.map(({ body }) => body)), new Set([JSON.stringify(MAIL)]));
});

test('a request names its program, its version and its credential', async (t) => {
  const { mailroom, requests } = await stub(t, [json(200, ACCEPTED)]);
  await mailroom.emails.send(MAIL, { idempotencyKey: 'order-17' });
  const [{ headers, method, url }] = requests;
  assert.match(
    headers['user-agent'],
    /^mailroom-typescript\/\d+\.\d+\.\d+ \(node [0-9.]+; \w+\) shop\/4\.2$/,
  );
  assert.equal(headers.authorization, `Bearer ${KEY}`);
  assert.match(headers['api-version'], /^\d{4}-\d\d-\d\d$/);
  assert.equal(headers['idempotency-key'], 'order-17');
  assert.deepEqual([method, url], ['POST', '/api/emails']);
});

test('a connection cut after the body is repeated with the same key', async (t) => {
  const { mailroom, requests } = await stub(t, [
    cut,
    json(200, ACCEPTED, { 'Idempotency-Replayed': 'true' }),
  ]);
  assert.deepEqual(await mailroom.emails.send(MAIL), { ...ACCEPTED, replayed: true });
  assert.equal(requests.length, 2);
  assert.equal(new Set(header(requests, 'idempotency-key')).size, 1);
});

test('the quota is not retried, the rate is after Retry-After', async (t) => {
  const quota = await stub(t, [refused(429, 'Daily/monthly limit reached', { 'Retry-After': '1' })]);
  await assert.rejects(quota.mailroom.emails.send(MAIL), (error) => {
    assert.ok(error instanceof QuotaExceeded);
    assert.equal(error.attempts, 1);
    assert.ok(error.idempotencyKey);
    return true;
  });
  assert.equal(quota.requests.length, 1);
  const rate = await stub(t, [
    refused(429, 'Rate limit exceeded', { 'Retry-After': '1' }),
    json(200, ACCEPTED),
  ]);
  await rate.mailroom.emails.send(MAIL);
  assert.ok(rate.requests[1].at - rate.requests[0].at >= 950);
  const long = await stub(t, [refused(429, 'Rate limit exceeded', { 'Retry-After': '31' })]);
  await assert.rejects(long.mailroom.emails.send(MAIL), RateLimited);
  assert.equal(long.requests.length, 1);
});

test('an operation without a key is not repeated after a lost response', async (t) => {
  const { mailroom, requests } = await stub(t, [cut, json(201, {})]);
  const endpoint = { url: 'https://shop.test/hooks', events: ['email.bounced'] };
  await assert.rejects(mailroom.webhooks.create(endpoint, { idempotencyKey: 'ignored' }), ConnectionFailure);
  assert.equal(requests.length, 1);
  assert.equal(requests[0].headers['idempotency-key'], undefined);
  const newer = await stub(t, [cut]);
  await assert.rejects(newer.mailroom.request('POST', '/newer', { a: 1 }), ConnectionFailure);
  assert.equal(newer.requests.length, 1);
  await assert.rejects(
    newer.mailroom.request('POST', '/newer', {}, { idempotencyKey: 'x' }),
    ConnectionFailure,
  );
  assert.equal(newer.requests.length, 4);
});

test('an operation without a key is repeated if no connection was made', async () => {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address();
  server.close();
  let calls = 0;
  const counted = (...given) => {
    calls += 1;
    return fetch(...given);
  };
  const mailroom = new Mailroom({ apiKey: KEY, url: `http://127.0.0.1:${port}/api`, fetch: counted });
  await assert.rejects(mailroom.webhooks.rotateSecret('x'), ConnectionFailure);
  assert.equal(calls, 3);
});

test('a timeout names the id of its request', async (t) => {
  const { mailroom, requests } = await stub(t, [silence], { attemptTimeout: 100, retries: 0 });
  await assert.rejects(mailroom.usage.get(), (error) => {
    assert.ok(error instanceof ConnectionFailure);
    assert.equal(error.name, 'timeout');
    assert.equal(error.requestId, requests[0].headers['x-request-id']);
    assert.ok(error.message.includes(error.requestId));
    return true;
  });
});

test('a call ends at its deadline, and with its signal', async (t) => {
  const { mailroom, requests } = await stub(t, [silence], { timeout: 150 });
  const start = Date.now();
  await assert.rejects(mailroom.usage.get(), ConnectionFailure);
  assert.ok(Date.now() - start < 5_000);
  assert.equal(requests.length, 1);
  const controller = new AbortController();
  const call = mailroom.usage.get({ signal: controller.signal, timeout: 60_000 });
  controller.abort(new Error('enough'));
  await assert.rejects(call, /enough/);
});

test('a DELETE that finds nothing on its second attempt is done', async (t) => {
  const { mailroom, requests } = await stub(t, [cut, refused(404, 'Domain not found')]);
  assert.equal(await mailroom.domains.delete('x'), undefined);
  assert.equal(requests.length, 2);
  const first = await stub(t, [refused(404, 'Domain not found')]);
  await assert.rejects(first.mailroom.domains.delete('x'), NotFound);
});

test('each status has its error', async (t) => {
  const cases = [
    [400, 'Validation error', InvalidRequest],
    [413, 'Payload too large', InvalidRequest],
    [401, 'Unauthorized', Unauthenticated],
    [403, 'Forbidden', PermissionDenied],
    [403, 'From domain mismatch', Refused],
    [404, 'Email not found', NotFound],
    [409, 'Idempotency key reused', Conflict],
    [429, 'Daily/monthly limit reached', QuotaExceeded],
    [500, 'Internal error', ServerFailure],
    [418, 'Of the future', InvalidRequest],
  ];
  for (const [status, name, type] of cases) {
    const { mailroom } = await stub(t, [refused(status, name, { 'X-Request-Id': 'of-the-server' })], {
      retries: 0,
    });
    const { data, error } = await mailroom.safe.emails.get('x');
    assert.equal(data, null);
    assert.ok(error instanceof type, `${status} ${name}`);
    assert.equal(error.constructor, type);
    assert.equal(error.statusCode, status);
    assert.equal(error.requestId, 'of-the-server');
    assert.ok(error.docsUrl && error.message.includes('because'));
  }
  const { mailroom } = await stub(t, [
    refused(403, 'Forbidden', {
      'WWW-Authenticate': 'Bearer error="insufficient_scope", scope="templates.write"',
    }),
  ]);
  const { error } = await mailroom.safe.templates.delete('x');
  assert.equal(error.requiredPermission, 'templates.write');
});

test('an answer that is not of the API is an error as well', async (t) => {
  const { mailroom } = await stub(t, [(_, response) => response.writeHead(502).end('<html>Bad gateway')], {
    retries: 0,
  });
  const { error } = await mailroom.safe.usage.get();
  assert.ok(error instanceof ServerFailure);
  assert.equal(error.name, 'http_502');
});

test('lists are read page by page, and unknown values are kept', async (t) => {
  const page = (n, next) =>
    json(200, {
      success: true,
      data: {
        emails: [{ id: `${n}a`, status: 'teleported', novel: { x: 1 } }, { id: `${n}b` }],
        pagination: { page: n, limit: 2, total: 4, totalPages: 2, ...(next && { next_cursor: next }) },
      },
    });
  const { mailroom, requests } = await stub(t, [page(1, 'c/2'), page(2)]);
  const all = [];
  for await (const email of mailroom.emails.list({ limit: 2, status: 'bounced' })) all.push(email.id);
  assert.deepEqual(all, ['1a', '1b', '2a', '2b']);
  assert.deepEqual(
    requests.map(({ url }) => url),
    [
      '/api/emails/logs?limit=2&status=bounced&cursor=',
      '/api/emails/logs?limit=2&status=bounced&cursor=c%2F2',
    ],
  );
  const again = await stub(t, [page(1, 'c/2'), page(2)]);
  const list = again.mailroom.emails.list();
  const first = await list.first();
  assert.deepEqual([first.status, first.novel], ['teleported', { x: 1 }]);
  assert.equal(again.requests.length, 1);
  assert.equal((await list.toList(1)).length, 1);
});

test('each mail of a batch is sent or rejected', async (t) => {
  const error = { name: 'of_the_future', error: 'Of the future', message: 'No.', statusCode: 400 };
  const { mailroom, requests } = await stub(t, [
    json(200, { data: [{ emailId: 'one' }, { emailId: null, error }] }),
  ]);
  assert.deepEqual(await mailroom.emails.sendBatch([MAIL, MAIL]), [
    { accepted: true, id: 'one' },
    { accepted: false, name: 'of_the_future', message: 'No.', statusCode: 400 },
  ]);
  assert.ok(requests[0].headers['idempotency-key']);
});

test('any number of contacts is saved in calls of 1000 with keys of their own', async (t) => {
  const { mailroom, requests } = await stub(t, [
    json(200, { success: true, data: { message: 'Saved', count: 900, updated: 100 } }),
  ]);
  const contacts = function* () {
    for (let i = 0; i < 2_001; i++) yield { email: `c${i}@d.test` };
  };
  const sum = await mailroom.contacts.saveAll('book', contacts(), {}, { idempotencyKey: 'file-1' });
  assert.deepEqual(sum, { count: 2_700, updated: 300 });
  assert.deepEqual(header(requests, 'idempotency-key'), ['file-1-1', 'file-1-2', 'file-1-3']);
  assert.deepEqual(
    requests.map(({ body }) => JSON.parse(body).length),
    [1000, 1000, 1],
  );
});

test('waiting ends with the status, or in vain', async (t) => {
  const { mailroom } = await stub(t, [json(200, { status: 'pending' }), json(200, { status: 'delivered' })]);
  assert.equal((await mailroom.emails.waitFor('x', { every: 1 })).status, 'delivered');
  const never = await stub(t, [json(200, { status: 'sent' })]);
  await assert.rejects(never.mailroom.emails.waitFor('x', { every: 1, within: 20 }), (error) => {
    assert.ok(error instanceof WaitTimeout);
    assert.equal(error.last.status, 'sent');
    return true;
  });
});

test('events are followed from a cursor', async (t) => {
  const feed = (ids, next, more) =>
    json(200, {
      success: true,
      data: {
        events: ids.map((id) => ({ id, type: 'of.tomorrow', data: {} })),
        next_cursor: next,
        has_more: more,
      },
    });
  const { mailroom, requests } = await stub(t, [
    feed(['1'], 'c1', true),
    feed([], 'c1', false),
    feed(['2'], 'c2', false),
    feed([], 'c2', false),
  ]);
  const controller = new AbortController();
  const seen = [];
  await assert.rejects(
    (async () => {
      for await (const event of mailroom.events.follow({
        after: 'c0',
        every: 1,
        signal: controller.signal,
      })) {
        if (seen.push(event.id) === 2) controller.abort(new Error('enough'));
      }
    })(),
    /enough/,
  );
  assert.deepEqual(seen, ['1', '2']);
  assert.deepEqual(
    requests.slice(0, 3).map(({ url }) => new URL(url, 'http://x').searchParams.get('after')),
    ['c0', 'c1', 'c1'],
  );
});

test('a React element is rendered, or the missing package named', async (t) => {
  const { mailroom, requests } = await stub(t, [json(200, ACCEPTED)]);
  await assert.rejects(mailroom.emails.send({ ...MAIL, react: {} }), /npm install react-email/);
  const own = await stub(t, [json(200, ACCEPTED)], { render: async ({ name }) => `<p>${name}</p>` });
  await own.mailroom.emails.send({ ...MAIL, react: { name: 'Ann' } });
  assert.equal(requests.length, 0);
  assert.deepEqual(JSON.parse(own.requests[0].body), { ...MAIL, html: '<p>Ann</p>' });
});

test('a deprecated operation is reported once', async (t) => {
  const { mailroom } = await stub(t, [
    json(
      200,
      { success: true, data: { usage: {} } },
      {
        Deprecation: '@1796083200',
        Sunset: 'Wed, 01 Dec 2027 00:00:00 GMT',
        Link: '</docs/versions>; rel="deprecation"; type="text/html"',
      },
    ),
  ]);
  const warn = t.mock.method(console, 'warn', () => {});
  await mailroom.usage.get();
  await mailroom.usage.get();
  assert.deepEqual(
    warn.mock.calls.map(({ arguments: [text] }) => text),
    ['Mailroom: usage.get is deprecated and ends on Wed, 01 Dec 2027 00:00:00 GMT, see /docs/versions'],
  );
});

test('a client needs a key and an address, and hides the key', () => {
  assert.throws(() => new Mailroom({ url: 'http://x' }), /MAILROOM_API_KEY/);
  assert.throws(() => new Mailroom({ apiKey: KEY }), /MAILROOM_URL/);
  const mailroom = new Mailroom({ apiKey: KEY, url: 'http://x/api' });
  assert.equal(String(mailroom), `Mailroom http://x/api ek_${'a'.repeat(12)}…`);
});
