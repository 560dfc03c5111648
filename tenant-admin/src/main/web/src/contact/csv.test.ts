import { expect, test } from 'vitest';
import { chunksOf, contactsOf, csvOf, guessed, hasHeader, linesOf } from './csv';

test('lines keep their numbers across quoted line breaks and empty lines', async () => {
  const lines = await linesOf('\uFEFFemail,note\r\na@b.test,"two\r\nlines"\r\n\r\nc@d.test,x\r\n');
  expect(lines.map(({ line, cells }) => [line, cells[0]])).toEqual([
    [1, 'email'],
    [2, 'a@b.test'],
    [5, 'c@d.test'],
  ]);
});

test('a list of addresses has no header and a tab separates columns', async () => {
  const lines = await linesOf('a@b.test\tAnn\nc@d.test\tBo');
  expect(hasHeader(lines)).toBe(false);
  expect(guessed(lines, false)).toEqual([{ kind: 'email' }, { kind: 'none' }]);
});

test('names of columns give their meaning', async () => {
  const lines = await linesOf('E-Mail,First name,surname,city,subscribed\na@b.test,Ann,Lee,Graz,no');
  const meanings = guessed(lines, hasHeader(lines));
  expect(meanings).toEqual([
    { kind: 'email' },
    { kind: 'firstName' },
    { kind: 'lastName' },
    { kind: 'property', name: 'city' },
    { kind: 'subscribed' },
  ]);
  expect(contactsOf(lines.slice(1), meanings, false).rows).toEqual([
    {
      line: 2,
      contact: {
        email: 'a@b.test',
        firstName: 'Ann',
        lastName: 'Lee',
        properties: { city: 'Graz' },
        subscribed: false,
      },
    },
  ]);
});

test('the last line with an address counts and wrong cells refuse their line', async () => {
  const lines = await linesOf(
    "email,subscribed,properties\nA@b.test,yes,\na@b.test,no,\nc@d.test,maybe,\ne@f.test,,[]\n'+g@h.test,,\n",
  );
  const { rows, refused, repeated } = contactsOf(lines.slice(1), guessed(lines, true), false);
  expect(rows.map((row) => [row.line, row.contact.email, row.contact.subscribed])).toEqual([
    [3, 'a@b.test', false],
    [6, '+g@h.test', undefined],
  ]);
  expect(refused.map(({ line, email }) => [line, email])).toEqual([
    [4, 'c@d.test'],
    [5, 'e@f.test'],
  ]);
  expect(repeated).toBe(1);
  expect(csvOf(refused).split('\r\n')[1]).toBe('4,"c@d.test","Subscribed must be true or false, not maybe."');
});

test('requests have at most 1000 contacts and about a megabyte', () => {
  const rows = Array.from({ length: 2500 }, (_, line) => ({ line, contact: { email: `a${line}@b.test` } }));
  expect(chunksOf(rows).map((chunk) => chunk.length)).toEqual([1000, 1000, 500]);
  const long = Array.from({ length: 5 }, (_, line) => ({
    line,
    contact: { email: `a${line}@b.test`, properties: { text: 'x'.repeat(400_000) } },
  }));
  expect(chunksOf(long).map((chunk) => chunk.length)).toEqual([2, 2, 1]);
});
