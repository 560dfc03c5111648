// A viewer and a developer are offered only what their roles permit, on every page: node roles.mjs
// ADMIN and MAILBOX are the ports of a running Mailroom with the demo account, DEMO the password of the demo account,
// PICTURES a directory.
import { readFileSync } from 'node:fs';
import { password, signIn, until } from './account.mjs';
import { journey } from './browser.mjs';

const origin = `http://localhost:${process.env.ADMIN}`;
const mailbox = `http://localhost:${process.env.MAILBOX}`;

/** Buttons and links that change nothing, besides the rows of tables and links in texts. */
const READING =
  /^(Copy .*|Table|Chart|Older|Newer|Clear|24 h|7 d|30 d|90 d|Zone file|Export|Views|Accepted|Preview|Desktop|Phone|HTML|Text|Dark|Light|System|curl|Node|Java|Python|Show the records|Team|Show password|Pages?|Emails|Opens and clicks|Square root|Linear|First 48 hours|Until now|Source|Download \.eml|Full names|Relative names|Email to a colleague|Timeline|Records and settings|Authentication|Readiness|Providers|Tracking domains|Routes|Test|Headers|Attempts|Webhooks|History|JSON|Tree|Raw|Show dialogue|Open as a page|Try again)$/;

/** Controls by page, with the right that they need. */
const GUARDED = {
  '/emails': { SEND: ['Send test email'] },
  '/campaigns': { CAMPAIGNS: ['New campaign'] },
  '/campaigns/:campaign': { CAMPAIGNS: ['Send test email'] },
  '/templates': { TEMPLATES: ['New template'] },
  '/templates/:template': { TEMPLATES: ['Save draft', 'Publish', 'Send test', 'Acts for the template'] },
  '/contacts': { CONTACTS: ['New book'] },
  '/contacts/:book': { CONTACTS: ['Add contact', 'Import'] },
  '/suppressions': { SUPPRESSIONS: ['Add'] },
  '/domains': { DOMAINS: ['Add domain'] },
  '/domains/:domain': { DOMAINS: ['Check now', 'Rotate', 'Delete'] },
  '/domains/:domain?tab=routes': { DOMAINS: ['Add route'] },
  '/api-keys': { API_KEYS: ['Create key'] },
  '/webhooks': { WEBHOOKS: ['Add endpoint'] },
  '/webhooks/:webhook': { WEBHOOKS: ['Send test', 'More'] },
  '/settings/team': { MEMBERS: ['Invite'] },
  '/settings/brand': { BRAND: ['Save', 'Choose logo'] },
};

/** Acts of the palette by page, with the right that they need. */
const ACTS = {
  '/campaigns/:campaign': { CAMPAIGNS: 'Send test email of' },
  '/domains/:domain': { DOMAINS: 'Check the records of' },
  '/contacts/:book': { CONTACTS: 'Import contacts' },
  '/templates/:template': { TEMPLATES: 'Save the template' },
  '/webhooks/:webhook': { WEBHOOKS: 'Rotate the secret' },
};

/** Pages that only make changes. */
const CHANGING = {
  '/campaigns/compose': 'CAMPAIGNS',
  '/templates/new': 'TEMPLATES',
  '/contacts/:book/import': 'CONTACTS',
};

async function graphql(query, variables, token) {
  const response = await fetch(`${origin}/graphql`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', ...(token ? { Authorization: `Bearer ${token}` } : {}) },
    body: JSON.stringify({ query, variables }),
  });
  const { data, errors } = await response.json();
  if (errors) throw new Error(JSON.stringify(errors));
  return data;
}

async function tokenOf(email, secret) {
  return (
    await graphql('mutation($input: SignInInput!) { signIn(input: $input) { accessToken } }', {
      input: { email, password: secret },
    })
  ).signIn.accessToken;
}

/** Adds a member to the demo account. */
async function join(owner, email, role) {
  await graphql(
    'mutation($input: InviteMemberInput!) { inviteMember(input: $input) { userErrors { message } } }',
    { input: { email, role } },
    owner,
  );
  const token = await until('the invitation', async () => {
    const { messages } = await (await fetch(`${mailbox}/messages?to=${email}`)).json();
    return messages.map((message) => message.text.match(/accept-invitation\?token=(\S+)/)?.[1]).find(Boolean);
  });
  await graphql(
    'mutation($input: AcceptInvitationInput!) { acceptInvitation(input: $input) { userErrors { message } } }',
    { input: { token, password } },
  );
}

/** The names of the buttons and of the links that look like one, without those of a table's rows. */
function offered() {
  return [...document.querySelectorAll('#main :is(button, a[class*="button"]):not([data-row])')]
    .filter((element) => element.checkVisibility() && element.getAttribute('aria-disabled') !== 'true')
    .map((element) =>
      (
        element.getAttribute('aria-label')
        ?? [...element.childNodes]
          .filter((node) => node.nodeType === Node.TEXT_NODE)
          .map((node) => node.textContent)
          .join('')
      ).trim(),
    );
}

await journey('roles', origin, async ({ page, person, problems, step, glance }) => {
  const owner = await tokenOf('demo@quillmoor.example', process.env.DEMO);
  const { viewer } = await graphql(
    `
      {
        viewer {
          contactBooks(first: 1) {
            nodes {
              id
            }
          }
          domains(first: 1) {
            nodes {
              id
            }
          }
          templates(first: 1) {
            nodes {
              id
            }
          }
          webhookEndpoints(first: 1) {
            nodes {
              id
            }
          }
          emails(first: 1) {
            nodes {
              id
            }
          }
          running: campaigns(first: 1, status: RUNNING) {
            nodes {
              id
            }
          }
          paused: campaigns(first: 1, status: PAUSED) {
            nodes {
              id
            }
          }
        }
      }
    `,
    {},
    owner,
  );
  const first = (connection) => connection.nodes[0].id;
  const objects = {
    '/emails/:email': first(viewer.emails),
    '/campaigns/:campaign': first(viewer.running.nodes.length > 0 ? viewer.running : viewer.paused),
    '/templates/:template': first(viewer.templates),
    '/contacts/:book': first(viewer.contactBooks),
    '/domains/:domain': first(viewer.domains),
    '/webhooks/:webhook': first(viewer.webhookEndpoints),
    '/domains/:domain?tab=routes': first(viewer.domains),
  };
  const source = readFileSync(
    new URL('../../../../tenant-admin/src/main/web/src/app/pages.ts', import.meta.url),
    'utf8',
  );
  const lists = [...source.matchAll(/\{ to: '([^']+)'/g)]
    .map((match) => match[1])
    .filter((path) => !path.startsWith('/operator'));
  const visits = [
    ...lists.map((path) => [path, path]),
    ...Object.entries(objects).map(([name, id]) => [name, name.replace(/:\w+/, id)]),
    ...Object.keys(CHANGING).map((name) => [name, name.replace(':book', objects['/contacts/:book'])]),
  ];

  const travel = async (role, own) => {
    const address = `${role.toLowerCase()}@roles.test`;
    await join(owner, address, role);
    await signIn(own, address);
    const { rights } = (
      await graphql('{ viewer { rights { right permitted } } }', {}, await tokenOf(address, password))
    ).viewer;
    const may = (right) => rights.find((each) => each.right === right).permitted;
    const reasons = own
      .locator('#main header')
      .getByText(`your role is ${role.toLowerCase()}, changes need the role`);
    for (const [name, path] of visits) {
      const say = (fault) => problems.push(`${role} on ${name}: ${fault}`);
      await own.evaluate((to) => {
        if (window.location.pathname !== to)
          document.querySelector('#main h1')?.setAttribute('data-before', '');
        window.history.pushState({}, '', to);
      }, path);
      await own.waitForFunction(
        () =>
          document.querySelector('#main h1:not([data-before])')
          && !document.querySelector('#main [aria-busy=true]'),
      );
      if (CHANGING[name]) {
        const refused = own.getByRole('heading', { name: 'This page makes changes' });
        if (may(CHANGING[name])) await refused.waitFor({ state: 'detached' });
        else await refused.waitFor();
        if (!may(CHANGING[name]) && (await own.locator('#main :is(input, textarea)').count()) > 0)
          say('has fields');
        continue;
      }
      const guarded = Object.entries(GUARDED[name] ?? {});
      const allowed = guarded.flatMap(([right, names]) => (may(right) ? names : []));
      for (const control of allowed)
        await own
          .locator('#main')
          .getByRole('button', { name: control, exact: true })
          .or(own.locator('#main').getByRole('link', { name: control, exact: true }))
          .first()
          .waitFor();
      if (guarded.some(([right]) => !may(right))) await reasons.first().waitFor();
      // A developer may do most things: what is not permitted is listed. A viewer may do nothing that is not reading.
      const found = await own.evaluate(offered);
      const forbidden = guarded.flatMap(([right, names]) => (may(right) ? [] : names));
      for (const control of found) {
        if (forbidden.includes(control)) say(`is offered ${control}`);
        else if (role === 'VIEWER' && !READING.test(control) && !name.startsWith('/settings'))
          say(`is offered ${control}, which is not known to change nothing`);
      }
      for (const [right, act] of Object.entries(ACTS[name] ?? {})) {
        await own.keyboard.press('Control+k');
        await own.getByPlaceholder('Address, subject, name, id or page').fill(act);
        const shown = own
          .getByRole('dialog')
          .getByRole('button', { name: act })
          .or(own.getByRole('dialog').getByText(act))
          .first();
        await (may(right) ? shown : own.getByRole('dialog').getByText('No match.')).waitFor();
        await own.keyboard.press('Escape');
        await own.getByPlaceholder('Address, subject, name, id or page').waitFor({ state: 'detached' });
      }
    }
    step(`${role} saw ${visits.length} pages`);
  };
  const developer = await person();
  await Promise.all([travel('VIEWER', page), travel('DEVELOPER', developer)]);
  await page.goto(`/domains/${objects['/domains/:domain']}`);
  await page.getByRole('switch', { name: 'Count opens' }).waitFor();
  if ((await page.getByRole('switch', { name: 'Count opens' }).getAttribute('aria-disabled')) !== 'true')
    problems.push('VIEWER may switch the tracking');
  await glance('domain-viewer');
  await page.goto('/emails');
  await page.getByRole('table', { name: 'Emails' }).locator('tbody tr').first().waitFor();
  await glance('emails-viewer');
});
