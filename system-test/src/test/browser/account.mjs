// An account with a verified domain, made over GraphQL, so that a journey starts with its own subject.
import { createHmac } from 'node:crypto';
import { TIMEOUT } from './browser.mjs';

export const password = 'correct horse battery';

const PAUSE_MS = 200;

/** Repeats a call until its result is truthy; returns the result. */
export async function until(what, ask) {
  const deadline = Date.now() + TIMEOUT;
  while (Date.now() < deadline) {
    const answer = await ask();
    if (answer) return answer;
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
  }
  throw new Error(`Not in time: ${what}`);
}

/** Looks for a thing, and makes it as long as it is not there: a busy server may refuse either. */
export function ensure(what, find, make) {
  return until(what, async () => {
    const found = await find();
    if (!found) await make();
    return found;
  });
}

/** Signs up with the address and adds the domain; the result sends documents as that person, null if it is refused. */
export async function newAccount(origin, mailbox, address, domain) {
  let token;
  const send = async (query, variables = {}) => {
    const response = await fetch(`${origin}/graphql`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', ...(token ? { Authorization: `Bearer ${token}` } : {}) },
      body: JSON.stringify({ query, variables }),
    });
    const { data, errors } = await response.json();
    return errors ? null : data;
  };
  const link = await ensure(
    `the email to ${address}`,
    async () => {
      const { messages } = await (await fetch(`${mailbox}/messages?to=${address}`)).json();
      return messages.map((message) => message.text.match(/verify-email\?token=(\S+)/)?.[1]).find(Boolean);
    },
    () =>
      send('mutation($input: SignUpInput!) { signUp(input: $input) { userErrors { message } } }', {
        input: { email: address, password, name: 'Quillmoor Press' },
      }),
  );
  await until('the verified address', () =>
    send('mutation($input: VerifyEmailInput!) { verifyEmail(input: $input) { userErrors { message } } }', {
      input: { token: link, password },
    }),
  );
  token = await until(
    'the sign-in',
    async () =>
      (
        await send(
          'mutation($input: SignInInput!) { signIn(input: $input) { accessToken userErrors { message } } }',
          { input: { email: address, password } },
        )
      )?.signIn.accessToken,
  );
  const found = await ensure(
    'the domain',
    async () => (await send('{ viewer { domains(first: 1) { nodes { id } } } }'))?.viewer.domains.nodes[0],
    () =>
      send('mutation($name: String!) { createDomain(input: { name: $name }) { userErrors { message } } }', {
        name: domain,
      }),
  );
  await until(
    'the verified domain',
    async () =>
      (
        await send(
          'mutation($id: UUID!) { verifyDomain(id: $id) { domain { status } userErrors { message } } }',
          { id: found.id },
        )
      )?.verifyDomain.domain?.status === 'VERIFIED',
  );
  return send;
}

/** The code of a secret in base32 now (RFC 6238). */
export function totp(secret) {
  const bits = [...secret]
    .map((letter) => 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'.indexOf(letter).toString(2).padStart(5, '0'))
    .join('');
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(Math.floor(Date.now() / 30_000)));
  const hash = createHmac('sha1', Buffer.from(bits.match(/.{8}/g).map((byte) => parseInt(byte, 2))))
    .update(counter)
    .digest();
  return ((hash.readUInt32BE(hash.at(-1) & 0xf) & 0x7fffffff) % 1_000_000).toString().padStart(6, '0');
}

/** Sets up a second factor on the page that shows its secret; the result is its recovery codes. */
export async function enrol(page) {
  const secret = (await page.locator('[data-totp]').textContent()).replace(/[^A-Z2-7]/g, '');
  await page.getByRole('textbox', { name: 'Verification code' }).fill(totp(secret));
  await page.getByRole('button', { name: 'Turn on', exact: true }).click();
  await page.getByText('Store these recovery codes.').first().waitFor();
  return (await page.getByRole('region', { name: 'the recovery codes' }).textContent()).match(
    /[a-z2-7]{4}(-[a-z2-7]{4}){3}/g,
  );
}

/** Signs in with the address on the page. */
export async function signIn(page, address) {
  await page.goto('/login');
  await page.getByRole('textbox', { name: 'Email address' }).fill(address);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('navigation', { name: 'Pages' }).waitFor();
}
