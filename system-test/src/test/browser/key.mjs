// A key is rotated: the new one works in the programs that the app shows, the old one is revoked: node key.mjs
// ADMIN and MAILBOX are the ports of a running Mailroom, PICTURES a directory.
import { spawnSync } from 'node:child_process';
import { newAccount, signIn, until } from './account.mjs';
import { journey } from './browser.mjs';

const origin = `http://localhost:${process.env.ADMIN}`;
const mailbox = `http://localhost:${process.env.MAILBOX}`;
const address = process.env.ADDRESS ?? 'owner@keys.test';

/** Output of a program with a key. */
function run(key, ...command) {
  const { stdout, stderr, error } = spawnSync(command[0], command.slice(1), {
    env: { ...process.env, MAILROOM_API_KEY: key },
    encoding: 'utf8',
    timeout: 60_000,
  });
  if (error) throw error;
  return `${stdout}${stderr}`;
}

await journey('key', origin, async ({ page, step, problems, glance, visit }) => {
  const see = (text) => page.getByText(text).first().waitFor();
  const dialog = () => page.getByRole('dialog');
  await newAccount(origin, mailbox, address, 'keys.test');
  await signIn(page, address);

  /** Creates a key on the page of the keys; the result is its secret. */
  const create = async (name) => {
    await page.getByRole('button', { name: 'Create key' }).first().click();
    await dialog().getByRole('textbox', { name: 'Name' }).fill(name);
    await dialog().getByRole('button', { name: 'Create key' }).click();
    const secret = (await page.locator('[data-secret]').textContent()).trim();
    await page.getByRole('button', { name: 'Done' }).click();
    await page.getByRole('cell', { name, exact: true }).waitFor();
    return secret;
  };
  await page.goto('/api-keys');
  const old = await create('shop 2025');
  await see('1 key not used yet.');
  step('created a key');

  await page.goto('/start');
  await page.getByRole('button', { name: 'Node', exact: true }).click();
  const node = await page.getByRole('region', { name: 'the program' }).textContent();
  await page.getByRole('button', { name: 'curl', exact: true }).click();
  const curl = await page.getByRole('region', { name: 'the program' }).textContent();
  const sent = run(old, 'node', '--input-type=module', '--eval', node);
  if (!/emailId|id/.test(sent)) problems.push(`The program in Node prints ${sent}`);
  await page.locator('[data-step="4"][data-done]').getByText('Delivered').first().waitFor();
  step('the program of the first steps sends');

  await page.goto('/api-keys');
  const fresh = await create('shop 2026');
  if (fresh === old) problems.push('Both keys are equal');
  const again = run(fresh, 'sh', '-c', curl);
  if (/error|curl:/.test(again.replace(/"error":null/g, '')))
    problems.push(`The program in curl prints ${again}`);
  await until('the second mail', async () => {
    const { messages } = await (await fetch(`${mailbox}/messages?to=${address}`)).json();
    return messages.filter((message) => message.subject === 'Hello from Mailroom').length === 2;
  });
  step('the new key sends');

  await page.reload();
  await page.getByRole('button', { name: 'Actions for shop 2025' }).click();
  await page.getByRole('menuitem', { name: 'Revoke' }).click();
  await dialog().getByText('It was last used at').waitFor();
  await dialog().getByText('It cannot be taken back.').waitFor();
  await visit('api-key-revoke');
  await dialog().getByRole('button', { name: 'Keep it' }).click();
  await dialog().waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'Actions for shop 2025' }).click();
  await page.getByRole('menuitem', { name: 'Revoke' }).click();
  await dialog().getByRole('button', { name: 'Revoke' }).click();
  await page.getByRole('cell', { name: 'shop 2025', exact: true }).waitFor({ state: 'detached' });
  await page.getByRole('cell', { name: 'shop 2026', exact: true }).waitFor();
  await glance('api-keys-rotated');
  const refused = run(old, 'node', '--input-type=module', '--eval', node);
  if (!/unauthorized|Unauthorized|401|403|invalid/i.test(refused))
    problems.push(`A revoked key is answered with ${refused}`);
  step('revoked the old key');

  await page.getByRole('button', { name: 'Actions for shop 2026' }).click();
  await page.getByRole('menuitem', { name: 'Rotate' }).click();
  await dialog().getByText('works for another 24 hours').waitFor();
  await visit('api-key-rotate');
  await dialog().getByRole('button', { name: 'Rotate' }).click();
  const rotated = (await page.locator('[data-secret]').textContent()).trim();
  await page.getByRole('button', { name: 'Done' }).click();
  await page.getByRole('cell', { name: /^shop 2026 ek_/ }).waitFor();
  await page.getByText('by Quillmoor Press').first().waitFor();
  for (const key of [fresh, rotated])
    if (/error|curl:/.test(run(key, 'sh', '-c', curl).replace(/"error":null/g, '')))
      problems.push('A key does not send after the rotation');
  step('rotated a key: both send');

  const api = `http://localhost:${process.env.API}`;
  const form = async (path, fields) => {
    const response = await fetch(`${api}${path}`, { method: 'POST', body: new URLSearchParams(fields) });
    return response.json();
  };
  const codes = await form('/oauth/device_authorization', { client_id: 'shop-cli', scope: 'usage.read' });
  await page.goto(`/device?code=${codes.user_code}`);
  await see('shop-cli asks for an API key of this account.');
  await page.getByRole('button', { name: 'Sign in the program' }).click();
  await see('Compare the codes first.');
  await visit('device');
  await page.getByRole('checkbox', { name: /shows exactly this code/ }).check();
  await page.getByRole('button', { name: 'Sign in the program' }).click();
  await see('The program has its key within a few seconds.');
  const token = await form('/oauth/token', {
    grant_type: 'urn:ietf:params:oauth:grant-type:device_code',
    device_code: codes.device_code,
    client_id: 'shop-cli',
  });
  if (token.scope !== 'usage.read') problems.push(`The program got ${JSON.stringify(token)}`);
  await page.getByRole('link', { name: 'API keys' }).last().click();
  await page.getByRole('cell', { name: 'shop-cli', exact: true }).waitFor();
  step('a program without a browser is signed in');

  const before = problems.length;
  const refuse = (status, name, headers = {}) =>
    page.route('**/graphql', (route) =>
      route.fulfill({ status, headers, json: { name, message: 'Later', statusCode: status } }),
    );
  const visitUnread = (path) => page.evaluate((to) => window.history.pushState({}, '', to), path);
  await refuse(503, 'service_unavailable');
  await visitUnread('/templates');
  await page.getByRole('alert').getByText('The database does not answer.').waitFor();
  await page.getByText(/Trying again in \d s\./).waitFor();
  await glance('server-away');
  await page.unroute('**/graphql');
  await page.getByRole('heading', { name: 'Reuse an email with variables' }).waitFor();
  step('a page appears when the database answers again');
  await refuse(429, 'rate_limit_exceeded', { 'Retry-After': '3' });
  await visitUnread('/inbound');
  await page.getByRole('alert').getByText('Too many requests.').waitFor();
  await page.getByText(/Trying again in [123] s\./).waitFor();
  await page.unroute('**/graphql');
  await page.getByRole('alert').waitFor({ state: 'detached' });
  await page.getByRole('heading', { name: 'No mail came in' }).waitFor();
  step('a page appears when requests are permitted again');
  await visitUnread('/emails');
  await page.getByRole('link', { name: address }).first().waitFor();
  await page.context().setOffline(true);
  await page.getByText('You are offline.').waitFor();
  await page
    .getByText(/Reconnecting, as of \d\d:\d\d:\d\d/)
    .first()
    .waitFor();
  await glance('offline');
  await page.context().setOffline(false);
  await page.getByText('You are offline.').waitFor({ state: 'detached' });
  await page.getByText('Live', { exact: true }).first().waitFor();
  step('the page is live again after the connection was away');
  // The browser reports each refused request as an error.
  problems.splice(
    before,
    problems.length,
    ...problems
      .slice(before)
      .filter((problem) => !/^console: (Failed to load resource|.*net::ERR_)/.test(problem)),
  );
});
