import { describe, expect, it } from 'vitest';
import { addressesOf, problemOf } from './addresses';

describe('addresses to suppress', () => {
  it('are separated by lines, blanks, commas or semicolons, and count once', () => {
    expect(addressesOf(' a@x.test, b@x.test;c@x.test\n\na@x.test ')).toEqual([
      'a@x.test',
      'b@x.test',
      'c@x.test',
    ]);
  });

  it('are refused with the one that is wrong', () => {
    expect(problemOf('a@x.test\nnobody')).toBe('nobody is not an address.');
    expect(problemOf('  ')).toBe('Enter an address.');
    expect(problemOf('a@x.test')).toBeNull();
    expect(problemOf(Array.from({ length: 1001 }, (_, index) => `a${index}@x.test`).join(' '))).toBe(
      'These are 1,001 addresses; at most 1,000 are added at once.',
    );
  });
});
