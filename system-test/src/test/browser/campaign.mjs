// A campaign is composed, previewed, scheduled, taken back, started, watched, paused and resumed until it is sent:
// node campaign.mjs
// ADMIN and MAILBOX are the ports of a running Mailroom, PICTURES a directory.
import { ensure, newAccount, signIn, until } from './account.mjs';
import { open } from './browser.mjs';

const origin = `http://localhost:${process.env.ADMIN}`;
const address = process.env.ADDRESS ?? 'campaigns@browser.test';
const domain = process.env.DOMAIN ?? 'campaigns.test';
const PEOPLE = 40;
const gone = 'bounced+reader@simulator.mailroom.localhost';

/** A picture of 64 by 64 pixels. */
const LOGO =
  'iVBORw0KGgoAAAANSUhEUgAAAEAAAABACAIAAAAlC+aJAAAAT0lEQVR42u3PQQkAAAgEsItkSh+mNoJvYbACS9e8FgEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQGBywI3ZAEtnpzaUgAAAABJRU5ErkJggg==';

const { browser, page, problems, look, glance } = await open(origin, process.env.PICTURES);
const began = Date.now();

function step(name) {
  console.log(`${((Date.now() - began) / 1000).toFixed(1)} s ${name}`);
}

const see = (text) => page.getByText(text).first().waitFor();
const field = (name) => page.getByRole('textbox', { name: new RegExp(`^${name}( \\(optional\\))?$`) });
/** Replaces the content of the editor as a person would. */
async function writeHtml(html) {
  await field('HTML').click();
  await page.keyboard.press('Control+a');
  await page.keyboard.press('Delete');
  await page.keyboard.insertText(html);
}
const status = (text) => page.locator('header').getByText(text, { exact: true }).waitFor();

try {
  const send = await newAccount(origin, `http://localhost:${process.env.MAILBOX}`, address, domain);
  const book = async (name, contacts) => {
    const { id } = await ensure(
      `the book ${name}`,
      async () =>
        (
          await send('{ viewer { contactBooks(first: 10) { nodes { id name } } } }')
        )?.viewer.contactBooks.nodes.find((node) => node.name === name),
      () =>
        send(
          'mutation($name: String!) { createContactBook(input: { name: $name }) { userErrors { message } } }',
          { name },
        ),
    );
    if (contacts.length > 0)
      await until('the contacts', () =>
        send(
          'mutation($input: SaveContactsInput!) { saveContacts(input: $input) { userErrors { message } } }',
          { input: { contactBookId: id, contacts } },
        ),
      );
  };
  await book(
    'Readers',
    Array.from({ length: 1.5 * PEOPLE }, (_, index) => ({
      email: index === 0 ? gone : `reader${index}@readers.test`,
      firstName: `Reader ${index}`,
      properties: { city: index % 3 === 2 ? 'Wien' : 'Graz' },
    })),
  );
  await book('Nobody', []);
  step('has two contact books');

  await signIn(page, address);
  await page.keyboard.press('g');
  await page.keyboard.press('p');
  await see('One email to a book');
  await glance('campaigns-empty');
  await page.getByRole('link', { name: 'New campaign' }).first().click();
  await see('It needs a subject, content and a contact book.');
  await field('From').fill('news@elsewhere.test');
  await page.getByRole('link', { name: 'Emails' }).first().click();
  await page.getByRole('dialog').getByText('Leave an incomplete campaign?').waitFor();
  await glance('compose-leave');
  await page.getByRole('dialog').getByRole('button', { name: 'Stay' }).click();
  await field('Subject').fill('Forty books for long evenings');
  await field('Name').fill('Winter catalogue');
  const blocks = page.getByRole('textbox', { name: 'Blocks of the email' });
  await blocks.locator('p').first().click();
  await page.keyboard.type('Dear {{first_name|friend}}, the winter list is here.');
  await blocks.locator('[data-variable="first_name|friend"]').waitFor();
  await page.keyboard.press('Enter');
  await page.keyboard.type('It has forty books.');
  await blocks.locator('p').getByText('It has forty books.', { exact: true }).waitFor();
  await field('Preheader').fill('Forty books');
  await page.getByRole('button', { name: 'Image', exact: true }).click();
  await page
    .getByRole('dialog')
    .getByLabel('Image', { exact: true })
    .setInputFiles({
      name: 'harbour.png',
      mimeType: 'image/png',
      buffer: Buffer.from(LOGO, 'base64'),
    });
  await field('Alternative text').fill('The harbour');
  await page.getByRole('button', { name: 'Button', exact: true }).click();
  await field('Address of the button').fill('quillmoor.test/winter');
  await field('From').fill(`news@${domain}`);
  await page.getByRole('combobox', { name: 'Contact book' }).selectOption({ label: 'Readers, 60 contacts' });
  await see(/^Saved at/);
  const letter = page.frameLocator('iframe[title="The email"]:not([aria-hidden])');
  await letter.getByText('Dear Reader').waitFor();
  await letter.getByRole('img', { name: 'The harbour' }).waitFor();
  await letter.getByRole('link', { name: 'Read on' }).waitFor();
  await see('all passed');
  await blocks.getByText('It has forty books.', { exact: true }).click();
  await page.getByRole('button', { name: 'Columns', exact: true }).click();
  await page.keyboard.type('L');
  await letter.locator('.column').getByText('L', { exact: true }).waitFor();
  await look('compose-blocks');
  await page.reload();
  await blocks.getByText('the winter list is here.').waitFor();
  step('composed a campaign of blocks');

  await page.getByRole('button', { name: 'HTML', exact: true }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Convert to HTML' }).click();
  await field('Text').fill('');
  await writeHtml('<h1>Winter</h1><p>Hello</p>');
  await see('1 error to fix');
  await page.getByRole('button', { name: 'Send campaign', exact: true }).click();
  await page.getByRole('dialog', { name: 'Fix 1 error first' }).waitFor();
  await glance('compose-errors');
  await page.getByRole('button', { name: 'Back to the content' }).click();
  await page.getByRole('button', { name: 'Add the link' }).click();
  await see(/^\d warnings?$/);
  await writeHtml(
    '<h1>Winter</h1><p>Hello {{first_name|friend}}, <a href="https://quillmoor.test/winter">read on</a>. <a href="{{unsubscribe_url}}">Leave</a></p>',
  );
  await field('From').fill('news@elsewhere.test');
  await page.getByRole('combobox', { name: 'Contact book' }).selectOption({ label: 'Nobody, no contacts' });
  await see('From must be an address of one of the account');
  await glance('compose-refused');
  await field('From').fill(`news@${domain}`);
  await see(/^Saved at/);
  await see('It reaches no contact.');
  await page.getByRole('button', { name: 'Send campaign', exact: true }).click();
  const sheet = page.getByRole('dialog');
  await sheet.getByRole('button', { name: 'Send', exact: true }).click();
  await sheet.getByText("The campaign's contact book has no subscribed contact").waitFor();
  await sheet.getByRole('button', { name: 'Not yet' }).click();
  await page.getByRole('combobox', { name: 'Contact book' }).selectOption({ label: 'Readers, 60 contacts' });
  await see('Ready for 60 people.');
  await page.getByRole('button', { name: 'Add a condition' }).click();
  await page.getByRole('combobox', { name: 'Property 1' }).fill('city');
  await page.getByRole('combobox', { name: 'Operator 1' }).selectOption('starts_with');
  await page.getByRole('combobox', { name: 'Value 1' }).fill('gra');
  await page.getByRole('textbox', { name: 'Name of the segment' }).fill('Locals');
  await page.getByRole('button', { name: 'Save as segment' }).click();
  await page.getByRole('combobox', { name: 'Saved segment' }).waitFor();
  await see(`Ready for ${PEOPLE} people.`);
  await field('Pace').fill('100');
  await letter.getByText('Hello Reader').waitFor();
  await page.getByText(`${PEOPLE} emails`).first().waitFor();
  const first = await page
    .getByText(/^(reader\d+@readers\.test|bounced\+reader@simulator\.mailroom\.localhost)$/)
    .first()
    .textContent();
  await page.getByRole('button', { name: 'Next recipient' }).click();
  await page.getByText(first, { exact: true }).waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'Previous recipient' }).click();
  await page.getByText(first, { exact: true }).first().waitFor();
  await page.getByRole('button', { name: 'Contact without data' }).click();
  await letter.getByText('Hello friend').waitFor();
  await look('compose');
  step('composed and previewed a campaign');

  await page.getByRole('button', { name: 'Schedule for later', exact: true }).click();
  await page.getByLabel('Start at').fill('2001-01-01T08:00');
  await page.getByRole('button', { name: 'Schedule', exact: true }).click();
  await see('Choose a time in the future.');
  const later = new Date(Date.now() + 86_400_000).toISOString().slice(0, 16);
  await page.getByLabel('Start at').fill(later);
  await page.getByRole('button', { name: 'Schedule', exact: true }).click();
  await see('It starts at');
  await status('Scheduled');
  await page.getByRole('button', { name: 'More' }).click();
  await page.getByRole('menuitem', { name: 'Unschedule' }).click();
  await status('Draft');
  await glance('campaign-draft');
  await page.getByRole('link', { name: 'Edit' }).click();
  await see(`Ready for ${PEOPLE} people.`);
  await page.getByRole('button', { name: 'Send now', exact: true }).click();
  await page.getByRole('button', { name: 'Send campaign', exact: true }).click();
  await sheet.getByText('Forty books for long evenings').first().waitFor();
  await glance('campaign-start');
  await sheet.getByRole('button', { name: `Send to ${PEOPLE} people` }).click();
  await page.getByRole('button', { name: 'Undo' }).click();
  await status('Draft');
  await page.getByRole('link', { name: 'Edit' }).click();
  await page.getByRole('button', { name: 'Send campaign', exact: true }).click();
  await sheet.getByRole('button', { name: `Send to ${PEOPLE} people` }).click();
  await see('Sending starts in a few seconds.');
  await status('Running');
  step('scheduled it, took it back twice and started it');

  await page.getByText(/^[1-9]\d* of 40 processed/).waitFor();
  await page.getByRole('navigation', { name: 'Pages' }).getByText('1 live').waitFor();
  await page.keyboard.press('p');
  await status('Paused');
  await see('until you resume it.');
  await look('campaign-paused');
  await page.getByRole('button', { name: /^Resume/ }).click();
  await page
    .getByRole('button', { name: /^Pause/ })
    .or(page.locator('header').getByText('Sent', { exact: true }))
    .first()
    .waitFor();
  step('paused it and resumed it');

  await page.goto('/campaigns?status=DRAFT');
  await see('No campaign matches');
  await page.getByRole('button', { name: 'Clear filters' }).click();
  await page.getByRole('link', { name: 'Winter catalogue' }).waitFor();
  await look('campaigns');
  await page.goto('/campaigns/01983ad0-11be-7d02-9a53-2f7bc0c2ee41');
  await see('There is no such campaign, or it is not yours.');
  step('found it in the list');

  await page.goto('/campaigns');
  await page.getByRole('link', { name: 'Winter catalogue' }).click();
  await status('Sent');
  await see('of 40 emails were delivered.');
  await page
    .getByRole('img', { name: /^Emails by the minute/ })
    .locator('rect')
    .first()
    .waitFor();
  await look('campaign-sent');
  await page.getByRole('button', { name: 'Table', exact: true }).click();
  await page.getByRole('columnheader', { name: 'Delivered' }).waitFor();
  await page.getByRole('button', { name: 'Preview' }).click();
  await letter.getByText('Hello Reader').waitFor();
  await page.getByRole('dialog').getByRole('button', { name: 'Close' }).click();
  step('saw it sent');

  await page.getByRole('link', { name: 'Bounced emails' }).click();
  await page.getByRole('button', { name: 'Not only the campaign Winter catalogue' }).waitFor();
  await page
    .getByRole('table', { name: 'Emails' })
    .getByRole('link')
    .and(page.locator('[data-row]'))
    .first()
    .waitFor();
  if ((await page.getByRole('table', { name: 'Emails' }).locator('[data-row]').count()) !== 1)
    problems.push('The bounced emails of the campaign are not one');
  await page.getByRole('link', { name: gone }).click();
  await page.getByText('from the campaign Winter catalogue').waitFor();
  await glance('campaign-bounced');
  await page.getByRole('button', { name: 'Not only the campaign Winter catalogue' }).click();
  await page
    .getByRole('button', { name: 'Not only the campaign Winter catalogue' })
    .waitFor({ state: 'detached' });
  step('saw which emails bounced');

  const search = async (text, found) => {
    await page.keyboard.press('Control+k');
    await page.getByPlaceholder('Address, subject, name, id or page').fill(text);
    await page.getByRole('dialog').getByText(found).first().waitFor();
  };
  await search('reader1@', 'Readers');
  await glance('palette-contact');
  await page.getByRole('dialog').getByText('Readers', { exact: true }).click();
  await page.getByRole('heading', { name: 'Readers' }).waitFor();
  await page.getByRole('heading', { name: 'reader1@readers.test' }).waitFor();
  await search('winter cat', 'Winter catalogue');
  await page.getByRole('dialog').getByText('Winter catalogue').first().click();
  await status('Sent');
  step('found a contact and the campaign by the palette');

  await page.goto('/settings/brand');
  await field('Public name').fill('Quillmoor Press');
  await field('Colour').fill('#86308a');
  await field('Footer').fill('Quillmoor Press\n1 Moor Lane, York');
  await page.getByLabel('Languages of the pages').selectOption('EN,DE');
  await page.getByLabel('Logo', { exact: true }).setInputFiles({
    name: 'logo.png',
    mimeType: 'image/png',
    buffer: Buffer.from(LOGO, 'base64'),
  });
  await page.getByRole('img', { name: 'The logo' }).waitFor();
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await see('Saved.');
  await look('brand');
  step('set the brand');

  const links = await until('an email of the campaign', async () => {
    const { messages } = await (
      await fetch(`http://localhost:${process.env.MAILBOX}/messages?to=reader1@readers.test`)
    ).json();
    return messages.map(({ html }) => html.match(/http:[^"]+\/u\/[^"]+/)?.[0]).find(Boolean);
  });
  for (const theme of ['light', 'dark']) {
    await page.emulateMedia({ colorScheme: theme });
    await page.goto(links);
    await page.getByRole('img', { name: 'Quillmoor Press' }).waitFor();
    await glance(`unsubscribe-${theme}`);
    await page.getByRole('link', { name: 'All lists of this sender' }).click();
    await page.getByRole('checkbox', { name: 'Readers' }).waitFor();
    await glance(`lists-${theme}`);
  }
  await page.goto(links);
  await page.getByRole('button', { name: 'Unsubscribe' }).click();
  await page.getByRole('heading', { name: 'You are unsubscribed' }).waitFor();
  await glance('unsubscribed');
  step('unsubscribed as a reader');
} catch (error) {
  problems.push(error.message);
  await page.screenshot({ path: `${process.env.PICTURES}/campaign-failure.png` }).catch(() => undefined);
} finally {
  await browser.close();
}
problems.forEach((problem) => console.error(problem));
console.log(problems.length === 0 ? 'all checks passed' : `${problems.length} problems`);
process.exit(problems.length === 0 ? 0 : 1);
