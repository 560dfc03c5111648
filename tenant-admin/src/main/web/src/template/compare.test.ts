import { expect, test } from 'vitest';
import { compare, inLines } from './compare';

test('equal texts have no difference', () => {
  expect(compare('a\nb', 'a\nb')).toEqual([]);
});

test('changed lines are shown with those beside them', () => {
  const before = ['a', 'b', 'c', 'd', 'e', 'f', 'g'].join('\n');
  expect(compare(before, before.replace('f', 'F'))).toEqual([
    { kind: 'gap', count: 3 },
    { kind: 'same', text: 'd' },
    { kind: 'same', text: 'e' },
    { kind: 'removed', text: 'f' },
    { kind: 'added', text: 'F' },
    { kind: 'same', text: 'g' },
  ]);
});

test('a text that was empty is added', () => {
  expect(compare('', 'x\n')).toEqual([{ kind: 'added', text: 'x' }]);
});

test('HTML in one line is compared by its elements', () => {
  expect(compare(inLines('<p>a</p><p>b</p>'), inLines('<p>a</p><p>c</p>'))).toEqual([
    { kind: 'same', text: '<p>a</p>' },
    { kind: 'removed', text: '<p>b</p>' },
    { kind: 'added', text: '<p>c</p>' },
  ]);
});
