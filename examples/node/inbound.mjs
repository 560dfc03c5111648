import { Mailroom } from '@mailroom/sdk';

const mailroom = new Mailroom();

// #region inbound
for await (const { id, from_email, dmarc_verdict } of mailroom.inbound.list()) {
  if (dmarc_verdict === 'FAIL') continue; // somebody else may have written it
  const { subject, text } = await mailroom.inbound.get(id);
  console.log(from_email, subject, text);
}
// #endregion
