import { describe, expect, it } from 'vitest';
import { placed } from './queries';
import { divided, fresh, mailbox, missing, stored, toInput, type Values } from './values';

const choices = {
  account: { email: 'a@x.test' },
  contactBooks: { nodes: [{ id: 'b', name: 'Readers', contactCount: 3 }] },
  templates: { nodes: [] },
  domains: { nodes: [] },
  usage: { daily: { remaining: null, resetsAt: '' }, monthly: { remaining: null, resetsAt: '' } },
};
const values: Values = { ...fresh(choices, 'x.test'), subject: ' Winter ', htmlContent: '<p>x</p>' };

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
      sendAt: null,
      startedAt: null,
      filter,
      pace: 5,
    } as const;
    const again = stored({ ...draft, replyTo: [...draft.replyTo] }, String);
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

  it('quote a display name with special characters', () => {
    expect(mailbox('Quillmoor Press', 'q@x.test')).toBe('Quillmoor Press <q@x.test>');
    expect(mailbox('A "B", C', 'q@x.test')).toBe('"A \\"B\\", C" <q@x.test>');
    expect(divided('"A \\"B\\", C" <q@x.test>')).toEqual(['A "B", C', 'q@x.test']);
    expect(divided('q@x.test')).toEqual(['', 'q@x.test']);
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
