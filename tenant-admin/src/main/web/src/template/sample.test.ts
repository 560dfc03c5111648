import { expect, test } from 'vitest';
import { parsed, sampleOf, withMissing } from './sample';

test('a sample has a value for each placeholder', () => {
  expect(parsed(sampleOf(['first_name', 'city'])).values).toEqual({ first_name: 'first name', city: 'city' });
});

test('only an object is a sample', () => {
  expect(parsed('').values).toEqual({});
  expect(parsed('[1]').error).toContain('object');
  expect(parsed('{"a"').error).toContain('not JSON');
});

test('missing values are added to those that are there', () => {
  expect(parsed(withMissing('{"a": 1}', ['b.c'])).values).toEqual({ a: 1, 'b.c': 'b c' });
});
