import { expect, it } from 'vitest';
import { linesOfMembers, membersOf } from './pool-members';

it('reads the addresses of a pool from lines, and writes them so', () => {
  const members = membersOf('one 3\n\n two \n');
  expect(members).toEqual([
    { source: 'one', weight: 3 },
    { source: 'two', weight: 1 },
  ]);
  expect(linesOfMembers(members as never)).toBe('one 3\ntwo');
  expect(membersOf('one 101')).toContain('from 1 to 100');
  expect(membersOf('one 1 2')).toContain('one 1 2');
});
