import { expect, test } from 'vitest';
import type { Right } from '../gen/graphql';
import type { Rights } from '../kit/rights';
import { assignable, mayChange } from './roles';

const having = (...rights: Right[]): Rights => ({
  may: (right) => right === undefined || rights.includes(right),
  refusal: () => null,
  watching: false,
});

test('members who are no owners need the right to manage members', () => {
  expect(mayChange(having('MEMBERS'), 'DEVELOPER')).toBe(true);
  expect(mayChange(having('MEMBERS'), 'OWNER')).toBe(false);
  expect(assignable(having('MEMBERS')).map(({ role }) => role)).toEqual(['VIEWER', 'DEVELOPER', 'ADMIN']);
});

test('owners need the right to manage the account', () => {
  expect(mayChange(having('MEMBERS', 'ACCOUNT'), 'OWNER')).toBe(true);
  expect(assignable(having())).toEqual([]);
});
