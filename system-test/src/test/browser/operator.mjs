// An operator sets up the second factor that operators need, finds a mail that a server defers, reads its SMTP dialogue, suspends the account and lifts the pause:
// node operator.mjs. ADMIN, API and MAILBOX are the ports of a running Mailroom, OPERATOR and PASSWORD its operator's
// credentials, CODES a file for the recovery codes that are left, PICTURES a directory.
import { readFileSync, writeFileSync } from 'node:fs';
import { enrol } from './account.mjs';
import { open, TIMEOUT } from './browser.mjs';

const api = `http://localhost:${process.env.API}/api`;
const mailbox = `http://localhost:${process.env.MAILBOX}`;
const { OPERATOR: operator, PASSWORD: password } = process.env;
const tenant = 'owner@stuck.test';
const tenantPassword = 'correct horse battery';
const stuck = 'deferred+stuck@simulator.mailroom.localhost';

const { browser, page, problems, visit, glance } = await open(
  `http://localhost:${process.env.ADMIN}`,
  process.env.PICTURES,
);
const began = Date.now();

function step(name) {
  console.log(`${((Date.now() - began) / 1000).toFixed(1)} s ${name}`);
}

function see(text) {
  return page.getByText(text).first().waitFor();
}

function row(label, text) {
  return page.getByRole('table', { name: label }).getByRole('row').filter({ hasText: text }).first();
}

async function call(path, token, body) {
  const response = await fetch(`${api}${path}`, {
    method: body ? 'POST' : 'GET',
    headers: { 'Content-Type': 'application/json', ...(token ? { Authorization: `Bearer ${token}` } : {}) },
    ...(body ? { body: JSON.stringify(body) } : {}),
  });
  const text = await response.text();
  return { status: response.status, data: text ? (JSON.parse(text).data ?? {}) : {} };
}

async function until(what, attempt) {
  const deadline = Date.now() + TIMEOUT;
  while (Date.now() < deadline) {
    const result = await attempt();
    if (result) return result;
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
  throw new Error(`Waited in vain for ${what}`);
}

/** Pages of a watched account, with the controls of each that change nothing. */
const WATCHED = [
  ['/overview', '24 h', '7 d', '30 d', '90 d'],
  ['/emails', 'Export', 'Views', 'Accepted'],
  ['/templates'],
  ['/campaigns'],
  ['/contacts'],
  ['/suppressions'],
  ['/inbound', 'Routes'],
  ['/domains'],
  ['/api-keys'],
  ['/webhooks'],
  ['/usage'],
  ['/settings', 'System', 'Light', 'Dark', 'Keyboard shortcuts'],
  ['/settings/team'],
  ['/settings/brand'],
  ['/settings/security'],
  ['/settings/notifications'],
  ['/settings/audit', 'Export'],
];

/** The names of the buttons, and of the links that look like one. */
function offered() {
  return [...document.querySelectorAll('#main :is(button, a[class*="button"]):not([data-row])')]
    .filter((element) => element.checkVisibility() && element.getAttribute('aria-disabled') !== 'true')
    .map((element) => (element.getAttribute('aria-label') ?? element.textContent).trim());
}

/** A tenant with a key, whose mail to one recipient is deferred. */
async function prepare() {
  await call('/auth/register', null, { email: tenant, password: tenantPassword, name: 'Stuck Press' });
  const token = await until('the email with the token', async () => {
    const { messages } = await (await fetch(`${mailbox}/messages?to=${tenant}`)).json();
    return messages.map((message) => message.text.match(/verify-email\?token=([^\s&]+)/)?.[1]).find(Boolean);
  });
  await call('/auth/verify-email', null, { token });
  const {
    data: { access_token: access },
  } = await call('/auth/login', null, { email: tenant, password: tenantPassword });
  const {
    data: { domain },
  } = await call('/domains', access, { name: 'stuck.test' });
  await call(`/domains/${domain.id}/verify`, access, {});
  const {
    data: { apiKey },
  } = await call('/api-keys', access, { domainId: domain.id, keyName: 'stuck' });
  const send = () =>
    call('/emails', apiKey.key, {
      from: 'orders@stuck.test',
      to: [stuck],
      subject: 'Your order 4471 has shipped',
      text: 'It is on its way.',
    });
  const { status } = await send();
  if (status >= 300) problems.push(`The email is refused with ${status}`);
  return { send };
}

try {
  const mail = await prepare();
  step('an email is put off');

  await page.goto('/login');
  await page.getByRole('textbox', { name: 'Email address' }).fill(operator);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('heading', { name: 'Set up a second factor' }).waitFor();
  await see('Operators of this platform need a second factor.');
  await page.getByRole('img', { name: 'QR code with the secret' }).waitFor();
  await page.goto('/operator/accounts');
  await page.getByRole('heading', { name: 'Set up a second factor' }).waitFor();
  await page.getByRole('img', { name: 'QR code with the secret' }).waitFor();
  await visit('operator-second-factor');
  await page.getByRole('textbox', { name: 'Verification code' }).fill('000');
  await page.getByRole('button', { name: 'Turn on', exact: true }).click();
  await page.locator('form [aria-invalid=true]').or(page.getByRole('alert')).first().waitFor();
  const codes = await enrol(page);
  writeFileSync(process.env.CODES, codes.join('\n'));
  await page.getByRole('button', { name: 'I have stored them' }).click();
  await page.getByRole('heading', { name: 'Promises' }).waitFor();
  await row('Promises', 'API answers without a server error').getByText('of ').waitFor();
  await row('Promises', 'API accepts mail quickly').getByText('of ').waitFor();
  step('set up a second factor');
  await page
    .getByRole('complementary', { name: 'Navigation' })
    .getByRole('link', { name: 'Mailroom' })
    .getByText('Operator')
    .waitFor();
  await visit('operator-overview');
  await page.keyboard.press('g');
  await page.keyboard.press('q');
  await see('Sending normally');
  await page.getByRole('table', { name: 'Workers' }).getByText('Working').first().waitFor();
  await page.getByRole('button', { name: 'Table of Oldest email that is due' }).click();
  await page.getByRole('table', { name: 'Oldest email that is due' }).getByRole('row').nth(1).waitFor();
  await page.getByRole('button', { name: 'Chart of Oldest email that is due' }).click();
  await visit('operator-queue');
  step('saw the platform');

  await page.getByRole('link', { name: 'Email search' }).click();
  await page.getByRole('textbox', { name: 'Address, subject or id' }).fill('deferred+stuck');
  await page.getByRole('button', { name: 'Search', exact: true }).click();
  await see('Enter a reason.');
  await page.getByRole('textbox', { name: 'Reason' }).fill('Ticket 4471');
  await page.getByRole('button', { name: 'Search', exact: true }).click();
  await row('Emails found, newest first', 'Your order 4471').waitFor();
  await glance('operator-search');
  await until('the first attempt', async () => {
    await page.getByRole('link', { name: stuck }).first().click();
    await page.getByRole('dialog').getByRole('heading', { name: 'Attempts' }).waitFor();
    if ((await page.getByRole('dialog').getByLabel('SMTP dialogue').count()) > 0) return true;
    await page.reload();
    await page.getByRole('textbox', { name: 'Reason' }).fill('Ticket 4471');
    await page.getByRole('button', { name: 'Search', exact: true }).click();
    return false;
  });
  const drawer = page.getByRole('dialog');
  await drawer.getByText('451 4.7.1 Try again later').first().waitFor();
  await drawer.getByText(`RCPT TO:<${stuck}>`).first().waitFor();
  await drawer.getByRole('textbox', { name: 'Reason to read it' }).fill('The owner asked about it');
  await drawer.getByRole('button', { name: 'Read the content' }).click();
  await drawer.getByText('It is on its way.').waitFor();
  await visit('operator-mail');
  await drawer.getByRole('link', { name: tenant }).click();
  step('read the SMTP dialogue');

  await page.getByRole('heading', { name: 'Stuck Press' }).waitFor();
  await see('It may send');
  await page.getByRole('button', { name: 'Suspend' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Suspend' }).click();
  await page.getByRole('dialog').getByText('Enter a reason.').waitFor();
  await glance('operator-suspend');
  await page
    .getByRole('dialog')
    .getByRole('textbox', { name: 'Reason' })
    .fill('Its recipients refuse the email');
  await page.getByRole('dialog').getByRole('button', { name: 'Suspend' }).click();
  await see('It cannot send.');
  await row('Audit log, newest first', 'Suspended the account')
    .getByText('Its recipients refuse the email')
    .waitFor();
  await row('Audit log, newest first', 'Read the content of email')
    .getByText('The owner asked about it')
    .waitFor();
  await visit('operator-account');
  if ((await mail.send()).status !== 403) problems.push('A suspended account can send');
  await page.getByRole('button', { name: 'Set limits' }).click();
  await page.getByRole('dialog').getByRole('textbox', { name: 'Emails a day (UTC)' }).fill('70');
  await page.getByRole('dialog').getByRole('textbox', { name: 'Reason' }).fill('A new sender');
  await glance('operator-limits');
  await page.getByRole('dialog').getByRole('button', { name: 'Save limits' }).click();
  await see('Emails today, set for this account');
  await page.getByRole('button', { name: 'Add note' }).click();
  await page.getByRole('dialog').getByRole('textbox', { name: 'Note' }).fill('Called the owner');
  await page.getByRole('dialog').getByRole('button', { name: 'Add note' }).click();
  await page.getByRole('region', { name: 'Notes' }).getByText('Called the owner').waitFor();
  await page.getByRole('link', { name: 'Accounts', exact: true }).first().click();
  await page.getByRole('button', { name: 'Suspended' }).click();
  await row('Accounts, newest first', 'Stuck Press').getByText('Suspended').waitFor();
  await visit('operator-accounts');
  await page.getByRole('link', { name: 'Stuck Press' }).click();
  await page.getByRole('button', { name: 'Reinstate' }).click();
  await page.getByRole('dialog').getByRole('textbox', { name: 'Reason' }).fill('The list is clean now');
  await page.getByRole('dialog').getByRole('button', { name: 'Reinstate' }).click();
  await see('It may send');
  await row('Audit log, newest first', 'Reinstated the account').getByText('The list is clean now').waitFor();
  if ((await mail.send()).status >= 300) problems.push('The account cannot send after the pause');
  step('suspended the account and lifted the pause');

  await page.getByRole('button', { name: 'Watch', exact: true }).click();
  await page.getByRole('dialog').getByRole('textbox', { name: 'Reason' }).fill('Ticket 4472');
  await page.getByRole('dialog').getByRole('button', { name: 'Watch', exact: true }).click();
  const bar = page.getByRole('region', { name: 'Watching' });
  await bar.getByText('Stuck Press').waitFor();
  await page.goto('/emails');
  await row('Emails', 'Your order 4471').waitFor();
  await bar.getByText('Stuck Press').waitFor();
  for (const [path, ...reading] of WATCHED) {
    const before = await page.locator('#main h1').textContent();
    await page.evaluate((to) => window.history.pushState({}, '', to), path);
    await page.waitForFunction(
      (old) =>
        ![old, undefined].includes(document.querySelector('#main h1')?.textContent)
        && !document.querySelector('#main [aria-busy=true]'),
      before,
    );
    const others = (await page.evaluate(offered)).filter(
      (name) => !reading.includes(name) && !/^(Copy .*|Stop watching|Older|Newer|Table)$/.test(name),
    );
    if (others.length > 0) problems.push(`A watched account offers ${others.join(', ')} on ${path}`);
  }
  await page.goto('/emails');
  await row('Emails', 'Your order 4471').waitFor();
  await glance('operator-watch');
  await bar.getByRole('button', { name: 'Stop watching' }).click();
  await page.getByRole('heading', { name: 'Stuck Press' }).waitFor();
  await bar.waitFor({ state: 'detached' });
  await row('Audit log, newest first', 'Began to watch the account').getByText('Ticket 4472').waitFor();
  await row('Audit log, newest first', 'Stopped watching the account').waitFor();
  step('watched the account');

  await page.getByRole('link', { name: 'All of it' }).click();
  await page.getByRole('combobox', { name: 'Act', exact: true }).selectOption('account.suspended');
  await row('Audit log, newest first', 'Suspended the account').getByText(tenant).waitFor();
  await row('Audit log, newest first', 'Reinstated the account').waitFor({ state: 'detached' });
  await visit('operator-audit');
  await row('Audit log, newest first', 'Suspended the account').getByRole('button').click();
  await page.getByRole('dialog').getByText('127.0.0.1').waitFor();
  await page.getByRole('dialog').getByText('Chrome on Linux').waitFor();
  await visit('operator-audit-entry');
  await page.getByRole('dialog').getByRole('button', { name: 'Close' }).click();
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Export' }).click(),
  ]);
  const lines = readFileSync(await download.path(), 'utf8')
    .trim()
    .split('\r\n');
  if (lines.length !== 2 || !lines[1].includes('Its recipients refuse the email'))
    problems.push(`The export is ${lines.join(' | ')}`);
  await page.goto('/operator/plans');
  await page.getByRole('button', { name: 'New plan' }).click();
  await page.getByRole('dialog').getByRole('textbox', { name: 'Name' }).fill('stuck');
  await page.getByRole('dialog').getByRole('textbox', { name: 'Emails a day (UTC)' }).fill('20,000');
  await page.getByRole('dialog').getByRole('textbox', { name: 'Reason' }).fill('Asked for by sales');
  await glance('operator-plan');
  await page.getByRole('dialog').getByRole('button', { name: 'Create plan' }).click();
  await row('Plans', 'stuck').getByText('20,000').waitFor();
  await visit('operator-plans');
  await page.keyboard.press('g');
  await page.keyboard.press('d');
  await page.locator('nav a[aria-current=page]').getByText('Destinations').waitFor();
  await page.getByRole('button', { name: 'Hold a destination' }).click();
  const hold = page.getByRole('dialog');
  await hold.getByRole('textbox', { name: 'Domain of the recipients' }).fill('slowpost.test');
  await hold.getByRole('button', { name: 'Hold', exact: true }).click();
  await hold.getByText('Enter a reason.').waitFor();
  await hold.getByRole('textbox', { name: 'Reason' }).fill('Their servers are down');
  await glance('operator-hold');
  await hold.getByRole('button', { name: 'Hold', exact: true }).click();
  await row('Destinations', 'slowpost.test').getByText('Their servers are down').waitFor();
  await row('Destinations', 'slowpost.test').getByText('Held', { exact: true }).waitFor();
  await visit('operator-destinations');
  await page.getByRole('button', { name: 'Actions for slowpost.test' }).click();
  await page.getByRole('menuitem', { name: 'Release' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Release' }).click();
  await row('Destinations', 'slowpost.test').waitFor({ state: 'detached' });
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await page.getByRole('link', { name: 'Queue and workers' }).click();
  await page.getByRole('button', { name: 'Pause all sending' }).click();
  await page.getByRole('dialog').getByRole('textbox', { name: 'Reason' }).fill('The relay moves');
  await page.getByRole('dialog').getByRole('button', { name: 'Pause all sending' }).click();
  await see('Sending is paused.');
  await glance('operator-paused');
  await page.getByRole('button', { name: 'Resume sending' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Resume sending' }).click();
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'Pause all sending' }).waitFor();
  step('held a destination and paused the queue');

  await page.getByRole('button', { name: 'Pause campaigns' }).click();
  const stop = page.getByRole('dialog');
  await stop.getByRole('button', { name: 'Pause campaigns' }).click();
  await stop.getByText('Enter a reason.').waitFor();
  await stop.getByRole('textbox', { name: 'Reason' }).fill('A list is under review');
  await stop.getByRole('button', { name: 'Pause campaigns' }).click();
  await see('Campaigns are paused.');
  await row('Queues', 'Campaigns').getByText('paused').waitFor();
  await row('Queues', 'Transactional').getByRole('button', { name: 'Pause transactional' }).waitFor();
  await glance('operator-stream-paused');
  await row('Queues', 'Campaigns').getByRole('button', { name: 'Resume campaigns' }).click();
  await stop.getByRole('button', { name: 'Resume campaigns' }).click();
  await stop.waitFor({ state: 'detached' });
  await row('Queues', 'Campaigns').getByRole('button', { name: 'Pause campaigns' }).waitFor();
  await see('Sending normally');
  await page.goto('/operator/audit');
  await row('Audit log, newest first', 'Paused the queue').getByText('A list is under review').waitFor();
  step('paused the campaigns and resumed them');

  await page.goto('/operator/dead-letters');
  await page.getByRole('heading', { name: 'Dead letters' }).waitFor({ state: 'attached' });
  await visit('operator-dead-letters');
  await page.getByRole('textbox', { name: 'Part of the reason' }).fill('key');
  await see('No such reason');
  await page.getByRole('button', { name: 'Show all' }).click();
  await page.getByRole('button', { name: 'Requeued', exact: true }).click();
  await see('None was requeued');
  await page.goto('/operator/checks');
  await page.getByRole('heading', { name: 'dispatcher' }).waitFor();
  await page.getByRole('button', { name: 'Run all' }).click();
  await visit('operator-checks');
  await page.goto('/operator/accounts/01983ad0-11be-7d02-9a53-2f7bc0c2ee41');
  await see('There is no such page, or it is not yours.');
  step('saw the other pages');

  await page.getByRole('button', { name: 'Account ', exact: false }).first().click();
  await page.getByRole('menuitem', { name: 'Sign out' }).click();
  await page.getByRole('textbox', { name: 'Email address' }).fill(tenant);
  await page.getByLabel('Password', { exact: true }).fill(tenantPassword);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('complementary', { name: 'Navigation' }).getByText('Emails ').first().waitFor();
  await page.goto('/operator');
  await see('Page not found.');
  step('a tenant sees nothing of it');
} catch (error) {
  problems.push(error.message);
  await page.screenshot({ path: `${process.env.PICTURES}/operator-failure.png` }).catch(() => undefined);
} finally {
  await browser.close();
}
problems.forEach((problem) => console.error(problem));
console.log(problems.length === 0 ? 'all checks passed' : `${problems.length} problems`);
process.exit(problems.length === 0 ? 0 : 1);
