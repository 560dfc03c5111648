import { expect, test } from 'vitest';
import type { MemberRole, Right } from '../gen/graphql';
import { rightsOf } from './rights';

const own = (role: MemberRole, permitted: readonly Right[]) => ({
  member: { role },
  rights: (
    [
      ['SEND', 'DEVELOPER'],
      ['CAMPAIGNS', 'ADMIN'],
    ] as const
  ).map(([right, needed]) => ({ right, role: needed, permitted: permitted.includes(right) })),
});

test('a viewer has no control and reads why', () => {
  const rights = rightsOf(own('VIEWER', []), false);
  expect(rights.may('SEND')).toBe(false);
  expect(rights.refusal('SEND')).toBe('Read only: your role is viewer, changes need the role developer.');
});

test('a developer has those that the server permits', () => {
  const rights = rightsOf(own('DEVELOPER', ['SEND']), false);
  expect(rights.may('SEND')).toBe(true);
  expect(rights.refusal('SEND')).toBeNull();
  expect(rights.may('CAMPAIGNS')).toBe(false);
  expect(rights.refusal('CAMPAIGNS')).toContain('changes need the role admin');
});

test('before the rights are known no control is shown and nothing is refused', () => {
  const rights = rightsOf(undefined, false);
  expect(rights.may('SEND')).toBe(false);
  expect(rights.refusal('SEND')).toBeNull();
  expect(rights.may(undefined)).toBe(true);
});

test('a watched account can only be read', () => {
  expect(rightsOf(own('OWNER', []), true).refusal('SEND')).toBe(
    'An account that is watched can only be read.',
  );
});
