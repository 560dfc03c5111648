import { describe, expect, it } from 'vitest';
import { entriesOf, pathOf } from './json';

describe('a JSON value', () => {
  it('has the path that a program would write', () => {
    expect(pathOf(pathOf(pathOf('', 'events', false), '0', true), 'data', false)).toBe('events[0].data');
    expect(pathOf('headers', 'message-id', false)).toBe('headers["message-id"]');
  });

  it('has parts if it is an object or a list', () => {
    expect(entriesOf({ a: 1 })).toEqual([['a', 1]]);
    expect(entriesOf(['x'])).toEqual([['0', 'x']]);
    expect(entriesOf(null)).toBeNull();
    expect(entriesOf('text')).toBeNull();
  });
});
