import { createTransport } from 'nodemailer';

const transport = createTransport({
  host: 'localhost',
  port: Number(process.env.SMTP_PORT ?? 2587),
  requireTLS: true,
  tls: { rejectUnauthorized: false }, // only in the standalone, whose certificate is self-signed
  auth: { user: 'any', pass: process.env.MAILROOM_API_KEY },
});

const { response } = await transport.sendMail({
  from: 'Shop <hello@shop.test>',
  to: 'ann@example.test',
  subject: 'Hello from SMTP',
  text: 'It works.',
  headers: { 'Idempotency-Key': 'hello-3' },
});
console.log(response);
