import { expect, it } from 'vitest';
import { linesOf, rulesOf } from './reply-rules';

const known = [
  { action: 'PAUSE' as const, pattern: '\\[TSS03\\]', seconds: 7200, page: 'https://a.test' },
  { action: 'SLOW' as const, pattern: '421 too many', seconds: null, page: null },
];

it('rules are lines and lines are rules', () => {
  expect(linesOf(known)).toBe('pause:7200 \\[TSS03\\]\nslow 421 too many');
  expect(rulesOf(` ${linesOf(known)}\n\n`, known)).toEqual(known);
  expect(rulesOf('', known)).toEqual([]);
});

it('a line without an action or a pattern is refused', () => {
  expect(rulesOf('stop ^421', null)).toContain('stop ^421');
  expect(rulesOf('slow', null)).toContain('slow');
});
