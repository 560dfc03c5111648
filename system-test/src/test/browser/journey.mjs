// A newcomer signs up, sends the first mail, and visits every page: node journey.mjs
// ADMIN and MAILBOX are the ports of a running Mailroom, PICTURES a directory. Names under .test verify without DNS;
// the name servers of this Mailroom answer for WRONG_DOMAIN with values of another provider.
import { readFileSync } from 'node:fs';
import { open, TIMEOUT } from './browser.mjs';

const origin = `http://localhost:${process.env.ADMIN}`;
const mailbox = `http://localhost:${process.env.MAILBOX}`;
const domain = process.env.DOMAIN ?? 'quillmoor.test';
const wrongDomain = process.env.WRONG_DOMAIN;
const address = process.env.ADDRESS ?? 'newcomer@browser.test';
const password = 'correct horse battery';
const newPassword = 'wrong mule accumulator';

const { browser, page, problems, look, glance } = await open(origin, process.env.PICTURES);
const began = Date.now();

function step(name) {
  console.log(`${((Date.now() - began) / 1000).toFixed(1)} s ${name}`);
}

async function see(text) {
  await page.getByText(text).first().waitFor();
}

function heading(name) {
  return page.getByRole('heading', { name, exact: true }).waitFor();
}

/** The newest mail to the newcomer whose text has this path, as a path with its token. */
async function link(path) {
  const deadline = Date.now() + TIMEOUT;
  while (Date.now() < deadline) {
    const { messages } = await (await fetch(`${mailbox}/messages?to=${address}`)).json();
    const found = messages
      .map((message) => message.text.match(new RegExp(`${path}\\?token=\\S+`))?.[0])
      .find(Boolean);
    if (found) return found;
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
  throw new Error(`No mail with ${path} to ${address}`);
}

async function signIn(secret) {
  await page.goto('/login');
  await page.getByRole('textbox', { name: 'Email address' }).fill(address);
  await page.getByLabel('Password', { exact: true }).fill(secret);
  await page.getByRole('button', { name: 'Sign in' }).click();
}

try {
  await page.goto('/domains');
  await heading('Sign in');
  await look('sign-in');
  step('the sign-in page stands before the others');
  await page.getByRole('link', { name: 'Sign up' }).click();
  await heading('Sign up');
  await page.getByLabel('Password', { exact: true }).fill('short');
  await page.getByRole('button', { name: 'Sign up' }).click();
  await see('At least 12 characters; this has 5.');
  await look('sign-up');
  await page.getByRole('textbox', { name: 'Name' }).fill('Quillmoor Press');
  await page.getByRole('textbox', { name: 'Email address' }).fill(address);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Sign up' }).click();
  await heading('Check your inbox');
  await look('sign-up-sent');
  step('signed up');

  await page.goto('/verify-email?token=unknown');
  await heading('This link no longer works');
  await glance('verify-refused');
  await page.goto(await link('/verify-email'));
  await heading('Enter your password');
  await page.getByRole('button', { name: 'Choose a new password instead' }).click();
  await heading('Choose a new password');
  await glance('verify-new-password');
  await page.getByRole('button', { name: 'I know the password' }).click();
  await heading('Enter your password');
  await page.getByLabel('Password', { exact: true }).fill('not the password');
  await page.getByRole('button', { name: 'Verify email' }).click();
  await see("Is not the account's password.");
  await glance('verify-password');
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Verify email' }).click();
  await heading('Email verified');
  if (page.url().includes('token')) problems.push('The token stays in the address bar');
  await look('verify');
  await page.getByRole('link', { name: 'Continue' }).click();
  await heading('Get started');
  step('verified the address, which signs in');

  await page.goto('/login');
  await page.getByRole('textbox', { name: 'Email address' }).fill(address);
  await page.getByLabel('Password', { exact: true }).fill('not the password');
  await page.getByRole('button', { name: 'Sign in' }).click();
  await see('Wrong email address or password.');
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await heading('Get started');
  await see('Three steps are left');
  await look('start');
  step('signed in');

  await page.goto('/emails');
  await see('No mail yet');
  await glance('emails-empty');
  await page.goto('/api-keys');
  await see('A key lets a program send');
  await glance('api-keys-empty');
  await page.goto('/domains');
  await see('You send from names you own');
  await glance('domains-empty');
  step('saw the empty lists');

  await page.goto('/start');
  await page.getByRole('textbox', { name: 'Domain' }).fill('not a name');
  await page.getByRole('textbox', { name: 'Domain' }).blur();
  await see('Enter a name with a dot');
  await page.getByRole('textbox', { name: 'Domain' }).fill(domain);
  await page.getByRole('button', { name: 'Add domain' }).click();
  await page.getByRole('link', { name: 'Show the records' }).waitFor();
  await page.getByRole('button', { name: 'Check now' }).click();
  await page.locator('[data-step="2"][data-done]').waitFor();
  await page.getByRole('button', { name: 'Create key' }).click();
  await page.getByRole('dialog').getByText('Copy your API key now').waitFor();
  const key = (await page.locator('[data-secret]').textContent()).trim();
  if (!/^ek_/.test(key)) problems.push('The secret of the key is not shown');
  await glance('start-secret');
  await page.getByRole('button', { name: 'Done' }).click();
  await page.locator('[data-step="3"][data-done]').waitFor();
  if ((await page.content()).includes(key)) problems.push('The secret of the key stays on the page');
  await glance('start-send');
  await page.getByRole('button', { name: 'Send test email' }).click();
  await page.locator('[data-step="4"][data-done]').getByText('Delivered').first().waitFor();
  await look('start-done');
  const { messages } = await (await fetch(`${mailbox}/messages?to=${address}`)).json();
  if (!messages.some((message) => message.subject === 'Hello from Mailroom'))
    problems.push('The first email is not in the mailbox');
  step('sent the first email');

  await page.goto('/emails');
  await page.getByRole('link', { name: address }).first().click();
  await page.getByRole('tab', { name: 'Timeline' }).waitFor();
  await see('Accepted');
  await look('emails');
  await page.getByRole('tab', { name: 'Preview' }).click();
  await page.frameLocator('iframe').getByText('It works.').waitFor();
  await glance('email-preview');
  await page.getByRole('tab', { name: 'Headers' }).click();
  await page.getByRole('region', { name: 'the headers' }).getByText('Message-ID: <').waitFor();
  await page.getByRole('button', { name: 'Source' }).click();
  await page.getByRole('region', { name: 'the source' }).getByText('quoted-printable').first().waitFor();
  const [eml] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Download .eml' }).click(),
  ]);
  if (!readFileSync(await eml.path(), 'utf8').includes('Subject: Hello'))
    problems.push('The source of the email has no subject');
  await glance('email-headers');
  await page.getByRole('tab', { name: 'Webhooks' }).click();
  await see('No webhook is called for this email.');
  await page.getByRole('tab', { name: 'JSON' }).click();
  await page.getByRole('button', { name: 'Unfold deliveries[0]' }).click();
  await page
    .getByRole('list', { name: 'the JSON' })
    .getByRole('button', { name: 'recipient', exact: true })
    .first()
    .waitFor();
  await glance('email-json');
  await page.keyboard.press('Escape');
  await page.getByRole('complementary', { name: 'Email' }).waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'Send test email' }).click();
  await page
    .getByRole('dialog')
    .getByRole('textbox', { name: 'Subject' })
    .fill('注文 4471 を発送しました ‏שלום');
  await glance('send-test');
  await page.getByRole('dialog').getByRole('button', { name: 'Send it' }).click();
  await page.getByRole('complementary', { name: 'Email' }).getByText('Delivered').first().waitFor();
  await page.getByRole('link', { name: 'Open as a page' }).click();
  await page.getByRole('navigation', { name: 'Breadcrumb' }).waitFor();
  await page
    .getByText('SMTP dialogue')
    .or(page.getByLabel('SMTP dialogue'))
    .first()
    .waitFor({ state: 'attached' });
  await look('email');
  await page.goto('/emails?q=nothing-like-this');
  await see('No mail matches');
  await page.getByRole('button', { name: 'Clear filters' }).click();
  await page.getByRole('combobox', { name: 'Time' }).selectOption('1h');
  await page.getByRole('combobox', { name: 'Stream' }).selectOption('transactional');
  await page.locator('summary', { hasText: 'Any status' }).click();
  await page.getByRole('checkbox', { name: 'Delivered' }).check();
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Accepted', exact: true }).click();
  await page.locator('th[aria-sort=ascending]').waitFor();
  await page.getByRole('link', { name: address }).first().focus();
  await page.keyboard.press('x');
  await page
    .getByRole('toolbar', { name: 'Selection' })
    .getByRole('button', { name: 'Send again' })
    .waitFor();
  await page.getByRole('button', { name: 'End the selection' }).click();
  await page.getByRole('button', { name: 'Accepted', exact: true }).click();
  await page.locator('th[aria-sort=descending]').waitFor();
  await page.getByRole('link', { name: address }).first().waitFor();
  const [saved] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Export' }).click(),
  ]);
  const lines = readFileSync(await saved.path(), 'utf8')
    .trim()
    .split('\r\n');
  if (lines.length !== 3 || !lines[2].includes('Hello from Mailroom'))
    problems.push(`The export is ${lines.join(' | ')}`);
  await page.getByRole('textbox', { name: 'Tag or tag=value' }).fill('kind=shipped');
  await see('No mail matches');
  if (!page.url().includes('tag=kind%3Dshipped')) problems.push(`The filters are not in ${page.url()}`);
  await page.goto('/emails/01983ad0-11be-7d02-9a53-2f7bc0c2ee41');
  await see('There is no such email, or it is not yours.');
  await glance('email-missing');
  step('read emails');

  await page.goto('/overview');
  await see('Delivery is healthy.');
  await page.locator('svg[role=img] rect').first().waitFor();
  await look('overview');
  await page.getByRole('link', { name: /^\d+ accepted$/ }).waitFor();
  await page.getByText('Delivered share', { exact: true }).waitFor();
  await page.locator('svg[role=img]').focus();
  await page.keyboard.press('ArrowLeft');
  await page.getByText('hatched').waitFor();
  await page.getByRole('button', { name: 'Table', exact: true }).click();
  await page.getByRole('columnheader', { name: 'From', exact: true }).waitFor();
  await page.getByRole('button', { name: '7 d', exact: true }).click();
  await page.getByText('Emails per day').waitFor();
  await page.goto('/suppressions');
  await see('No suppressed addresses');
  await glance('suppressions-empty');
  await page.getByRole('button', { name: 'Add', exact: true }).click();
  await page.getByRole('dialog').getByRole('textbox', { name: 'Addresses' }).fill('gone@browser.test');
  await page.getByRole('dialog').getByRole('button', { name: 'Add it' }).click();
  await page.getByRole('cell', { name: 'gone@browser.test', exact: true }).waitFor();
  await look('suppressions');
  await page.getByRole('button', { name: 'Remove gone@browser.test' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
  await see('No suppressed addresses');
  step('saw the figures, added and removed a suppression');

  await page.goto('/domains');
  await page.getByRole('button', { name: 'Add domain' }).click();
  await page.getByRole('dialog').getByRole('textbox', { name: 'Name' }).fill(wrongDomain);
  await glance('domain-add');
  await page.getByRole('dialog').getByRole('button', { name: 'Add domain' }).click();
  await page.getByRole('heading', { name: wrongDomain }).waitFor();
  const differs = page.locator('[data-record="SPF"]').getByText('Differs');
  // A look-up may get no answer in time on a busy machine; the person looks again.
  for (const end = Date.now() + TIMEOUT; !(await differs.isVisible()) && Date.now() < end;) {
    await page.getByRole('button', { name: 'Check now' }).click();
    await differs.waitFor({ timeout: 10_000 }).catch(() => undefined);
  }
  await differs.waitFor();
  await page.locator('[data-record="SPF"] del').getByText('_spf.oldhost.example').waitFor();
  await page.locator('[data-record="OWNERSHIP"]').getByText('Not found').waitFor();
  await look('domain-wrong');
  await page.goto('/domains');
  await page.getByRole('link', { name: domain }).waitFor();
  await look('domains');
  await page.getByRole('link', { name: domain }).click();
  await see(`${domain} can send.`);
  await page.getByRole('switch', { name: 'Count opens' }).click();
  await page.locator('[role=switch][aria-label="Count opens"][aria-checked="true"]').waitFor();
  await look('domain');
  step('saw wrong records');

  await page.goto('/api-keys');
  await page.getByRole('button', { name: 'Create key' }).click();
  await page.getByRole('dialog').getByRole('textbox', { name: 'Name' }).fill('first');
  await page.getByRole('dialog').getByRole('button', { name: 'Create key' }).click();
  await page
    .getByRole('dialog')
    .getByText('This name is in use')
    .or(page.getByRole('dialog').getByText('name'))
    .first()
    .waitFor();
  await glance('api-key-create');
  await page.getByRole('dialog').getByRole('textbox', { name: 'Name' }).fill('second');
  await page.getByRole('dialog').getByRole('button', { name: 'Create key' }).click();
  await page.getByRole('button', { name: 'Done' }).click();
  await page.getByRole('cell', { name: 'second', exact: true }).waitFor();
  await look('api-keys');
  await page.getByRole('button', { name: 'Actions for second' }).click();
  await page.getByRole('menuitem', { name: 'Revoke' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click();
  await page.getByRole('cell', { name: 'second', exact: true }).waitFor({ state: 'detached' });
  step('created and revoked a key');

  await page.keyboard.press('Control+k');
  await page.getByPlaceholder('Address, subject, name, id or page').fill('Hello from');
  await page.getByRole('dialog').getByText('Hello from Mailroom').first().waitFor();
  await glance('palette');
  await page.keyboard.press('Escape');
  await page.getByPlaceholder('Address, subject, name, id or page').waitFor({ state: 'detached' });
  await page.keyboard.press('?');
  await page.getByRole('dialog').getByText('Keyboard shortcuts').waitFor();
  await glance('shortcuts');
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await page.keyboard.press('g');
  await page.keyboard.press('d');
  await page.getByRole('link', { name: domain }).waitFor();
  await page.keyboard.press('Control+k');
  await page.getByPlaceholder('Address, subject, name, id or page').fill('Create API');
  await page.getByRole('dialog').getByText('Create API key').click();
  await page.getByRole('dialog', { name: 'Create key' }).waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await page.setViewportSize({ width: 390, height: 844 });
  await page.getByRole('button', { name: 'Menu' }).click();
  await page.getByRole('dialog').getByRole('link', { name: 'API keys' }).click();
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'Create key' }).waitFor();
  await page.setViewportSize({ width: 1440, height: 900 });
  step('used the keys and the menu');

  await page.goto('/settings');
  const zone = page.getByRole('combobox', { name: 'Time zone' });
  await zone.waitFor();
  if ((await zone.inputValue()) !== 'Europe/Berlin')
    problems.push(`The zone of the sign-up is ${await zone.inputValue()}`);
  await page.getByRole('button', { name: 'Dark' }).click();
  if ((await page.evaluate(() => document.documentElement.dataset.theme)) !== 'dark')
    problems.push('The theme is not applied');
  await page.getByRole('button', { name: 'System' }).click();
  await look('settings');
  await page.getByRole('textbox', { name: 'Name' }).fill('Quillmoor');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await page.getByRole('button', { name: /^Account Quillmoor \w+ plan$/ }).waitFor();
  await zone.selectOption('America/New_York');
  await page.getByRole('button', { name: 'Save time zone' }).click();
  await page.getByRole('definition').getByText('America/New York').waitFor();
  await page.getByRole('navigation', { name: 'Settings' }).getByRole('link', { name: 'Audit log' }).click();
  const log = page.getByRole('table', { name: 'Audit log, newest first' });
  await log.getByRole('row', { name: /Set the time zone to America\/New_York/ }).waitFor();
  const title = await log.locator('time').first().getAttribute('title');
  if (!/ (E[SD]T|GMT-[45]) · .* UTC$/.test(title)) problems.push(`A time is titled ${title}`);
  await page.getByRole('combobox', { name: 'Act', exact: true }).selectOption('domain.created');
  await log.getByRole('row', { name: /Set the time zone/ }).waitFor({ state: 'detached' });
  await look('settings-audit');
  await log.getByText('Added domain').first().click();
  await page.getByRole('dialog').getByRole('link', { name: 'Open the domain' }).waitFor();
  await page.getByRole('dialog').getByText('Earlier changes of it').waitFor();
  await page.getByRole('dialog').getByText('127.0.0.1').waitFor();
  await look('settings-audit-entry');
  await page.getByRole('dialog').getByRole('button', { name: 'Close' }).click();
  await page.goto('/settings');
  const archive = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Export all data' }).click();
  if ((await archive).suggestedFilename() !== 'account.zip') problems.push('The export has another name');
  const deletion = page.getByRole('region', { name: 'Delete the account' });
  await deletion.getByRole('button', { name: 'Delete the account' }).click();
  await deletion.getByRole('textbox', { name: 'Name of the account' }).fill('Another');
  await deletion.getByLabel('Your password', { exact: true }).fill(password);
  await deletion.getByRole('button', { name: 'Delete the account' }).click();
  await see('Is not the name of the account');
  await look('settings-deletion');
  await deletion.getByRole('textbox', { name: 'Name of the account' }).fill('Quillmoor');
  await deletion.getByRole('button', { name: 'Delete the account' }).click();
  await deletion.getByText('The account will be deleted on').waitFor();
  await page.goto('/overview');
  await see('The account will be deleted on');
  await glance('overview-deletion');
  await page.getByRole('button', { name: 'Cancel the deletion' }).click();
  await page.getByRole('button', { name: 'Cancel the deletion' }).waitFor({ state: 'detached' });
  await page.goto('/settings');
  await deletion.getByRole('button', { name: 'Delete the account' }).waitFor();
  await page.getByRole('navigation', { name: 'Settings' }).getByRole('link', { name: 'Security' }).click();
  await page.getByRole('region', { name: 'Sessions' }).getByRole('button', { name: 'End' }).first().waitFor();
  await look('settings-security');
  await page.getByLabel('Current password', { exact: true }).fill('not the password');
  await page.getByLabel('New password', { exact: true }).fill(newPassword);
  await page.getByRole('button', { name: 'Change password' }).click();
  await see('Is not the account');
  await page.getByRole('button', { name: 'Account Quillmoor' }).click();
  await page.getByRole('menuitem', { name: 'Sign out' }).click();
  await heading('Sign in');
  step('changed settings and signed out');

  await page.getByRole('link', { name: 'Forgot password?' }).click();
  await heading('Forgot the password');
  await look('forgot');
  await page.getByRole('textbox', { name: 'Email address' }).fill(address);
  await page.getByRole('button', { name: 'Send reset link' }).click();
  await heading('Check your inbox');
  await page.goto(await link('/reset-password'));
  await heading('Choose a new password');
  await look('reset');
  await page.getByLabel('New password', { exact: true }).fill(newPassword);
  await page.getByRole('button', { name: 'Change password' }).click();
  await heading('The password is changed');
  await signIn(newPassword);
  await heading('Overview');
  await page.goto('/no/such/page');
  await see('Page not found.');
  await glance('missing');
  step('reset the password');
} catch (error) {
  problems.push(error.message);
  await page.screenshot({ path: `${process.env.PICTURES}/failure.png` }).catch(() => undefined);
} finally {
  await browser.close();
}
problems.forEach((problem) => console.error(problem));
console.log(problems.length === 0 ? 'all checks passed' : `${problems.length} problems`);
process.exit(problems.length === 0 ? 0 : 1);
