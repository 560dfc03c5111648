import { expect, test } from 'vitest';
import { isColour, isReadable, textOn } from './colour';

const hex = (digits: string) => `#${digits}`;

test('text on a colour is black or white', () => {
  expect(textOn(hex('0f766e'))).toBe('white');
  expect(textOn(hex('ffe000'))).toBe('black');
  expect(textOn(hex('777777'))).toBe('black');
});

test('a colour is used for text only where it can be read', () => {
  expect(isReadable(hex('0f766e'), 'light')).toBe(true);
  expect(isReadable(hex('0f766e'), 'dark')).toBe(false);
  expect(isReadable(hex('ffe000'), 'light')).toBe(false);
  expect(isReadable(hex('ffe000'), 'dark')).toBe(true);
});

test('a colour has six digits', () => {
  expect(isColour(hex('0F766E'))).toBe(true);
  expect(isColour(hex('fff'))).toBe(false);
  expect(isColour('teal')).toBe(false);
});
