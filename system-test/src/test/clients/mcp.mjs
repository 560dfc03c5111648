// The MCP server of Resend, as its package is, sends a mail through this server.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';

const server = spawn(process.execPath, ['node_modules/resend-mcp/dist/index.js'], {
  cwd: import.meta.dirname,
  stdio: ['pipe', 'pipe', 'inherit'],
});
const answers = createInterface({ input: server.stdout })[Symbol.asyncIterator]();
const say = (message) => server.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);

async function ask(id, method, params) {
  say({ id, method, params });
  for (;;) {
    const { value, done } = await answers.next();
    assert.ok(!done, 'the MCP server ended');
    const message = JSON.parse(value);
    if (message.id === id) return message;
  }
}

const client = { name: 'mailroom', version: '1' };
await ask(1, 'initialize', { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: client });
say({ method: 'notifications/initialized' });
const mail = {
  from: `ada@${process.env.DOMAIN}`,
  to: ['charles@babbage.test'],
  replyTo: [`ada@${process.env.DOMAIN}`],
  subject: 'Note A',
  text: 'Sent by a machine.',
};
const sent = await ask(2, 'tools/call', { name: 'send-email', arguments: mail });
assert.ok(!sent.error && !sent.result.isError, JSON.stringify(sent));
assert.match(sent.result.content[0].text, /Email sent successfully! .*"id":"[0-9a-f-]{36}"/);
const refused = await ask(3, 'tools/call', {
  name: 'send-email',
  arguments: { ...mail, from: 'a@elsewhere.test' },
});
assert.match(JSON.stringify(refused), /from_domain_mismatch/);
server.kill();

console.log('resend-mcp passed');
