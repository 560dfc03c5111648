/** The source of an email (RFC 5322, MIME), written from what is stored of it. */
import type { EmailDetail } from './queries';

type Envelope = Pick<
  EmailDetail,
  'id' | 'sender' | 'toEmails' | 'cc' | 'replyTo' | 'subject' | 'createdAt' | 'scheduledAt'
>;

interface Stored {
  readonly html: string | null;
  readonly text: string | null;
  readonly headers: unknown;
}

/** Bytes of a part of an encoded word. */
const WORD_BYTES = 42;

/** Characters of a line of quoted-printable before its soft break. */
const LINE = 75;

/** The header of an email, as it is read. */
export function headers(email: Envelope, further: unknown): string {
  return lines(email, further, (value) => value).join('\n');
}

/** The whole email. */
export function source(email: Envelope, { html, text, headers: further }: Stored): string {
  const head = [...lines(email, further, encoded), 'MIME-Version: 1.0'];
  const parts = [
    ...(text === null ? [] : [part('plain', text)]),
    ...(html === null ? [] : [part('html', html)]),
  ];
  const [only] = parts;
  const boundary = `=_${email.id}`;
  return [
    ...head,
    ...(parts.length < 2
      ? [only ?? '']
      : [
          `Content-Type: multipart/alternative;\r\n boundary="${boundary}"`,
          '',
          ...parts.flatMap((each) => [`--${boundary}`, each]),
          `--${boundary}--`,
          '',
        ]),
  ].join('\r\n');
}

/** The words of HTML, without running or loading anything. */
export function textOf(html: string): string {
  const { body } = new DOMParser().parseFromString(html, 'text/html');
  body.querySelectorAll('style, script, title').forEach((element) => element.remove());
  body.querySelectorAll('br').forEach((element) => element.replaceWith('\n'));
  body
    .querySelectorAll('p, div, tr, li, h1, h2, h3, h4, table, hr')
    .forEach((element) => element.after('\n'));
  return (body.textContent ?? '')
    .replace(/[ \t\u00a0]+/g, ' ')
    .replace(/ ?\n ?/g, '\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim();
}

function lines(email: Envelope, further: unknown, write: (value: string) => string): string[] {
  const list = (addresses: readonly string[]) => addresses.map((each) => address(each, write)).join(', ');
  const host = /@([^@>\s]+)>?\s*$/.exec(email.sender)?.[1] ?? 'localhost';
  const date = new Date(email.createdAt).toUTCString().replace('GMT', '+0000');
  const fields: (readonly [string, string])[] = [
    ['Date', date],
    ['From', list([email.sender])],
    ['Reply-To', list(email.replyTo)],
    ['To', list(email.toEmails)],
    ['Cc', list(email.cc)],
    ['Message-ID', `<${email.id}@${host}>`],
    ['Subject', write(email.subject)],
    ...Object.entries((further ?? {}) as Record<string, string>).map(
      ([name, value]) => [name, write(value)] as const,
    ),
  ];
  return fields.filter(([, value]) => value !== '').map(([name, value]) => `${name}: ${value}`);
}

/** Only the name of an address can be written otherwise. */
function address(text: string, write: (value: string) => string): string {
  const [, name, mailbox] = /^\s*(.*?)\s*(<[^<>]*>)\s*$/.exec(text) ?? [];
  return mailbox && name ? `${write(name)} ${mailbox}` : text;
}

function isPlain(text: string): boolean {
  return /^[\x20-\x7e]*$/.test(text);
}

/** A value in encoded words (RFC 2047) if it is not ASCII. */
function encoded(value: string): string {
  if (isPlain(value)) return value;
  const words: string[] = [''];
  for (const character of value.replace(/[\r\n]+/g, ' '))
    if (bytes(words.at(-1)! + character).length > WORD_BYTES) words.push(character);
    else words.push(words.pop()! + character);
  return words.map((word) => `=?utf-8?B?${btoa(String.fromCharCode(...bytes(word)))}?=`).join('\r\n ');
}

function bytes(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}

/** A part in quoted-printable (RFC 2045 6.7), which can be read. */
function part(subtype: string, text: string): string {
  return [
    `Content-Type: text/${subtype}; charset=utf-8`,
    'Content-Transfer-Encoding: quoted-printable',
    '',
    ...text.split(/\r?\n/).map(quoted),
    '',
  ].join('\r\n');
}

function quoted(line: string): string {
  const rows: string[] = [''];
  const octets = [...bytes(line)];
  octets.forEach((octet, index) => {
    const last = index === octets.length - 1;
    const readable = octet >= 32 && octet < 127 && octet !== 61 && !(last && octet === 32);
    const written = readable
      ? String.fromCharCode(octet)
      : `=${octet.toString(16).toUpperCase().padStart(2, '0')}`;
    if (rows.at(-1)!.length + written.length > LINE) rows.push(written);
    else rows.push(rows.pop()! + written);
  });
  return rows.join('=\r\n');
}
