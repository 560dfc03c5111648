import { Mailroom } from '@mailroom/sdk';

const mailroom = new Mailroom();
const order = 17;

// #region send
const receipt = {
  from: 'Shop <hello@shop.test>',
  to: 'ann@example.test',
  subject: `Receipt of order ${order}`,
  text: 'Thank you.',
};
const once = { idempotencyKey: `receipt-${order}` };

const first = await mailroom.emails.send(receipt, once);
const second = await mailroom.emails.send(receipt, once);
console.log(first.id === second.id, second.replayed);
// #endregion
