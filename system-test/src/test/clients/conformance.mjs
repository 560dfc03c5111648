// The conformance suite of MCP against this server: MCP_URL, ACCOUNT_KEY. The client of the suite sends no
// credential, so a proxy adds it, and stands at the public address of the server.
import assert from 'node:assert/strict';
import { spawnSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer, request } from 'node:http';

const SUITE = 'node_modules/@modelcontextprotocol/conformance/dist/index.js';
const SCENARIOS = ['server-initialize', 'ping', 'tools-list', 'dns-rebinding-protection'];
// These need tools, prompts and resources of a server that was written for the suite, or capabilities that this
// server does not declare: logging, completion, resources, prompts, streams, and questions to the client.
const OF_A_TEST_SERVER =
  /^(tools-call-|json-schema-|elicitation-|resources-|prompts-|logging-|completion-|server-sse-)/;

// The suite expects a newer Node, of which it uses one function that these scenarios do not call.
const module = (source) => `data:text/javascript,${encodeURIComponent(source)}`;
const fs = module('export * from "node:fs"; export const globSync = () => [];');
const hook = module(`export const resolve = (name, context, next) =>
  name === "fs" && context.parentURL?.endsWith("/conformance/dist/index.js")
    ? { url: ${JSON.stringify(fs)}, shortCircuit: true } : next(name, context);`);
const register = module(`import { register } from "node:module"; register(${JSON.stringify(hook)});`);
const node = ['--import', register, SUITE];

const target = new URL(process.env.MCP_URL);
const metadata = await fetch(new URL('/.well-known/oauth-authorization-server', target));
const publicOrigin = new URL((await metadata.json()).issuer).origin;

const proxy = createServer((received, response) => {
  const { headers, method, url } = received;
  const own = `http://localhost:${proxy.address().port}`;
  const origin = headers.origin === own ? publicOrigin : headers.origin;
  const sent = { ...headers, ...(origin && { origin }), authorization: `Bearer ${process.env.ACCOUNT_KEY}` };
  received.pipe(
    request(new URL(url, target), { method, headers: sent }, (answer) => {
      response.writeHead(answer.statusCode, answer.headers);
      answer.pipe(response);
    }),
  );
});
proxy.listen(0, 'localhost');
await once(proxy, 'listening');

const listed = spawnSync(process.execPath, [...node, 'list', '--server'], { encoding: 'utf8' });
assert.equal(listed.status, 0, listed.stderr);
const all = [...listed.stdout.split('Client scenarios')[0].matchAll(/^ {2}- (\S+)/gm)].map(
  ([, name]) => name,
);
assert.deepEqual(all.filter((name) => !OF_A_TEST_SERVER.test(name)).sort(), [...SCENARIOS].sort());

for (const scenario of SCENARIOS) {
  const url = `http://localhost:${proxy.address().port}/mcp`;
  const suite = spawn(process.execPath, [...node, 'server', '--url', url, '--scenario', scenario], {
    stdio: 'inherit',
  });
  const [code] = await once(suite, 'exit');
  assert.equal(code, 0, scenario);
}
proxy.close();
proxy.closeAllConnections();
console.log(`conformance passed ${SCENARIOS.length}`);
