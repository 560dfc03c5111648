import { Mailroom } from '@mailroom/sdk';

const mailroom = new Mailroom();

export async function POST(request) {
  const { order, address } = await request.json();
  const { id } = await mailroom.emails.send(
    {
      from: 'Shop <hello@shop.test>',
      to: address,
      subject: 'Hello from Next',
      text: `Order ${order} is on its way.`,
    },
    { idempotencyKey: `order-${order}` },
  );
  return Response.json({ id });
}
