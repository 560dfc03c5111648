import { describe, expect, it } from 'vitest';
import { level, share } from './usage';

describe('usage', () => {
  it('warns from 80 % of a limit, and never without one', () => {
    expect([79, 80, 100, 101].map((used) => level({ used, limit: 100 }))).toEqual([
      'fine',
      'near',
      'reached',
      'reached',
    ]);
    expect(level({ used: 1_000_000, limit: null })).toBe('fine');
    expect(level({ used: 0, limit: 0 })).toBe('reached');
    expect(share({ used: 1, limit: 4 })).toBe(0.25);
  });
});
