import { expect, test } from 'vitest';
import { causes } from './causes';

test('causes are listed with their numbers', () => {
  expect(causes([])).toBe('');
  expect(
    causes([
      { cause: 'BUSY', count: 12 },
      { cause: 'DISTRUSTED', count: 3 },
    ]),
  ).toBe('deferred in 10 min: 12 busy, 3 by policy');
});
