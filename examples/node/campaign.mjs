import { setTimeout } from 'node:timers/promises';
import { Mailroom } from '@mailroom/sdk';

const mailroom = new Mailroom();

// #region campaign
const book = await mailroom.contactBooks.create({ name: 'Readers' });
await mailroom.contacts.saveAll(book.id, [{ email: 'ann@example.test', firstName: 'Ann' }]);

const campaign = await mailroom.campaigns.create({
  name: 'Spring news',
  contact_book_id: book.id,
  from: 'Shop <hello@shop.test>',
  subject: 'Spring news for {{first_name|you}}',
  html_content: '<p>It is spring.</p><p><a href="{{unsubscribe_url}}">Unsubscribe</a></p>',
});
await mailroom.campaigns.test(campaign.id, { to: 'editor@shop.test' });
await mailroom.campaigns.start(campaign.id);

while ((await mailroom.campaigns.get(campaign.id)).status === 'running') await setTimeout(200);
// #endregion
