// The pages outside the web app: the mailbox, the documentation and the API reference. API, MAILBOX and CATCHER are the ports of a running
// Mailroom, PICTURES a directory: node pages.mjs
import { connect } from 'node:net';
import { open, TIMEOUT } from './browser.mjs';

const api = `http://localhost:${process.env.API}`;
const mailbox = `http://localhost:${process.env.MAILBOX}`;
const address = process.env.ADDRESS ?? 'pages@browser.test';

const { browser, page, problems, look, glance } = await open(mailbox, process.env.PICTURES);
page.on('requestfinished', (request) => {
  if (!/^(data:|blob:|about:)/.test(request.url()) && ![api, mailbox].includes(new URL(request.url()).origin))
    problems.push(`request to ${request.url()}`);
});

/** Refusal by the policy of the message's frame, which the browser reports as an error. */
const REFUSED = [/Blocked script execution in '\S+\/html'/];

const began = Date.now();
const step = (name) => console.log(`${((Date.now() - began) / 1000).toFixed(1)} s ${name}`);

/** Sends a mail with a text, an HTML part with inline styles, and what a mail must not do, to the catching server. */
async function send() {
  const html = `<body style="color: #86308a"><p>See <a href="${mailbox}/try">the link</a>.</p><script>alert(1)</script><img src="https://tracker.example/x.png"></body>`;
  const mail = [
    `From: Ada <ada@browser.test>`,
    `To: ${address}`,
    'Subject: An email to look at',
    'MIME-Version: 1.0',
    'Content-Type: multipart/alternative; boundary=part',
    '',
    '--part',
    'Content-Type: text/plain',
    '',
    `See ${mailbox}/try now.`,
    '--part',
    'Content-Type: text/html',
    '',
    html,
    '--part--',
    '.',
  ];
  const commands = [
    'EHLO browser.test',
    'MAIL FROM:<ada@browser.test>',
    `RCPT TO:<${address}>`,
    'DATA',
    mail.join('\r\n'),
    'QUIT',
  ];
  await new Promise((resolve, reject) => {
    const socket = connect(Number(process.env.CATCHER), '127.0.0.1');
    socket.setTimeout(TIMEOUT, () => reject(new Error('The catching server does not answer')));
    socket.on('error', reject);
    socket.on('close', resolve);
    socket.on('data', (data) => {
      if (!/^\d{3} .*\r\n$/m.test(String(data))) return;
      if (/^[45]/.test(String(data))) reject(new Error(String(data)));
      else if (commands.length > 0) socket.write(`${commands.shift()}\r\n`);
    });
  });
}

try {
  await send();
  await page.goto('/');
  await page.getByRole('searchbox').fill(address);
  await page.getByRole('button', { name: 'An email to look at' }).first().click();
  await page.getByRole('tab', { name: 'Text' }).click();
  await page
    .getByRole('tabpanel')
    .getByRole('link', { name: `${mailbox}/try` })
    .waitFor();
  await page.getByRole('tab', { name: 'Source' }).click();
  await page.getByText('boundary=part').waitFor();
  await page.getByRole('tab', { name: 'Headers' }).click();
  await page.getByRole('rowheader', { name: 'Subject' }).waitFor();
  await glance('mailbox-headers');
  await page.getByRole('tab', { name: 'Message' }).click();
  const [opened] = await Promise.all([
    page.context().waitForEvent('page'),
    page.frameLocator('iframe').getByRole('link', { name: 'the link' }).click(),
  ]);
  await opened.getByText('curl').waitFor();
  await opened.close();
  for (const pattern of REFUSED) {
    if (!problems.some((problem) => pattern.test(problem)))
      problems.push(`The frame of a message does not refuse ${pattern}`);
  }
  if (problems.some((problem) => problem.includes('tracker.example')))
    problems.push('A remote image of a message is an error');
  await page.getByRole('tab', { name: 'Text' }).click();
  await look('mailbox');
  await page.getByRole('searchbox').fill('nobody@nowhere.test');
  await page.getByText('No mail matches.').waitFor();
  await glance('mailbox-none');
  await page.getByRole('searchbox').fill('');
  await fetch(`${mailbox}/webhooks/pages`, { method: 'POST', body: '{"type": "webhook.test"}' });
  await page.getByRole('button', { name: /^Webhook calls/ }).click();
  await page.getByText('webhook.test').first().click();
  await page.getByRole('rowheader', { name: 'content-length' }).waitFor();
  await page.getByText('not signed').waitFor();
  await look('mailbox-calls');
  await page.getByRole('button', { name: 'Mails' }).click();
  step('read an email in the mailbox');

  await page.goto(`${api}/docs`);
  await page.locator('main h1').waitFor();
  await look('docs');
  await page.keyboard.press('Control+k');
  await page.getByPlaceholder('Search').fill('double opt-in');
  await page.getByRole('option').first().waitFor();
  await page.screenshot({ path: `${process.env.PICTURES}/docs-search.png` });
  // The options of VitePress's search contain links, which one rule of axe does not accept.
  const found = await page.evaluate(
    async () => (await window.axe.run('.VPLocalSearchBox', { resultTypes: ['violations'] })).violations,
  );
  for (const { id } of found.filter((violation) => violation.id !== 'nested-interactive'))
    problems.push(`axe on the search: ${id}`);
  await page.keyboard.press('Enter');
  await page.waitForURL(/\/docs\/campaigns#double-opt-in/);
  await page.getByRole('heading', { name: 'Double opt-in' }).waitFor();
  await page.keyboard.press('Control+k');
  await page.getByPlaceholder('Search').fill('zzzqqq');
  await page.getByText('No results for').waitFor();
  await page.keyboard.press('Escape');
  await page.goto(`${api}/docs/quickstart-node`);
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'], { origin: api });
  await page.getByRole('button', { name: 'Copy prompt' }).click();
  await page.getByText('Copied').waitFor();
  const prompt = await page.evaluate(() => navigator.clipboard.readText());
  if (!prompt.includes(`${api}/docs/quickstart-node.md`)) problems.push(`The prompt is ${prompt}`);
  await look('docs-quickstart');
  // The text of every page that the list for programs names. Those with parts of their own are opened and read by axe: the build of the
  // site checks the links of all.
  const list = await (await fetch(`${api}/llms.txt`)).text();
  const names = [...list.matchAll(/\(\/docs\/([^)]+)\.md\)/g)].map(([, name]) => name);
  if (names.length < 80) problems.push(`The list for programs names ${names.length} pages`);
  const read = ['cli', 'errors', 'mcp', 'performance', 'sources', 'webhooks', 'runbooks/BackupOld'];
  for (const name of names) {
    const text = await fetch(`${api}/docs/${name}.md`);
    if (!text.ok || !(await text.text()).includes('# ')) problems.push(`${name}.md is ${text.status}`);
  }
  for (const name of read) {
    await page.goto(`${api}/docs/${name}`);
    await page.locator('main h1').waitFor();
    await glance(`docs-${name.replace('/', '-')}`);
  }
  await page.goto(`${api}/docs/operations`);
  await look('docs-operations');
  step('read the documentation');

  // An old address of the reference.
  await page.goto(`${api}/docs#tag/emails`);
  await page.waitForURL(/\/docs\/reference#tag\/emails/);
  await page.goto(`${api}/docs/reference`);
  await page.getByRole('heading', { name: 'Mailroom', exact: true }).waitFor();
  await page.screenshot({ path: `${process.env.PICTURES}/reference.png` });
  await page.locator('.scalar-code-copy').first().waitFor({ state: 'attached' });
  if ((await page.locator('.scalar-code-copy:not([aria-label])').count()) > 0)
    problems.push('Buttons that copy have no name');
  if ((await page.getByText('⌃').count()) > 0) problems.push('The key of the search has no glyph');
  await page.getByRole('button', { name: 'Test Request' }).first().click();
  const answered = page.waitForResponse((response) => response.url().startsWith(`${api}/api/`));
  await page.getByRole('button', { name: /^Send/ }).first().click();
  await answered;
  step('tried a request in the API reference');

  // Errors for the address of a frame are refusals of its policy; a refused request is an error as well.
  const unexpected = problems.filter(
    (problem) => !/Failed to load resource|\/messages\/[^/]+\/html/.test(problem),
  );
  if (unexpected.length > 0) throw new Error(unexpected.join('\n'));
  console.log('all checks passed');
} finally {
  await browser.close();
}
