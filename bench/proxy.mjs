// What HAProxy with the configuration of examples/cells adds to a request: node bench/proxy.mjs
// MAILROOM_URL (http://localhost:8080) is a running Mailroom without quotas and rate limits, MANAGEMENT its management port
// (8090), MAILROOM_API_KEY a key, and FROM an address of its domain. ROUNDS (10) rounds of REQUESTS (1000) requests by
// CLIENTS (8) clients each, to the API directly and through the proxy in turns, so that other work disturbs both alike.
// Prints times in ms, and the CPU time of the proxy for a request.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const { MAILROOM_URL = 'http://localhost:8080', MANAGEMENT = '8090', MAILROOM_API_KEY, FROM } = process.env;
const number = (name, value) => Number(process.env[name] ?? value);
const [rounds, requests, clients] = [number('ROUNDS', 10), number('REQUESTS', 1000), number('CLIENTS', 8)];
const api = new URL(MAILROOM_URL);

async function freePort() {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address();
  server.close();
  return port;
}

const directory = mkdtempSync(join(tmpdir(), 'proxy-'));
const map = join(directory, 'moved.map');
writeFileSync(map, '');
const port = await freePort();
const cell = (name) => ({
  [name]: `127.0.0.1:${api.port}`,
  [`${name}_MANAGEMENT`]: MANAGEMENT,
  [`${name}_APP`]: `127.0.0.1:${api.port}`,
  [`${name}_APP_MANAGEMENT`]: MANAGEMENT,
});
const proxy = spawn(
  process.env.HAPROXY ?? '/usr/sbin/haproxy',
  ['-db', '-f', fileURLToPath(new URL('../examples/cells/haproxy.cfg', import.meta.url))],
  {
    stdio: 'inherit',
    env: {
      ...cell('EU1'),
      ...cell('US1'),
      BIND: `127.0.0.1:${port}`,
      BIND_APP: `127.0.0.1:${await freePort()}`,
      MOVED: map,
    },
  },
);

/** Ticks of 10 ms that the proxy has used. */
function ticks() {
  const fields = readFileSync(`/proc/${proxy.pid}/stat`, 'utf8')
    .replace(/^.*\) /, '')
    .split(' ');
  return Number(fields[11]) + Number(fields[12]);
}

const agents = new Map();

/** Time of a request in ms; the client of the number has a connection of its own to each port. */
function call(to, client, method, path, body) {
  const name = `${to} ${client}`;
  if (!agents.has(name)) agents.set(name, new Agent({ keepAlive: true, maxSockets: 1 }));
  const headers = { Authorization: `Bearer ${MAILROOM_API_KEY}`, 'Content-Type': 'application/json' };
  const began = performance.now();
  return new Promise((resolve, reject) => {
    const sent = request(
      { host: '127.0.0.1', port: to, method, path, headers, agent: agents.get(name) },
      (response) => {
        response.resume();
        response.on('end', () => resolve([response.statusCode, performance.now() - began]));
      },
    );
    sent.on('error', reject);
    sent.end(body);
  });
}

const kinds = {
  'GET /api/api-keys/current': () => ['GET', '/api/api-keys/current'],
  'POST /api/emails': () => [
    'POST',
    '/api/emails',
    JSON.stringify({ from: FROM, to: 'ann@example.test', subject: 'Proxy', text: 'Hello.\n'.repeat(150) }),
  ],
};

async function round(to, kind, times) {
  let left = requests;
  await Promise.all(
    Array.from({ length: clients }, async (_, client) => {
      while (left-- > 0) {
        const [status, time] = await call(to, client, ...kinds[kind]());
        if (status !== 200) throw new Error(`${kind} is answered with ${status}`);
        times.push(time);
      }
    }),
  );
}

const quantile = (times, q) => times.toSorted((a, b) => a - b)[Math.floor(times.length * q)];
const ms = (value) => value.toFixed(2);

try {
  const deadline = Date.now() + 30_000;
  while ((await call(port, 0, 'GET', '/api/api-keys/current').catch(() => [0]))[0] !== 200) {
    if (Date.now() > deadline) throw new Error('The proxy does not reach the API with this key');
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
  for (const kind of Object.keys(kinds)) {
    const direct = [];
    const proxied = [];
    let used = 0;
    await round(Number(api.port), kind, []);
    await round(port, kind, []);
    for (let i = 0; i < rounds; i++) {
      // Each is first in every second round.
      for (const [to, times] of i % 2 === 0
        ? [
            [Number(api.port), direct],
            [port, proxied],
          ]
        : [
            [port, proxied],
            [Number(api.port), direct],
          ]) {
        const before = ticks();
        await round(to, kind, times);
        if (to === port) used += ticks() - before;
      }
    }
    const [p50, p99] = [0.5, 0.99].map((q) => [quantile(direct, q), quantile(proxied, q)]);
    console.log(
      `${kind}: p50 ${ms(p50[0])} and ${ms(p50[1])} ms (${ms(p50[1] / p50[0])} x), p99 ${ms(p99[0])} and ${ms(p99[1])} ms (${ms(p99[1] / p99[0])} x), CPU of the proxy ${((used * 10_000) / proxied.length).toFixed(0)} µs a request`,
    );
  }
} finally {
  proxy.kill();
  agents.forEach((agent) => agent.destroy());
  rmSync(directory, { recursive: true });
}
