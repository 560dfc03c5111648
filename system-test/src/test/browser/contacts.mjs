// A person imports 10,000 contacts of which some are wrong, and makes a template: node contacts.mjs
// ADMIN and MAILBOX are the ports of a running Mailroom, OPERATOR and PASSWORD the credentials of its operator, CODES a
// file with recovery codes of the operator, PICTURES a directory.
import { existsSync, readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { until } from './account.mjs';
import { open, TIMEOUT } from './browser.mjs';

const origin = `http://localhost:${process.env.ADMIN}`;
const mailbox = `http://localhost:${process.env.MAILBOX}`;
const address = process.env.ADDRESS ?? 'owner@readers.test';
const secret = 'correct horse battery';
const LINES = 10_000;

const { browser, page, problems, look, glance } = await open(origin, process.env.PICTURES);
const began = Date.now();

function step(name) {
  console.log(`${((Date.now() - began) / 1000).toFixed(1)} s ${name}`);
}

function see(text) {
  return page.getByText(text).first().waitFor();
}

function dialog() {
  return page.getByRole('dialog');
}

/** The data of an operation, which is repeated until it succeeds. */
async function graphql(query, variables, token) {
  const deadline = Date.now() + TIMEOUT;
  for (;;) {
    const response = await fetch(`${origin}/graphql`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', ...(token ? { Authorization: `Bearer ${token}` } : {}) },
      body: JSON.stringify({ query, variables }),
    });
    const { data, errors } = await response.json();
    const refused = errors ?? Object.values(data).flatMap((field) => field?.userErrors ?? []);
    if (refused.length === 0) return data;
    if (!errors || Date.now() > deadline) throw new Error(JSON.stringify(refused));
    await new Promise((resolve) => setTimeout(resolve, 300));
  }
}

async function signedIn(email, password) {
  return (
    await graphql(
      'mutation($input: SignInInput!) { signIn(input: $input) { accessToken challenge userErrors { message } } }',
      { input: { email, password } },
    )
  ).signIn;
}

/** The access token of the operator, who needs a second factor: another journey sets it up. */
async function operatorToken() {
  const code = await until(
    'the recovery codes of the operator',
    () => existsSync(process.env.CODES) && readFileSync(process.env.CODES, 'utf8').split('\n')[1],
  );
  const { challenge } = await signedIn(process.env.OPERATOR, process.env.PASSWORD);
  return (
    await graphql(
      'mutation($input: SignInCodeInput!) { signInWithCode(input: $input) { accessToken userErrors { message } } }',
      { input: { challenge, code } },
    )
  ).signInWithCode.accessToken;
}

/** An account with a verified address and domain; the result is its id. */
async function register() {
  await graphql('mutation($input: SignUpInput!) { signUp(input: $input) { userErrors { message } } }', {
    input: { email: address, password: secret, name: 'Quillmoor Press' },
  });
  const deadline = Date.now() + TIMEOUT;
  let token;
  while (!token && Date.now() < deadline) {
    const { messages } = await (await fetch(`${mailbox}/messages?to=${address}`)).json();
    token = messages.map((message) => message.text.match(/verify-email\?token=(\S+)/)?.[1]).find(Boolean);
    if (!token) await new Promise((resolve) => setTimeout(resolve, 200));
  }
  await graphql(
    'mutation($input: VerifyEmailInput!) { verifyEmail(input: $input) { userErrors { message } } }',
    { input: { token, password: secret } },
  );
  const access = (await signedIn(address, secret)).accessToken;
  // A repeated request finds the domain that the first one has created.
  await graphql(
    'mutation { createDomain(input: { name: "readers.test" }) { userErrors { message } } }',
    {},
    access,
  ).catch(() => undefined);
  const { account, domains } = (
    await graphql('{ viewer { account { id } domains(first: 1) { nodes { id } } } }', {}, access)
  ).viewer;
  await graphql(
    'mutation($id: UUID!) { verifyDomain(id: $id) { userErrors { message } } }',
    { id: domains.nodes[0].id },
    access,
  );
  return account.id;
}

/** A file with a wrong address, an empty one, a wrong cell, a repeated address and names in several scripts. */
function csv() {
  const names = ['Ines', 'Jonas', '花子', 'שרה'];
  const lines = ['email;first_name;city;subscribed'];
  for (let i = 1; i <= LINES; i++)
    lines.push(`reader${i}@postbox.example;${names[i % 4]};Graz;${i % 100 === 0 ? 'no' : ''}`);
  lines[7] = 'nonsense;Ann;Graz;';
  lines[8] = ';Ann;Graz;';
  lines[9] = 'reader9@postbox.example;Ann;Graz;maybe';
  lines[10] = 'READER11@postbox.example;Ann;Graz;';
  return lines.join('\r\n');
}

/** Replaces the content of the editor as a person would. */
async function write(...lines) {
  await page.getByRole('textbox', { name: 'HTML of the email' }).click();
  await page.keyboard.press('Control+a');
  await page.keyboard.press('Delete');
  for (const [index, line] of lines.entries()) {
    if (index > 0) await page.keyboard.press('Enter');
    await page.keyboard.insertText(line);
  }
}

try {
  const account = await register();
  await page.goto('/contacts');
  await page.getByRole('textbox', { name: 'Email address' }).fill(address);
  await page.getByLabel('Password', { exact: true }).fill(secret);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await see('A book holds the people that a campaign is sent to');
  await glance('contacts-empty');
  await page.getByRole('button', { name: 'New book' }).first().click();
  await dialog().getByRole('button', { name: 'Create book' }).click();
  await dialog().getByText('Enter a name.').waitFor();
  await dialog().getByRole('textbox', { name: 'Name', exact: true }).fill('Readers');
  await dialog().getByRole('button', { name: 'Create book' }).click();
  await see('No contacts yet');
  await glance('book-empty');
  step('created a book');

  await page.getByRole('link', { name: 'Import' }).first().click();
  await see('Drop a file here');
  await glance('import');
  await page
    .getByLabel('File', { exact: true })
    .setInputFiles({ name: 'readers.csv', mimeType: 'text/csv', buffer: Buffer.from(csv()) });
  await see('readers.csv has 10,000 lines.');
  await glance('import-columns');
  await page.getByRole('button', { name: 'Check 10,000 lines' }).click();
  await see('Contact limit reached.');
  if ((await page.getByRole('button', { name: /^Import/ }).count()) > 0)
    problems.push('An import above the limit of the plan can be started');
  step('the plan does not allow so many contacts');

  const operator = await operatorToken();
  await graphql(
    'mutation($input: SetPlanInput!) { operatorSetAccountPlan(input: $input) { userErrors { message } } }',
    { input: { account, plan: 'unlimited' } },
    operator,
  );
  await page.getByRole('button', { name: 'Back to the columns' }).click();
  await page.getByRole('button', { name: 'Check 10,000 lines' }).click();
  await see('9,996 of 10,000 lines can be imported to Readers.');
  await page.getByRole('row', { name: '8 nonsense Invalid email address.' }).waitFor();
  await page
    .getByRole('row', { name: '10 reader9@postbox.example Subscribed must be true or false, not maybe.' })
    .waitFor();
  await look('import-check');
  await page.getByRole('button', { name: 'Import 9,996' }).click();
  await see('The import is done.');
  step('imported 9,996 contacts');

  await page.getByRole('link', { name: 'Show Readers' }).click();
  await see('9,896 of 9,996 contacts are subscribed.');
  await page
    .getByRole('link', { name: /^reader\d+@postbox.example$/ })
    .first()
    .waitFor();
  await look('book');
  await page.getByRole('textbox', { name: 'Address or name' }).fill('reader12');
  await see('More than 50 contacts match');
  await page
    .getByRole('link', { name: /^reader12/ })
    .first()
    .focus();
  await page.keyboard.press('x');
  await see('1 selected');
  await page.getByRole('checkbox', { name: 'Select all on this page' }).check();
  await page.getByRole('button', { name: 'All that match' }).click();
  await page.getByRole('toolbar', { name: 'Selection' }).getByText('All 111 that match').waitFor();
  await page.getByRole('toolbar', { name: 'Selection' }).getByRole('button', { name: 'Delete' }).click();
  await dialog().getByText('All 111 that match').waitFor();
  await glance('book-delete');
  await dialog().getByRole('button', { name: 'Delete 111' }).click();
  await see('No contact matches');
  await page.getByRole('button', { name: 'Clear filters' }).click();
  await see(/ of 9,885 contacts are subscribed\./);
  step('deleted 111 contacts that match');

  await page.getByLabel('Subscription').selectOption('no');
  await page
    .getByRole('link', { name: 'reader1000@postbox.example', exact: true })
    .or(page.getByRole('link', { name: /^reader\d+00@/ }))
    .first()
    .waitFor();
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Export' }).click(),
  ]);
  const exported = (await readFile(await download.path(), 'utf8')).trim().split('\r\n');
  if (exported.length !== 100 || !exported[1].includes(',false,'))
    problems.push(
      `The export of the unsubscribed has ${exported.length} lines, the second is ${exported[1]}`,
    );
  await page
    .getByRole('link', { name: /^reader\d+00@/ })
    .first()
    .click();
  await page.getByRole('textbox', { name: 'Value of city' }).fill('Linz');
  await page.keyboard.press('Escape');
  await dialog().getByText('Leave without saving?').waitFor();
  if (!(await page.title()).startsWith('•')) problems.push(`The title has no dot: ${await page.title()}`);
  await dialog().getByRole('button', { name: 'Stay' }).click();
  await dialog().waitFor({ state: 'detached' });
  await glance('contact');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await page.getByRole('button', { name: 'Save', exact: true }).waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'Subscribe', exact: true }).click();
  await page.getByRole('button', { name: 'Unsubscribe', exact: true }).waitFor();
  await see('Added to this book');
  await page.keyboard.press('Escape');
  await page.getByRole('complementary', { name: 'Contact' }).waitFor({ state: 'detached' });
  // The first one is subscribed now, and leaves the list.
  await page
    .getByRole('link', { name: /^reader\d+00@/ })
    .nth(1)
    .focus();
  await page.keyboard.press('x');
  await page.getByRole('button', { name: 'Set property' }).click();
  await dialog().getByRole('combobox', { name: 'Property' }).fill('tier');
  await dialog().getByRole('textbox', { name: 'Value' }).fill('gold');
  await dialog().getByRole('button', { name: 'Set property' }).click();
  await dialog().waitFor({ state: 'detached' });
  await page.locator('summary', { hasText: 'Columns' }).click();
  await page.getByRole('checkbox', { name: 'tier' }).check();
  await page.getByRole('cell', { name: 'gold', exact: true }).waitFor();
  await glance('book-columns');
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Views' }).click();
  await page.getByRole('menuitem', { name: 'Save this view' }).click();
  await dialog().getByRole('textbox', { name: 'Name' }).fill('Left us');
  await dialog().getByRole('button', { name: 'Save view' }).click();
  await page.getByRole('button', { name: 'Clear', exact: true }).click();
  await page.getByRole('button', { name: 'Views', exact: true }).click();
  await page.getByRole('menuitem', { name: 'Left us' }).click();
  await page.getByRole('button', { name: 'Views: Left us' }).waitFor();
  await page.getByRole('cell', { name: 'gold', exact: true }).waitFor();
  step('set a property of selected contacts, showed it and saved the view');

  await page.goto('/contacts');
  await page.getByRole('cell', { name: '9,885', exact: true }).first().waitFor();
  await look('contacts');
  await page.goto('/contacts/01983ad0-11be-7d02-9a53-2f7bc0c2ee41');
  await see('There is no such contact book, or it is not yours.');
  step('exported, changed and subscribed contacts');

  await page.getByRole('heading', { name: 'Contact book', exact: true }).click();
  await page.keyboard.press('g');
  await page.keyboard.press('t');
  await see('Reuse an email with variables');
  await page.getByRole('link', { name: 'New template' }).first().click();
  await page.getByRole('textbox', { name: 'Name' }).fill('welcome');
  await page.getByRole('textbox', { name: /^Subject/ }).fill('Welcome, {{first_name}}');
  await write('<h1>Hello {{first_name|there}}</h1>', '<p>{{city</p>');
  await see('The HTML has a broken placeholder in line 2.');
  await glance('template-broken');
  await page.getByRole('button', { name: 'Create template' }).click();
  await page.getByRole('button', { name: 'Go to line 2' }).click();
  await write('<h1>Hello {{first_name|there}}</h1>', '<p style="color: teal">You live in {{city}}.</p>');
  await see('2 placeholders have no value in the sample.');
  await page.getByRole('button', { name: 'Add to the sample' }).click();
  await see('No template errors.');
  await page
    .frameLocator('iframe[title="The email"]:not([aria-hidden])')
    .getByText('You live in city.')
    .waitFor();
  page.once('dialog', (question) => void question.accept());
  await page.reload();
  await see('Your changes that were not saved are here again.');
  await page.frameLocator('iframe[title="The email"]:not([aria-hidden])').getByText('You live in').waitFor();
  await page.keyboard.press('Control+s');
  await page.getByRole('button', { name: 'Send test' }).waitFor();
  await page
    .frameLocator('iframe[title="The email"]:not([aria-hidden])')
    .getByText('You live in city.')
    .waitFor();
  await look('template');
  step('corrected and saved a template');

  await see('Version 1, published');
  await write('<h1>Hello {{first_name|there}}</h1>', '<p>You live and work in {{city}}.</p>');
  await page.getByRole('button', { name: 'Save draft' }).click();
  await see('Emails use version 1 until you publish.');
  await look('template-draft');
  await page.getByRole('button', { name: 'Publish' }).click();
  await see('Version 2, published');
  await page.getByRole('button', { name: 'History' }).click();
  await dialog().getByText('+ <p>You live and work in {{city}}.</p>').waitFor();
  await look('template-history');
  await dialog().getByText('Version 1').click();
  await dialog().getByRole('button', { name: 'Against the editor' }).click();
  await dialog().getByText('+ <p>You live and work in {{city}}.</p>').waitFor();
  await dialog().getByRole('button', { name: 'Restore version 1' }).click();
  await page
    .frameLocator('iframe[title="The email"]:not([aria-hidden])')
    .getByText('You live in city.')
    .waitFor();
  await page.getByRole('button', { name: 'Save draft' }).click();
  await page.getByRole('button', { name: 'Discard draft' }).click();
  await dialog().getByRole('button', { name: 'Discard draft' }).click();
  await see('Version 2, published');
  await page
    .frameLocator('iframe[title="The email"]:not([aria-hidden])')
    .getByText('You live and work in city.')
    .waitFor();
  step('published a draft, compared and restored versions');

  await page.getByRole('button', { name: 'Send test' }).click();
  await dialog().getByRole('button', { name: 'Send it' }).click();
  await dialog().getByText('Test sent to').waitFor();
  await dialog().getByRole('link', { name: 'See it' }).click();
  await page.getByRole('heading', { name: 'Welcome, first name' }).waitFor();
  await see('Delivered');
  await page.goto('/templates');
  await page.getByRole('link', { name: 'welcome' }).waitFor();
  await look('templates');
  await page.goto('/templates/new');
  await page.getByRole('textbox', { name: 'Name' }).fill('welcome');
  await page.getByRole('button', { name: 'Create template' }).click();
  await see('A template named welcome already exists.');
  page.once('dialog', (question) => void question.accept());
  await page.goto('/templates/01983ad0-11be-7d02-9a53-2f7bc0c2ee41');
  await see('There is no such template, or it is not yours.');
  step('sent a test');
} catch (error) {
  problems.push(error.message);
  await page.screenshot({ path: `${process.env.PICTURES}/contacts-failure.png` }).catch(() => undefined);
} finally {
  await browser.close();
}
problems.forEach((problem) => console.error(problem));
console.log(problems.length === 0 ? 'all checks passed' : `${problems.length} problems`);
process.exit(problems.length === 0 ? 0 : 1);
