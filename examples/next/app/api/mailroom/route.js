import { webhookHandler } from '@mailroom/sdk';

export const POST = webhookHandler({
  secret: process.env.MAILROOM_WEBHOOK_SECRET,
  seen: new Set(), // of a store in production: calls repeat
  on: {
    'email.bounced': ({ data }) => console.log(`${data.recipient} bounced: ${data.bounce.reason}`),
    'email.complained': ({ data }) => console.log(`${data.recipient} complained`),
    unknown: ({ kind }) => console.log(kind),
  },
});
