import { expect, test } from 'vitest';
import { assignable, refusal } from './roles';

test('an admin manages members who are no owners', () => {
  expect(refusal('ADMIN', 'DEVELOPER')).toBeNull();
  expect(refusal('ADMIN', 'OWNER')).toBe('Only an owner manages owners.');
  expect(assignable('ADMIN').map(({ role }) => role)).toEqual(['VIEWER', 'DEVELOPER', 'ADMIN']);
});

test('an owner manages everybody, developers and viewers nobody', () => {
  expect(refusal('OWNER', 'OWNER')).toBeNull();
  expect(refusal('DEVELOPER', 'VIEWER')).toContain('Your role is developer');
  expect(refusal('VIEWER', 'VIEWER')).toContain('Your role is viewer');
});
