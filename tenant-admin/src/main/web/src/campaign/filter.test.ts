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

  it('has operators, and conditions on opens and clicks', () => {
    const rows: Conditions['rows'] = [
      { ...city, operator: 'is_not' },
      { kind: 'property', name: 'vip', value: '', operator: 'missing' },
      { kind: 'not_clicked', name: '', value: '30' },
      { kind: 'opened', name: '', value: '7' },
      { kind: 'clicked', name: '01983ad0-11be-7d02-9a53-2f7bc0c2ee41', value: '' },
    ];
    const filter = toFilter({ join: 'all', rows: [...rows, { kind: 'clicked', name: '', value: 'x' }] });
    expect(filter).toEqual({
      all: [
        { property: 'city', is_not: 'Graz' },
        { property: 'vip', exists: false },
        { not_clicked: { within_days: 30 } },
        { opened: { within_days: 7 } },
        { clicked: { campaign_id: '01983ad0-11be-7d02-9a53-2f7bc0c2ee41' } },
      ],
    });
    expect(toConditions(filter)).toEqual({ join: 'all', rows });
    expect(describeFilter(filter)).toBe(
      'city is not Graz and vip has no value and did not click any of the 10 newest campaigns of the last 30 days and opened any of the 10 newest campaigns of the last 7 days and clicked a campaign',
    );
  });
});
