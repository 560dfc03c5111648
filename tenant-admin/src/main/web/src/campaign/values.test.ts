import { describe, expect, it } from 'vitest';
import { emptyLetter } from '../composer/letter';
import { toHtml, toText } from '../composer/render';
import { placed } from './queries';
import { asHtml, divided, fresh, mailbox, missing, stored, toInput, withLink, type Values } from './values';

const choices = {
  account: { email: 'a@x.test' },
  brand: { name: 'Moor', colour: null, footer: '' },
  contactBooks: { nodes: [{ id: 'b', name: 'Readers', contactCount: 3 }] },
  templates: { nodes: [] },
  domains: { nodes: [] },
  usage: { daily: { remaining: null, resetsAt: '' }, monthly: { remaining: null, resetsAt: '' } },
};
const values: Values = {
  ...fresh(choices, 'x.test'),
  subject: ' Winter ',
  source: 'own',
  htmlContent: '<p>x</p>',
};

describe('the fields of a campaign', () => {
  it('begin with the only book and an address of a verified domain', () => {
    expect(fresh(choices, 'x.test')).toMatchObject({ contactBookId: 'b', from: 'news@x.test' });
    expect(missing(fresh(choices, undefined))).toEqual(['a subject', 'a sender', 'content']);
    expect(missing(values)).toEqual([]);
  });

  it('make a request without a time, named by the subject if it has no name', () => {
    expect(toInput(values)).toEqual({
      name: 'Winter',
      from: 'news@x.test',
      subject: 'Winter',
      contactBookId: 'b',
      replyTo: [],
      htmlContent: '<p>x</p>',
      textContent: null,
      filter: null,
      pace: null,
    });
    expect(
      toInput({ ...values, source: 'template', templateId: 't', pace: '60', replyTo: 'a@x.test, b@x.test' }),
    ).toMatchObject({ templateId: 't', pace: 60, replyTo: ['a@x.test', 'b@x.test'] });
  });

  it('survive a stored draft, with a filter that the form cannot show', () => {
    const filter = { all: [{ any: [{ property: 'a', equals: 'b' }] }] };
    const draft = {
      id: '1',
      name: 'n',
      status: 'DRAFT',
      sender: '"Quill, Moor" <q@x.test>',
      replyTo: ['r@x.test'],
      subject: 's',
      contactBookId: 'b',
      templateId: null,
      htmlContent: null,
      textContent: 't',
      blocks: null,
      sendAt: null,
      startedAt: null,
      filter,
      pace: 5,
    } as const;
    const again = stored({ ...draft, replyTo: [...draft.replyTo] }, undefined, String);
    expect(again).toMatchObject({
      fromName: 'Quill, Moor',
      from: 'q@x.test',
      replyTo: 'r@x.test',
      source: 'own',
      pace: '5',
      start: 'now',
    });
    expect(toInput(again)).toMatchObject({ from: draft.sender, filter, textContent: 't' });
  });

  it('are blocks unless the HTML was written otherwise', () => {
    const blocks = emptyLetter(choices.brand, true);
    const draft = {
      ...toInput(values),
      id: 'c',
      status: 'DRAFT',
      sender: 'q@x.test',
      startedAt: null,
    } as never;
    expect(stored(Object.assign({}, draft, { replyTo: [], blocks }), undefined, String)).toMatchObject({
      source: 'blocks',
      letter: blocks,
      htmlContent: '',
    });
    const input = toInput({ ...values, source: 'blocks', letter: blocks });
    expect(input).toMatchObject({ blocks, htmlContent: toHtml(blocks), textContent: toText(blocks) });
    expect(asHtml({ ...values, letter: blocks })).toMatchObject({
      source: 'own',
      htmlContent: toHtml(blocks),
    });
    const closed = withLink({ ...values, source: 'blocks', letter: emptyLetter(choices.brand, false) });
    expect(toText(closed.letter)).toContain('Unsubscribe: {{unsubscribe_url}}');
  });

  it('quote a display name with special characters', () => {
    expect(mailbox('Quillmoor Press', 'q@x.test')).toBe('Quillmoor Press <q@x.test>');
    expect(mailbox('A "B", C', 'q@x.test')).toBe('"A \\"B\\", C" <q@x.test>');
    expect(divided('"A \\"B\\", C" <q@x.test>')).toEqual(['A "B", C', 'q@x.test']);
    expect(divided('q@x.test')).toEqual(['', 'q@x.test']);
  });
});

describe('a link to unsubscribe', () => {
  const after = (htmlContent: string, textContent: string) => {
    const { htmlContent: html, textContent: text } = withLink({ ...values, htmlContent, textContent });
    return [html, text];
  };

  it('is added to each part that has none, before the end of the body', () => {
    const [html, text] = after('<body><p>x</p></body>', 'x');
    expect(html).toMatch(/^<body><p>x<\/p><p>.*\{\{unsubscribe_url\}\}.*<\/p><\/body>$/);
    expect(text).toBe('x\n\nUnsubscribe: {{unsubscribe_url}}\n');
    expect(after('<p>{{ unsubscribe_url | x }}</p>', '')).toEqual(['<p>{{ unsubscribe_url | x }}</p>', '']);
  });
});

describe('errors of campaigns', () => {
  it('stand at the field that they are about', () => {
    const field = (name: string) => placed([{ name, message: 'x', field: null }])[0]!.field;
    expect([
      field('contact_book_is_empty'),
      field('from_domain_mismatch'),
      field('domain_not_verified'),
      field('other'),
    ]).toEqual(['contact_book_id', 'from', 'from', null]);
  });
});
