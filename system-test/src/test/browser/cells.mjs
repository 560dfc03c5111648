// Two cells behind a proxy: each has people of its own, and an operator of one sees both, finds an account of the other
// and suspends it: node cells.mjs. APP is the port of the proxy for the web apps, OPERATOR and PASSWORD the credentials of
// the operator of eu1, EU1 and US1 the addresses of an owner in each cell, PICTURES a directory.
import { signIn } from './account.mjs';
import { journey } from './browser.mjs';

const origin = (cell) => `http://${cell}.localhost:${process.env.APP}`;
const { OPERATOR: operator, PASSWORD: password, EU1, US1 } = process.env;

await journey('cells', origin('eu1'), async ({ page, person, step, problems, visit, glance }) => {
  const see = (text) => page.getByText(text).first().waitFor();
  const row = (label, text) =>
    page.getByRole('table', { name: label }).getByRole('row').filter({ hasText: text }).first();

  const tenant = await person();
  await signIn(tenant, EU1);
  await tenant.goto('/domains');
  await tenant.getByRole('link', { name: EU1.split('@')[1] }).waitFor();
  const before = problems.length;
  await tenant.goto('/cells/us1/domains');
  await tenant.getByText('belongs to the cell eu1').first().waitFor();
  if (await tenant.getByRole('link', { name: EU1.split('@')[1] }).count())
    problems.push('A tenant sees a domain in another cell');
  await tenant.close();
  // The browser reports each refused request as an error.
  const expected = /^console: Failed to load resource.* 421 /;
  problems.splice(before, problems.length, ...problems.slice(before).filter((it) => !expected.test(it)));
  step('a person of eu1 uses eu1 only');

  const other = await person();
  await other.goto(`${origin('us1')}/login`);
  await other.getByRole('textbox', { name: 'Email address' }).fill(US1);
  await other.getByLabel('Password', { exact: true }).fill('correct horse battery');
  await other.getByRole('button', { name: 'Sign in' }).click();
  await other.getByRole('navigation', { name: 'Pages' }).waitFor();
  await other.goto(`${origin('us1')}/domains`);
  await other.getByRole('link', { name: US1.split('@')[1] }).waitFor();
  step('a person of us1 signs in there');

  await page.goto('/login');
  await page.getByRole('textbox', { name: 'Email address' }).fill(operator);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await row('Cells', 'eu1')
    .getByText(/Works|Warning|Failed/)
    .first()
    .waitFor();
  await row('Cells', 'us1')
    .getByText(/Works|Warning|Failed/)
    .first()
    .waitFor();
  await visit('cells');
  step('an operator of eu1 sees both cells');

  await page
    .getByRole('link', { name: /^Accounts/ })
    .first()
    .click();
  await page.getByRole('textbox', { name: 'Address, name, id or tag' }).fill(US1);
  await see('No account matches');
  await row('Accounts in other cells', US1).getByText('us1').waitFor();
  await glance('cells-accounts');
  await page.getByRole('table', { name: 'Accounts in other cells' }).getByRole('link', { name: US1 }).click();
  const bar = page.getByRole('region', { name: 'Cell', exact: true });
  await bar.getByText('Cell us1.').waitFor();
  await page.waitForURL(/\/cells\/us1\/operator\/accounts\/[0-9a-f-]{36}$/);
  await page.getByRole('button', { name: 'Suspend' }).click();
  await page.getByRole('dialog').getByRole('textbox', { name: 'Reason' }).fill('Found from eu1');
  await page.getByRole('dialog').getByRole('button', { name: 'Suspend' }).click();
  await see('It cannot send.');
  await row('Audit log, newest first', 'Suspended the account').getByText('Found from eu1').waitFor();
  await visit('cells-account');
  step('the operator suspends an account of us1');

  await page.keyboard.press('g');
  await page.keyboard.press('q');
  await page.waitForURL(/\/cells\/us1\/operator\/queue$/);
  await page.getByText('Live', { exact: true }).waitFor();
  await page.getByRole('button', { name: /^Account / }).click();
  await page.getByRole('menuitem', { name: 'eu1' }).click();
  await page.waitForURL(/:\d+\/operator$/);
  await row('Cells', 'us1').getByRole('link', { name: 'us1' }).click();
  await bar.getByText('Cell us1.').waitFor();
  await row('Cells', 'us1').getByText('us1').waitFor();
  await bar.getByRole('link', { name: 'Back to eu1' }).click();
  await row('Cells', 'eu1').waitFor();
  await bar.waitFor({ state: 'detached' });
  step('the operator changes between the cells');
});
