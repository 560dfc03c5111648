// A domain with a wrong record is corrected with the zone file that its page offers, and verified: node domain.mjs
// ADMIN and MAILBOX are the ports of a running Mailroom, ZONES the directory of the zone files of its DNS server,
// PICTURES a directory.
import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { ensure, newAccount, signIn } from './account.mjs';
import { journey } from './browser.mjs';

const origin = `http://localhost:${process.env.ADMIN}`;
const address = process.env.ADDRESS ?? 'owner@mended.test';
const domain = process.env.DOMAIN ?? 'letters.quillmoor.net';

/** Publishes records, in the place of those before. */
function publish(records) {
  const file = `${process.env.ZONES}/${domain}`;
  writeFileSync(`${file}.new`, records);
  renameSync(`${file}.new`, `${file}.zone`);
}

await journey('domain', origin, async ({ page, step, problems, glance, visit }) => {
  const see = (text) => page.getByText(text).first().waitFor();
  const status = (text) => page.locator('header').getByText(text, { exact: true }).waitFor();
  const record = (purpose) => page.locator(`[data-record="${purpose}"]`);
  const send = await newAccount(
    origin,
    `http://localhost:${process.env.MAILBOX}`,
    address,
    address.split('@')[1],
  );
  const { id } = await ensure(
    'the domain',
    async () =>
      (await send('{ viewer { domains(first: 5) { nodes { id name } } } }'))?.viewer.domains.nodes.find(
        (node) => node.name === domain,
      ),
    () =>
      send('mutation($name: String!) { createDomain(input: { name: $name }) { userErrors { message } } }', {
        name: domain,
      }),
  );
  await signIn(page, address);
  await page.goto(`/domains/${id}`);
  await page.getByRole('heading', { name: domain }).waitFor();
  await see('Publish these records at your DNS host, then check.');
  step('added a domain');

  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Zone file' }).click(),
  ]);
  const right = readFileSync(await download.path(), 'utf8');
  publish(
    right
      .replace(/^(bounce\..* IN TXT) .*$/m, '$1 "v=spf1 include:_spf.oldhost.example ~all"')
      .replace(/^.*k=rsa.*\n/m, ''),
  );
  await page.getByRole('button', { name: 'Check now' }).click();
  await record('SPF').getByText('Differs').waitFor();
  await record('SPF').locator('del').getByText('_spf.oldhost.example').waitFor();
  await record('OWNERSHIP')
    .getByText('Verified')
    .or(record('OWNERSHIP').getByText('Found'))
    .first()
    .waitFor();
  await see('required record is missing or wrong.');
  await status('Pending');
  await page.getByRole('region', { name: 'Required' }).getByText('of 2 found').waitFor();
  await page.getByRole('button', { name: 'Relative names' }).click();
  await record('SPF').getByText('bounce', { exact: true }).waitFor();
  const letter = await page.getByRole('link', { name: 'Email to a colleague' }).getAttribute('href');
  if (!decodeURIComponent(letter).includes(`DNS records for ${domain}`))
    problems.push(`The message for a colleague is ${letter}`);
  await visit('domain-mend');
  step('saw a wrong and a missing record');

  publish(right);
  await page.getByRole('heading', { name: domain }).click();
  await page.keyboard.press('r');
  await status('Verified');
  await see('All its records are in DNS.');
  if ((await page.locator('[data-record] del').count()) > 0) problems.push('A record still differs');
  await glance('domain-mended');
  await page.getByRole('tab', { name: 'Readiness' }).click();
  await see('Rules of Gmail, Yahoo and Microsoft for bulk senders');
  await glance('domain-readiness');
  await page.getByRole('tab', { name: 'Authentication' }).click();
  await page.getByRole('region', { name: 'Policy' }).waitFor();
  await glance('domain-authentication');
  await page.getByRole('tab', { name: 'Providers' }).click();
  await see('No server answered in 30 days');
  await page.goto('/domains');
  await page
    .getByRole('row', { name: new RegExp(domain) })
    .getByText('Verified')
    .waitFor();
  step('corrected the records');
});
