// Nodemailer, as its package is, against SMTP submission: SUBMISSION_PORT, RESEND_API_KEY, DOMAIN. Prints the mail's id.
import assert from 'node:assert/strict';
import nodemailer from 'nodemailer';

const from = `Ada <ada@${process.env.DOMAIN}>`;
const port = Number(process.env.SUBMISSION_PORT);

function transport(pass, options = {}) {
  // The certificate is self-signed.
  const tls = { rejectUnauthorized: false };
  return nodemailer.createTransport({
    host: '127.0.0.1',
    port,
    requireTLS: true,
    tls,
    auth: { user: 'any', pass },
    ...options,
  });
}

async function refused(call, responseCode, words) {
  const error = await call.then(
    () => assert.fail('it was taken'),
    (it) => it,
  );
  assert.equal(error.responseCode, responseCode, String(error));
  assert.match(error.response, words);
}

const right = transport(process.env.RESEND_API_KEY);
const sent = await right.sendMail({
  from,
  to: 'Charles <charles@babbage.test>',
  bcc: 'hidden@babbage.test',
  subject: 'Nötes by SMTP',
  text: 'It weaves.',
  html: '<p>It weaves <img src="cid:loom"></p>',
  attachments: [
    { filename: 'notes.txt', content: 'Note G' },
    { filename: 'loom.png', content: Buffer.from([137, 80, 78, 71]), cid: 'loom', contentType: 'image/png' },
  ],
});
assert.deepEqual(sent.accepted.sort(), ['charles@babbage.test', 'hidden@babbage.test']);
const [, id] = /^250 2\.6\.0 Accepted as ([0-9a-f-]{36})$/.exec(sent.response);

await refused(
  right.sendMail({ from: 'ada@elsewhere.test', to: 'charles@babbage.test', subject: 's', text: 't' }),
  550,
  /5\.7\.1 From domain mismatch/,
);
await refused(
  right.sendMail({ from, to: 'charles@babbage.test', text: 't' }),
  554,
  /5\.6\.0 Validation error: subject/,
);
await refused(transport('ek_wrong').verify(), 535, /5\.7\.8 Unauthorized/);
const open = { requireTLS: false, ignoreTLS: true, auth: undefined };
await refused(
  transport('', open).sendMail({ from, to: 'charles@babbage.test', subject: 's', text: 't' }),
  530,
  /5\.7\.0/,
);
console.log(`nodemailer passed: ${id}`);
