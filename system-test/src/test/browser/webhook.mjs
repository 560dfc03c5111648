// A failing webhook is mended and its call redelivered, its secret rotated; a mail comes in; the usage is read:
// node webhook.mjs
// ADMIN, MAILBOX and INBOUND are the ports of a running Mailroom, which may call loopback addresses; PICTURES is a
// directory.
import { createHmac } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { connect } from 'node:net';
import { newAccount, signIn, until } from './account.mjs';
import { open } from './browser.mjs';

const origin = `http://localhost:${process.env.ADMIN}`;
const address = process.env.ADDRESS ?? 'webhooks@browser.test';
const domain = process.env.DOMAIN ?? 'webhooks.test';

const { browser, page, problems, look, glance } = await open(origin, process.env.PICTURES);
const began = Date.now();

function step(name) {
  console.log(`${((Date.now() - began) / 1000).toFixed(1)} s ${name}`);
}

const see = (text) => page.getByText(text).first().waitFor();
const field = (name) => page.getByRole('textbox', { name: new RegExp(`^${name}( \\(optional\\))?$`) });
const status = (text) => page.locator('header').getByText(text, { exact: true }).first().waitFor();
const drawer = () => page.getByRole('complementary', { name: 'Call' });

/** The receiver of the calls: it fails until it is mended. */
let mended = false;
const calls = [];
const receiver = createServer((request, response) => {
  const chunks = [];
  request.on('data', (chunk) => chunks.push(chunk));
  request.on('end', () => {
    calls.push({ headers: request.headers, body: Buffer.concat(chunks).toString() });
    response
      .writeHead(mended ? 200 : 500, { 'Content-Type': 'text/plain' })
      .end(mended ? 'stored' : 'The table orders is missing');
  });
});
await new Promise((resolve) => receiver.listen(0, '127.0.0.1', resolve));
const url = `http://127.0.0.1:${receiver.address().port}/hooks`;

/** Whether one of the signatures of a call was made with a secret. */
function isSigned({ headers, body }, secret) {
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64');
  const signature = createHmac('sha256', key)
    .update(`${headers['webhook-id']}.${headers['webhook-timestamp']}.${body}`)
    .digest('base64');
  return headers['webhook-signature'].split(' ').includes(`v1,${signature}`);
}

async function secretOf() {
  const text = (await page.locator('[data-secret]').textContent()).trim();
  if (!/^whsec_/.test(text)) problems.push('The secret is not shown');
  return text;
}

/** Hands a mail to the inbound listener. */
async function deliver(to) {
  const socket = connect(Number(process.env.INBOUND), '127.0.0.1');
  socket.setEncoding('utf8');
  let answer = '';
  socket.on('data', (text) => {
    answer += text;
  });
  const say = async (line, code) => {
    if (line !== null) {
      answer = '';
      socket.write(`${line}\r\n`);
    }
    await until(`an answer to ${line}`, () => /^\d{3} .*\r\n/m.test(answer));
    if (!answer.match(/^(\d{3}) /m)[1].startsWith(code)) throw new Error(`${line}: ${answer}`);
  };
  await say(null, '2');
  await say('EHLO shop.example', '2');
  await say('MAIL FROM:<ada@shop.example>', '2');
  await say(`RCPT TO:<${to}>`, '2');
  await say('DATA', '3');
  await say(
    [
      'From: Ada Lovelace <ada@shop.example>',
      `To: ${to}`,
      'Subject: A question about order 4471',
      'Message-ID: <1@shop.example>',
      'Date: Sat, 21 Nov 2026 09:30:00 +0000',
      'MIME-Version: 1.0',
      'Content-Type: multipart/mixed; boundary=b',
      '',
      '--b',
      'Content-Type: text/html; charset=utf-8',
      '',
      '<p>Where is <b>my order</b>?</p>',
      '--b',
      'Content-Type: text/plain; name=order.txt',
      'Content-Disposition: attachment; filename=order.txt',
      '',
      '4471',
      '--b--',
      '.',
    ].join('\r\n'),
    '2',
  );
  socket.end('QUIT\r\n');
}

try {
  await newAccount(origin, `http://localhost:${process.env.MAILBOX}`, address, domain);
  await signIn(page, address);
  await page.keyboard.press('g');
  await page.keyboard.press('w');
  await see('Get events in your app');
  await glance('webhooks-empty');
  await page.getByRole('button', { name: 'Add endpoint' }).first().click();
  await field('URL').fill('http://shop.example/hooks');
  await page.getByRole('dialog').getByRole('checkbox', { name: 'received' }).check();
  await page.getByRole('dialog').getByRole('checkbox', { name: 'Add the headers of Svix' }).check();
  await glance('webhook-add');
  await page.getByRole('dialog').getByRole('button', { name: 'Add endpoint' }).click();
  await see('Must begin with https://.');
  await field('URL').fill(url);
  await page.getByRole('dialog').getByRole('button', { name: 'Add endpoint' }).click();
  await see('Store the secret now');
  const first = await secretOf();
  await glance('webhook-secret');
  await page.getByRole('button', { name: 'Done' }).click();
  await see('No calls yet');
  if ((await page.content()).includes(first)) problems.push('The secret stays on the page');
  step('added an endpoint');

  await page.getByRole('button', { name: 'Send test' }).first().click();
  await drawer().getByText('HTTP 500').first().waitFor();
  await drawer().getByText('The table orders is missing').first().waitFor();
  await status('Failing');
  await see('No successful delivery since');
  await look('webhook-failing');
  mended = true;
  await drawer().getByRole('button', { name: 'Redeliver' }).click();
  await drawer().getByText('HTTP 200').waitFor();
  await drawer().getByText('Delivered', { exact: true }).waitFor();
  await status('Working');
  if (!isSigned(calls.at(-1), first)) problems.push('The call is not signed with the secret');
  if (calls.at(-1).headers['svix-signature'] !== calls.at(-1).headers['webhook-signature'])
    problems.push('The call lacks the headers of Svix');
  step('redelivered a call');

  await page.getByRole('button', { name: 'More' }).click();
  await page.getByRole('menuitem', { name: 'Rotate secret' }).click();
  await see('for another 24 hours');
  await page.getByRole('dialog').getByRole('button', { name: 'Rotate' }).click();
  await see('Store the new secret now');
  const second = await secretOf();
  await page.getByRole('button', { name: 'Done' }).click();
  await page.locator('[data-secret]').waitFor({ state: 'detached' });
  const before = calls.length;
  await page.getByRole('button', { name: 'Send test' }).first().click();
  await until('a call with the new secret', () => calls.length > before);
  if (second === first || !isSigned(calls.at(-1), second) || !isSigned(calls.at(-1), first))
    problems.push('The call is not signed with both secrets');
  await drawer().getByText('HTTP 200').waitFor();
  await page.keyboard.press('Escape');
  await drawer().waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'Switch off' }).click();
  await see('It is off.');
  await page.getByRole('button', { name: 'Switch on' }).click();
  await status('Working');
  await page.getByRole('button', { name: 'More' }).click();
  await page.getByRole('menuitem', { name: 'Replay events since' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Recover' }).click();
  await see('No event was missed since then.');
  await page.keyboard.press('Escape');
  await look('webhook');
  await page.goto('/webhooks');
  await see('Your program gets every event.');
  await look('webhooks');
  step('rotated the secret, switched the endpoint off and on');

  await page.keyboard.press('g');
  await page.keyboard.press('i');
  await see(`${domain}. MX`);
  await glance('inbound-empty');
  const received = calls.length;
  await deliver(`help@${domain}`);
  await page.getByRole('link', { name: 'Ada Lovelace' }).click();
  await page.frameLocator('iframe[title="The email"]:not([aria-hidden])').getByText('my order').waitFor();
  await look('inbound');
  await page.getByRole('textbox', { name: 'Subject or address' }).fill('nowhere to be found');
  await page.getByRole('heading', { name: 'No mail matches' }).waitFor();
  await page.getByRole('button', { name: 'Clear the filter' }).click();
  await page.getByRole('tab', { name: 'Headers' }).click();
  await see('Message-ID: <1@shop.example>');
  await page.getByRole('tab', { name: 'Files 1' }).click();
  await page.getByRole('cell', { name: 'order.txt', exact: true }).waitFor();
  await page.reload();
  await page.getByRole('cell', { name: 'order.txt', exact: true }).waitFor();
  await glance('inbound-files');
  const saved = async (button) => {
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: button }).click(),
    ]);
    return [download.suggestedFilename(), readFileSync(await download.path(), 'utf8')];
  };
  const [name, content] = await saved('Save order.txt');
  if (name !== 'order.txt' || content.trim() !== '4471') problems.push(`The file is ${name}: ${content}`);
  const [message, source] = await saved('Save as .eml');
  if (!/\.eml$/.test(message) || !source.includes('Message-ID: <1@shop.example>'))
    problems.push(`The message is ${message}: ${source}`);
  await until('the event of the email', () =>
    calls.slice(received).some((call) => JSON.parse(call.body).type === 'email.received'),
  );
  step('read an email that came in');

  await page.keyboard.press('Escape');
  await page.getByRole('link', { name: 'Routes' }).click();
  await see(`Mail to every address of ${domain} is stored.`);
  await glance('routes-empty');
  const route = async (pattern, action) => {
    await page.getByRole('button', { name: 'Add route' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('textbox', { name: `Addresses at ${domain}` }).fill(pattern);
    await dialog.getByRole('combobox', { name: 'Action' }).selectOption({ label: action });
    if (pattern === '*') await glance('route-add');
    await dialog.getByRole('button', { name: 'Add route' }).click();
    await dialog.waitFor({ state: 'detached' });
  };
  await route('*', 'Refuse');
  await route('help', 'Store');
  await see('Never applies: route 1 matches first');
  await page.getByRole('button', { name: 'Move help up' }).focus();
  await page.keyboard.press('Enter');
  await page.getByText('help is route 1 of 2').waitFor({ state: 'attached' });
  await page.getByText('Never applies').waitFor({ state: 'detached' });
  await page.waitForFunction(() => document.activeElement.getAttribute('aria-label') === 'Move help up');
  await page.getByRole('textbox', { name: 'Address', exact: true }).fill('sales');
  await page.getByRole('button', { name: 'Test', exact: true }).click();
  await see('Route 2, *, is the first active one that matches.');
  await glance('routes');
  await until('the refusal of an address', () =>
    deliver(`sales@${domain}`).then(
      () => false,
      (error) => /: 550 5\.1\.1 /.test(error.message),
    ),
  );
  await page.getByRole('switch', { name: 'Apply *' }).click();
  await page.locator('[role=switch][aria-label="Apply *"][aria-checked="false"]').waitFor();
  await page.getByRole('button', { name: 'Delete *' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
  await page.getByRole('button', { name: 'Edit *' }).waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'Edit help' }).waitFor();
  step('routed emails');

  await page.getByRole('textbox', { name: 'Forwarding address' }).fill('ada@mailbox.test');
  await page.getByRole('button', { name: 'Add address' }).click();
  await page
    .getByRole('row', { name: /ada@mailbox.test/ })
    .getByText('Waiting')
    .waitFor();
  await page.getByRole('button', { name: 'Send another link to ada@mailbox.test' }).waitFor();
  await page.getByRole('button', { name: 'Edit help' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('combobox', { name: 'Action' }).selectOption({ label: 'Store and forward' });
  await dialog.getByRole('textbox', { name: 'Forward to' }).fill(`archive@${domain}`);
  await glance('route-forward');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await see(`Forward to archive@${domain}`);
  await glance('routes-forward');
  await page.getByRole('button', { name: 'Delete ada@mailbox.test' }).click();
  await dialog.getByRole('button', { name: 'Delete' }).click();
  await page.getByText('ada@mailbox.test', { exact: true }).waitFor({ state: 'detached' });
  step('forwarded emails');

  await page.keyboard.press('g');
  await page.keyboard.press('u');
  await see('left today.');
  await page.getByRole('img', { name: /^Emails per day/ }).waitFor();
  await look('usage');
  await page.goto('/webhooks/01983ad0-11be-7d02-9a53-2f7bc0c2ee41');
  await see('There is no such webhook endpoint, or it is not yours.');
  step('read the usage');
} catch (error) {
  problems.push(error.message);
  await page.screenshot({ path: `${process.env.PICTURES}/webhook-failure.png` }).catch(() => undefined);
} finally {
  await browser.close();
  receiver.close();
}
problems.forEach((problem) => console.error(problem));
console.log(problems.length === 0 ? 'all checks passed' : `${problems.length} problems`);
process.exit(problems.length === 0 ? 0 : 1);
