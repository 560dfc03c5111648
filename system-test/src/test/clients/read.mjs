// Reads a message as a mail program does: node read.mjs <message>
// Prints the parsed message as JSON, with attachments as text.
import { readFileSync } from 'node:fs';
import PostalMime from 'postal-mime';

const mail = await PostalMime.parse(readFileSync(process.argv[2]));
const attachments = mail.attachments.map(
  ({ filename, mimeType, disposition, contentId, related, content }) => ({
    filename,
    mimeType,
    disposition,
    contentId,
    related,
    content: new TextDecoder().decode(content),
  }),
);
const { from, to, cc, bcc, replyTo, subject, date, messageId, text, html } = mail;
console.log(
  JSON.stringify({ from, to, cc, bcc, replyTo, subject, date, messageId, text, html, attachments }),
);
