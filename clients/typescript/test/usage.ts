import { Mailroom, verify, type Domain, type EmailStatus, type WebhookEvent } from '@mailroom/sdk';
import { Mailbox } from '@mailroom/sdk/testing';

/** A test with the mailbox. */
export async function signsUp(): Promise<string> {
  const mail = await new Mailbox().waitFor({ to: 'ann@example.test', since: new Date() });
  return mail.links()[0] ?? mail.code(/\d{6}/);
}

/** Uses of the types; only the last line runs. */
export async function uses(mailroom: Mailroom): Promise<string[]> {
  const { id } = await mailroom.emails.send({ from: 'a@b.test', to: ['c@d.test'], subject: 'Hi', react: {} });
  const status: EmailStatus = 'of the future';
  for await (const email of mailroom.emails.list({ status, limit: 10 })) id.concat(email.subject);
  const { data, error } = await mailroom.safe.domains.get(id);
  const domain: Domain | null = error ? null : data;
  // @ts-expect-error a mail needs a sender
  await mailroom.emails.send({ to: 'c@d.test', subject: 'Hi', text: 'x' });
  // @ts-expect-error a campaign is an object
  await mailroom.campaigns.create(id);
  return [domain?.name ?? '', recipient(verify('', {}, 's'))];
}

function recipient(event: WebhookEvent): string {
  switch (event.type) {
    case 'email.bounced':
      return event.data.recipient + event.data.bounce.code;
    case 'contact.created':
      return event.data.email;
    case 'unknown':
      return event.kind;
    default:
      return event.id;
  }
}

console.log(String(new Mailroom()));
