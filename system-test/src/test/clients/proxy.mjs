// Prism, which refuses each request and response that the OpenAPI document does not describe: RESEND_BASE_URL and
// OPENAPI, the path of the document.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { createInterface } from 'node:readline';

async function freePort() {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address();
  server.close();
  await once(server, 'close');
  return port;
}

/** Starts it; returns its port, and a function that stops it. */
export async function validatingProxy(signal) {
  const port = await freePort();
  const cli = 'node_modules/@stoplight/prism-cli/dist/index.js';
  const { OPENAPI, RESEND_BASE_URL } = process.env;
  const prism = spawn(
    process.execPath,
    [cli, 'proxy', OPENAPI, RESEND_BASE_URL, '--errors', '--port', String(port)],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  );
  process.on('exit', () => prism.kill());
  for await (const line of createInterface({ input: prism.stdout, signal })) {
    if (line.includes('is listening')) break;
  }
  prism.stdout.resume();
  return { port, stop: () => prism.kill() };
}
