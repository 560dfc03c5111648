import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Webhook } from 'standardwebhooks';
import {
  Expired,
  MissingHeaders,
  WrongShape,
  WrongSignature,
  expressWebhook,
  sign,
  verify,
  webhookHandler,
} from '../dist/index.js';

const SECRET = `whsec_${Buffer.alloc(32, 1).toString('base64')}`;
const NEXT = `whsec_${Buffer.alloc(32, 2).toString('base64')}`;
const EVENT = {
  id: 'e1',
  type: 'email.bounced',
  api_version: '2026-11-01',
  created_at: '2026-11-21T09:30:00.000Z',
  data: { email_id: 'm1', recipient: 'a@b.test', bounce: { type: 'new', reason: 'x' }, novel: [1] },
};
const BODY = JSON.stringify({ ...EVENT, novel: true });

test('calls signed by Standard Webhooks are verified, and ours by it', () => {
  const now = new Date();
  const headers = {
    'Webhook-Id': 'e1',
    'webhook-timestamp': [String(Math.floor(now / 1_000))],
    'webhook-signature': new Webhook(SECRET).sign('e1', now, BODY),
  };
  const event = verify(BODY, headers, SECRET);
  assert.equal(event.type, 'email.bounced');
  assert.deepEqual(event.data.novel, [1]);
  assert.deepEqual(new Webhook(SECRET).verify(BODY, sign(BODY, SECRET, 'e1')), JSON.parse(BODY));
  assert.equal(verify(Buffer.from(BODY), new Headers(sign(BODY, SECRET, 'e1')), SECRET).id, 'e1');
});

test('both secrets are accepted during a rotation', () => {
  const old = sign(BODY, SECRET, 'e1');
  const both = {
    ...old,
    'webhook-signature': `${old['webhook-signature']} ${sign(BODY, NEXT, 'e1')['webhook-signature']}`,
  };
  for (const secret of [SECRET, NEXT, [NEXT, SECRET]]) assert.equal(verify(BODY, both, secret).id, 'e1');
  assert.equal(verify(BODY, old, [NEXT, SECRET]).id, 'e1');
  assert.throws(() => verify(BODY, old, NEXT), WrongSignature);
});

test('what was changed, is old or was parsed is refused', () => {
  const headers = sign(BODY, SECRET, 'e1');
  assert.throws(() => verify(`${BODY} `, headers, SECRET), WrongSignature);
  assert.throws(() => verify(BODY, { ...headers, 'webhook-id': 'e2' }, SECRET), WrongSignature);
  for (const minutes of [-6, 6]) {
    const other = sign(BODY, SECRET, 'e1', new Date(Date.now() + minutes * 60_000));
    assert.throws(() => verify(BODY, other, SECRET), Expired);
  }
  for (const name of Object.keys(headers)) {
    assert.throws(() => verify(BODY, { ...headers, [name]: undefined }, SECRET), MissingHeaders);
  }
  assert.throws(() => verify(JSON.parse(BODY), headers, SECRET), /raw body.*request\.text\(\)/);
});

test('an unknown kind is kept, and a wrong field is named', () => {
  const signed = (event) => {
    const body = JSON.stringify(event);
    return verify(body, sign(body, SECRET, 'e1'), SECRET);
  };
  const unknown = signed({ ...EVENT, type: 'planet.discovered' });
  assert.deepEqual(
    [unknown.type, unknown.kind, unknown.json.data.email_id],
    ['unknown', 'planet.discovered', 'm1'],
  );
  assert.throws(
    () => signed({ ...EVENT, data: { email_id: 'm1', recipient: 7, bounce: {} } }),
    /data\.recipient .* a number/,
  );
  assert.throws(() => signed({ ...EVENT, data: { email_id: 'm1', recipient: 'a@b.test' } }), WrongShape);
});

test('a handler answers calls, each event once', async () => {
  const handled = [];
  let fail = true;
  const handler = webhookHandler({
    secret: SECRET,
    seen: new Set(),
    on: {
      'email.bounced': (event) => {
        if (fail) throw new Error('not now');
        handled.push(event.data.recipient);
      },
    },
  });
  const call = (body, headers = sign(body, SECRET, 'e1')) =>
    handler(new Request('http://shop.test/hooks', { method: 'POST', body, headers })).then(
      ({ status }) => status,
    );
  const error = console.error;
  console.error = () => {};
  assert.equal(await call(BODY), 500);
  console.error = error;
  fail = false;
  assert.equal(await call(BODY), 204);
  assert.equal(await call(BODY), 204);
  assert.deepEqual(handled, ['a@b.test']);
  assert.equal(await call(`${BODY} `, sign(BODY, SECRET, 'e1')), 401);
  const other = JSON.stringify({ ...EVENT, id: 'e2', type: 'planet.discovered' });
  assert.equal(await call(other), 204);
});

test('the adapter for Express reads the body, or takes the raw one', async () => {
  const handler = expressWebhook({ secret: SECRET, on: {} });
  const headers = sign(BODY, SECRET, 'e1');
  const answer = async (request) => {
    const response = { statusCode: 0, end() {} };
    let failed;
    await handler({ headers, ...request }, response, (error) => (failed = error));
    return failed ?? response.statusCode;
  };
  assert.equal(await answer({ body: Buffer.from(BODY) }), 204);
  assert.equal(
    await answer({
      async *[Symbol.asyncIterator]() {
        yield Buffer.from(BODY.slice(0, 9));
        yield Buffer.from(BODY.slice(9));
      },
    }),
    204,
  );
  assert.match((await answer({ body: JSON.parse(BODY) })).message, /express\.raw/);
});
