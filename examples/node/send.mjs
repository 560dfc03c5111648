import { Mailroom } from '@mailroom/sdk';

const mailroom = new Mailroom();

const { id } = await mailroom.emails.send({
  from: 'Shop <hello@shop.test>',
  to: 'ann@example.test',
  subject: 'Hello from Node',
  text: 'It works.',
});

const { status } = await mailroom.emails.waitFor(id);
console.log(id, status);
