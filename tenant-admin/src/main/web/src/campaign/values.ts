/** The fields of the page that composes a campaign, and the request that they make. */
import { emptyLetter, isEmpty, toLetter, type BrandStyle, type Letter } from '../composer/letter';
import { written } from '../composer/render';
import type { CreateCampaignInput } from '../gen/graphql';
import { toConditions, toFilter, type Conditions } from './filter';
import type { CampaignDraft, Choices } from './queries';
import { future } from '../words/inputs';

/** A type, because forms need an index signature. */
export type Values = {
  readonly name: string;
  readonly subject: string;
  readonly fromName: string;
  readonly from: string;
  readonly replyTo: string;
  readonly source: 'blocks' | 'own' | 'template';
  readonly letter: Letter;
  readonly templateId: string;
  readonly htmlContent: string;
  readonly textContent: string;
  readonly contactBookId: string;
  readonly filter: Conditions;
  /** A filter that the form cannot show; it stays as it is. */
  readonly nested: unknown;
  readonly pace: string;
  readonly start: 'now' | 'later';
  readonly sendAt: string;
};

/** The fields of a new campaign. */
export function fresh(choices: Choices, domain: string | undefined): Values {
  const { nodes } = choices.contactBooks;
  return {
    name: '',
    subject: '',
    fromName: '',
    from: domain ? `news@${domain}` : '',
    replyTo: '',
    source: 'blocks',
    letter: emptyLetter(choices.brand, true),
    templateId: '',
    htmlContent: '',
    textContent: '',
    contactBookId: nodes.length === 1 ? nodes[0]!.id : '',
    filter: { join: 'all', rows: [] },
    nested: null,
    pace: '',
    start: 'now',
    sendAt: '',
  };
}

/** The fields of a stored campaign. */
export function stored(
  draft: CampaignDraft,
  brand: BrandStyle | undefined,
  localTime: (at: Date) => string,
): Values {
  const [fromName, from] = divided(draft.sender);
  const filter = toConditions(draft.filter);
  const letter = toLetter(draft.blocks);
  return {
    name: draft.name,
    subject: draft.subject,
    fromName,
    from,
    replyTo: draft.replyTo.join(', '),
    source: draft.templateId ? 'template' : letter ? 'blocks' : 'own',
    letter: letter ?? emptyLetter(brand, true),
    templateId: draft.templateId ?? '',
    htmlContent: draft.templateId || letter ? '' : (draft.htmlContent ?? ''),
    textContent: draft.templateId || letter ? '' : (draft.textContent ?? ''),
    contactBookId: draft.contactBookId,
    filter: filter ?? { join: 'all', rows: [] },
    nested: filter ? null : draft.filter,
    pace: draft.pace ? String(draft.pace) : '',
    start: draft.sendAt ? 'later' : 'now',
    sendAt: draft.sendAt ? localTime(new Date(draft.sendAt)) : '',
  };
}

/** The request, without a time: a campaign stays a draft until it is started or scheduled. */
export function toInput(values: Values): CreateCampaignInput {
  return {
    name: values.name.trim() || values.subject.trim(),
    from: mailbox(values.fromName.trim(), values.from.trim()),
    subject: values.subject.trim(),
    contactBookId: values.contactBookId,
    replyTo: values.replyTo
      .split(',')
      .map((address) => address.trim())
      .filter(Boolean),
    ...content(values),
    filter: values.nested ?? toFilter(values.filter),
    pace: values.pace.trim() ? Number(values.pace) : null,
  };
}

function content({ source, templateId, letter, htmlContent, textContent }: Values) {
  if (source === 'template') return { templateId };
  if (source === 'blocks') return { ...written(letter), blocks: letter };
  return { htmlContent: htmlContent || null, textContent: textContent || null };
}

/** The values with the blocks as HTML. */
export function asHtml(values: Values): Values {
  const { letter } = values;
  return { ...values, source: 'own', ...written(letter) };
}

const LINK = '<p><small><a href="{{unsubscribe_url}}">Unsubscribe</a></small></p>';

/** The blocks with a footer that has a link to unsubscribe. */
function withFooter(letter: Letter): Letter {
  const blocks = letter.doc.content ?? [];
  const last = blocks.at(-1);
  const footer =
    last?.type === 'footer'
      ? { ...last, attrs: { ...last.attrs, unsubscribe: true } }
      : { type: 'footer', attrs: { unsubscribe: true } };
  const before = last?.type === 'footer' ? blocks.slice(0, -1) : blocks;
  return { ...letter, doc: { ...letter.doc, content: [...before, footer] } };
}

/** The content with a link to unsubscribe in each part that has none. */
export function withLink(values: Values): Values {
  if (values.source === 'blocks') return { ...values, letter: withFooter(values.letter) };
  const { htmlContent: html, textContent: text } = values;
  const has = (content: string) => !content.trim() || /\{\{\s*unsubscribe_url\s*(\||\}\})/.test(content);
  const end = html.search(/<\/body>|<\/html>/i);
  return {
    ...values,
    htmlContent: has(html)
      ? html
      : end < 0
        ? `${html}\n${LINK}`
        : html.slice(0, end) + LINK + html.slice(end),
    textContent: has(text) ? text : `${text.trimEnd()}\n\nUnsubscribe: {{unsubscribe_url}}\n`,
  };
}

const email = /^[^\s@<>"]+@[^\s@<>"]+$/;

export const checks: { [K in keyof Values]?: (value: Values[K], values: Values) => string | null } = {
  subject: (value) => (value.trim() ? null : 'Enter a subject.'),
  from: (value) =>
    email.test(value.trim())
      ? null
      : value.trim()
        ? 'Invalid email address.'
        : 'Enter an address of a verified domain.',
  replyTo: (value) =>
    value.split(',').every((address) => !address.trim() || address.includes('@'))
      ? null
      : 'Enter addresses with commas between them.',
  templateId: (value, values) => (values.source !== 'template' || value ? null : 'Choose a template.'),
  letter: (value, values) => (values.source !== 'blocks' || !isEmpty(value) ? null : 'Write something.'),
  htmlContent: (value, values) =>
    values.source !== 'own' || value.trim() || values.textContent.trim()
      ? null
      : 'Enter HTML, or a text below.',
  contactBookId: (value) => (value ? null : 'Choose a contact book.'),
  pace: (value) =>
    !value.trim() || (/^\d+$/.test(value.trim()) && Number(value) >= 1 && Number(value) <= 100_000)
      ? null
      : 'Enter a number from 1 to 100,000, or nothing.',
  sendAt: (value, values) => (values.start === 'now' ? null : future(value)),
};

const nouns: Partial<Record<keyof Values, string>> = {
  subject: 'a subject',
  from: 'a sender',
  replyTo: 'valid reply addresses',
  templateId: 'a template',
  letter: 'content',
  htmlContent: 'content',
  contactBookId: 'a contact book',
  pace: 'a valid pace',
};

/** Fields that a draft lacks before it can be saved. */
export function missing(values: Values): readonly string[] {
  const check = checks as Record<string, (value: unknown, values: Values) => string | null>;
  return Object.entries(nouns)
    .filter(([field]) => check[field]!(values[field as keyof Values], values) !== null)
    .map(([, noun]) => noun);
}

/** A display name with an address (RFC 5322 3.4), quoted where it has special characters. */
export function mailbox(name: string, address: string): string {
  if (!name) return address;
  return `${/[^\p{L}\p{N} !#$%&'*+/=?^_`{|}~-]/u.test(name) ? `"${name.replace(/["\\]/g, '\\$&')}"` : name} <${address}>`;
}

/** The name and the address of a mailbox. */
export function divided(sender: string): readonly [string, string] {
  const match = /^(.*?)\s*<([^<>]+)>$/.exec(sender);
  if (!match) return ['', sender];
  const name = match[1]!;
  return [/^".*"$/.test(name) ? name.slice(1, -1).replace(/\\(.)/g, '$1') : name, match[2]!];
}
