// An owner invites a person, who joins as a viewer; then the owner sets up a second factor and signs in with it:
// node team.mjs
// ADMIN and MAILBOX are the ports of a running Mailroom, PICTURES a directory.
import { enrol, newAccount, password, signIn, until } from './account.mjs';
import { open } from './browser.mjs';

const origin = `http://localhost:${process.env.ADMIN}`;
const mailbox = `http://localhost:${process.env.MAILBOX}`;
const address = process.env.ADDRESS ?? 'owner@team.test';
const invited = process.env.INVITED ?? 'grace@team.test';

const { browser, page, problems, glance } = await open(origin, process.env.PICTURES);
const began = Date.now();

function step(name) {
  console.log(`${((Date.now() - began) / 1000).toFixed(1)} s ${name}`);
}

const see = (text) => page.getByText(text).first().waitFor();
const heading = (name) => page.getByRole('heading', { name, exact: true }).waitFor();
const click = (name) => page.getByRole('button', { name, exact: true }).click();

async function signOut() {
  await page.getByRole('button', { name: /^Account / }).click();
  await page.getByRole('menuitem', { name: 'Sign out' }).click();
  await heading('Sign in');
}

try {
  await newAccount(origin, mailbox, address, 'team.test');
  await signIn(page, address);
  await page.goto('/settings/team');
  await see('1 person signs in to this account.');
  await click('Invite');
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('textbox', { name: 'Email address' }).fill(invited);
  await dialog.getByLabel('Role').selectOption('VIEWER');
  await glance('team-invite');
  await click('Send the invitation');
  await page.getByRole('row', { name: new RegExp(invited) }).waitFor();
  await glance('team');
  step('invited a person');

  await signOut();
  const link = await until('the invitation', async () => {
    const { messages } = await (await fetch(`${mailbox}/messages?to=${invited}`)).json();
    return messages.map((message) => message.text.match(/\/accept-invitation\?token=\S+/)?.[0]).find(Boolean);
  });
  await page.goto(link);
  await heading('Join the account');
  await page.getByLabel('Password', { exact: true }).fill(password);
  await glance('team-join');
  await click('Join');
  await page.getByRole('navigation', { name: 'Pages' }).waitFor();
  await page.goto('/settings/team');
  await see('2 people sign in to this account.');
  await see('Read only: your role is viewer, changes need the role admin.');
  if ((await page.getByRole('button', { name: 'Invite' }).count()) > 0)
    problems.push('A viewer is offered to invite');
  await glance('team-viewer');
  await page.goto(link);
  await heading('This invitation no longer works');
  step('joined as a viewer');

  await page.goto('/settings');
  await signOut();
  await signIn(page, address);
  await page.goto('/settings/notifications');
  const finished = page.getByRole('switch', { name: 'A campaign was sent' });
  await finished.waitFor();
  if ((await finished.getAttribute('aria-checked')) !== 'false')
    problems.push('Finished campaigns are mailed');
  await finished.click();
  await page.getByText('Saved.').waitFor();
  await glance('settings-notifications');
  await page.reload();
  await page.locator('[role=switch][aria-checked=true][aria-label="A campaign was sent"]').waitFor();
  step('chose notifications');

  await page.goto('/settings/security');
  await click('Set up a second factor');
  await page.getByRole('img', { name: 'QR code with the secret' }).waitFor();
  await glance('second-factor');
  const [recovery] = await enrol(page);
  await click('I have stored them');
  await see('10 recovery codes left');
  await signOut();
  await page.getByRole('textbox', { name: 'Email address' }).fill(address);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await click('Sign in');
  await heading('Enter the code');
  await page.getByRole('textbox', { name: 'Code' }).fill('not a code');
  await click('Sign in');
  await see('The code is wrong, or it was used before.');
  await glance('sign-in-code');
  await page.getByRole('textbox', { name: 'Code' }).fill(recovery);
  await click('Sign in');
  await page.getByRole('navigation', { name: 'Pages' }).waitFor();
  step('signed in with a second factor');
} catch (error) {
  problems.push(error.message);
  await page.screenshot({ path: `${process.env.PICTURES}/team-failure.png` }).catch(() => undefined);
} finally {
  await browser.close();
}
problems.forEach((problem) => console.error(problem));
console.log(problems.length === 0 ? 'all checks passed' : `${problems.length} problems`);
process.exit(problems.length === 0 ? 0 : 1);
