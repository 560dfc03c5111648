import { describe, expect, it } from 'vitest';
import { describeFilter, toConditions, toFilter, type Conditions } from './filter';

const city: Conditions['rows'][number] = { kind: 'property', name: 'city', value: 'Graz' };

describe('the filter of a campaign', () => {
  it('is absent without conditions, and flat with one', () => {
    expect(toFilter({ join: 'all', rows: [] })).toBeNull();
    expect(toFilter({ join: 'all', rows: [{ ...city, value: ' ' }] })).toBeNull();
    expect(toFilter({ join: 'any', rows: [city] })).toEqual({ property: 'city', equals: 'Graz' });
  });

  it('joins several conditions', () => {
    const conditions: Conditions = {
      join: 'any',
      rows: [city, { kind: 'after', name: '', value: '2026-11-01' }],
    };
    const filter = toFilter(conditions);
    expect(filter).toEqual({
      any: [
        { property: 'city', equals: 'Graz' },
        { created_at: { after: new Date('2026-11-01T00:00:00').toISOString() } },
      ],
    });
    expect(toConditions(filter)).toEqual(conditions);
    expect(describeFilter(filter)).toBe('city is Graz or added after 2026-11-01');
  });

  it('has no rows for a nested condition', () => {
    expect(toConditions({ all: [{ any: [{ property: 'a', equals: 1 }] }] })).toBeUndefined();
    expect(toConditions({})).toEqual({ join: 'all', rows: [] });
    expect(toConditions({ property: 'vip', equals: true })?.rows[0]?.value).toBe('true');
  });
});
