// Runs a program that calls every operation of the SDKs, through Prism. The operations that it called must be those with
// x-sdk in the document: node covered.mjs <command>. RESEND_BASE_URL, OPENAPI, DOMAIN and INBOUND_PORT; the program gets
// MAILROOM_URL and MAILROOM_API_KEY.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer, request as forward } from 'node:http';
import { createTransport } from 'nodemailer';
import { validatingProxy } from './proxy.mjs';

const TIMEOUT = 120_000;
const { DOMAIN, INBOUND_PORT, OPENAPI } = process.env;
const end = AbortSignal.timeout(TIMEOUT);
const { port, stop } = await validatingProxy(end);

const document = JSON.parse(readFileSync(OPENAPI, 'utf8'));
const operations = Object.entries(document.paths).flatMap(([path, item]) =>
  Object.entries(item)
    .filter(([, operation]) => operation.operationId)
    .map(([method, operation]) => ({
      id: operation.operationId,
      sdk: operation['x-sdk'] !== 'none',
      method: method.toUpperCase(),
      path: new RegExp(`^${path.replaceAll('.', '\\.').replace(/\{\w+}/g, '[^/]+')}$`),
      fixed: !path.includes('{'),
    })),
);
operations.sort((a, b) => b.fixed - a.fixed);

const called = new Set();
const violations = [];
const recorder = createServer((request, response) => {
  const path = new URL(request.url, 'http://localhost').pathname;
  const operation = operations.find((it) => it.method === request.method && it.path.test(path));
  called.add(operation?.id ?? `${request.method} ${path}`);
  const { method, headers, url } = request;
  const passed = forward({ port, host: '127.0.0.1', method, headers, path: url }, (answer) => {
    const chunks = [];
    answer.on('data', (chunk) => chunks.push(chunk));
    answer.on('end', () => {
      const violated = answer.headers['sl-violations'] ?? Buffer.concat(chunks).toString();
      if (violated.includes('"location"')) violations.push(`${method} ${path}: ${violated}`);
    });
    response.writeHead(answer.statusCode, answer.headers);
    answer.pipe(response);
  });
  passed.on('error', () => response.destroy());
  request.pipe(passed);
});
recorder.listen(0, '127.0.0.1');
await once(recorder, 'listening');

await createTransport({ host: '127.0.0.1', port: Number(INBOUND_PORT), ignoreTLS: true }).sendMail({
  from: 'ann@example.test',
  to: `inbox@${DOMAIN}`,
  subject: 'To the SDK',
  text: 'Hello.',
  attachments: [{ filename: 'note.txt', content: 'A note.' }],
});

const [command, ...given] = process.argv.slice(2);
const program = spawn(command, given, {
  stdio: ['ignore', 'inherit', 'inherit'],
  env: {
    ...process.env,
    MAILROOM_URL: `http://127.0.0.1:${recorder.address().port}`,
    MAILROOM_API_KEY: process.env.ACCOUNT_KEY,
  },
});
const [status] = await once(program, 'close', { signal: end });
assert.deepEqual(violations, []);
assert.equal(status, 0);
const expected = operations.filter(({ sdk }) => sdk).map(({ id }) => id);
assert.deepEqual([...called].sort(), expected.sort());
stop();
recorder.close();
recorder.closeAllConnections();
console.log(`covered ${called.size} operations`);
