import { Mailroom } from '@mailroom/sdk';

const mailroom = new Mailroom();

// #region lists
for await (const { to_emails, subject } of mailroom.emails.list({ status: 'delivered' }))
  console.log(to_emails.join(', '), subject);

const newest = await mailroom.emails.list().first();
const hundred = await mailroom.emails.list().toList(100);
// #endregion
console.log(newest.id === hundred[0].id);
