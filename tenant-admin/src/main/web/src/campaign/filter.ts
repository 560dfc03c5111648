/** The condition on the contacts of a campaign, as rows of a form. */
import { fromInput, localInput } from '../words/inputs';

export type Operator =
  'equals' | 'is_not' | 'contains' | 'starts_with' | 'before' | 'after' | 'exists' | 'missing';

export type Behaviour = 'clicked' | 'not_clicked' | 'opened' | 'not_opened';

export interface Condition {
  readonly kind: 'property' | 'after' | 'before' | Behaviour;
  /** Name of the property, or id of the campaign; empty for any campaign of the last days. */
  readonly name: string;
  readonly value: string;
  /** Of a property; equals without it. */
  readonly operator?: Operator;
}

export interface Conditions {
  readonly join: 'all' | 'any';
  readonly rows: readonly Condition[];
}

export const operators: Readonly<Record<Operator, string>> = {
  equals: 'is',
  is_not: 'is not',
  contains: 'contains',
  starts_with: 'starts with',
  before: 'is before',
  after: 'is after',
  exists: 'has a value',
  missing: 'has no value',
};

export const behaviours: Readonly<Record<Behaviour, string>> = {
  clicked: 'Clicked',
  not_clicked: 'Did not click',
  opened: 'Opened',
  not_opened: 'Did not open',
};

interface Sent {
  readonly within_days?: number;
  readonly campaign_id?: string;
}

type Wire = {
  readonly property?: string;
  readonly equals?: string | number | boolean;
  readonly exists?: boolean;
  readonly created_at?: { readonly after?: string; readonly before?: string };
  readonly all?: readonly Wire[];
  readonly any?: readonly Wire[];
} & { readonly [B in Behaviour]?: Sent } & {
  readonly [O in 'is_not' | 'contains' | 'starts_with' | 'before' | 'after']?: string;
};

export function isBehaviour(kind: string): kind is Behaviour {
  return kind in behaviours;
}

/** Whether a condition has all that it needs. */
function complete({ kind, name, value, operator }: Condition): boolean {
  if (kind === 'property')
    return name.trim() !== '' && (operator === 'exists' || operator === 'missing' || value.trim() !== '');
  if (isBehaviour(kind)) return name !== '' || /^[1-9]\d{0,2}$/.test(value.trim());
  return value.trim() !== '';
}

/** The filter that the API takes; null for all contacts. Rows without a value are left out. */
export function toFilter({ join, rows }: Conditions): unknown {
  const parts = rows.filter(complete).map(({ kind, name, value, operator = 'equals' }): Wire => {
    if (kind === 'property') {
      const property = name.trim();
      if (operator === 'exists' || operator === 'missing') return { property, exists: operator === 'exists' };
      return { property, [operator]: value.trim() };
    }
    if (isBehaviour(kind))
      return { [kind]: name ? { campaign_id: name } : { within_days: Number(value.trim()) } };
    return { created_at: { [kind]: fromInput(value).toISOString() } };
  });
  return parts.length === 0 ? null : parts.length === 1 ? parts[0] : { [join]: parts };
}

/** The rows for a filter; undefined if it is nested and no form shows it. */
export function toConditions(filter: unknown): Conditions | undefined {
  const wire = (filter ?? {}) as Wire;
  const join = wire.any ? 'any' : 'all';
  const parts = wire[join] ?? (Object.keys(wire).length === 0 ? [] : [wire]);
  const rows = parts.map(row);
  return rows.every((entry) => entry !== undefined) ? { join, rows } : undefined;
}

function row(wire: Wire): Condition | undefined {
  if (wire.property !== undefined) {
    if (wire.exists !== undefined)
      return {
        kind: 'property',
        name: wire.property,
        value: '',
        operator: wire.exists ? 'exists' : 'missing',
      };
    const operator = (['is_not', 'contains', 'starts_with', 'before', 'after'] as const).find(
      (each) => wire[each] !== undefined,
    );
    if (operator) return { kind: 'property', name: wire.property, value: wire[operator]!, operator };
    return { kind: 'property', name: wire.property, value: String(wire.equals ?? '') };
  }
  const behaviour = (Object.keys(behaviours) as Behaviour[]).find((each) => wire[each] !== undefined);
  if (behaviour) {
    const { campaign_id: campaign, within_days: days } = wire[behaviour]!;
    return { kind: behaviour, name: campaign ?? '', value: days === undefined ? '' : String(days) };
  }
  const { after, before } = wire.created_at ?? {};
  if ((after === undefined) === (before === undefined)) return undefined;
  const at = new Date((after ?? before)!);
  return {
    kind: after === undefined ? 'before' : 'after',
    name: '',
    value: localInput(at).slice(0, 10),
  };
}

/** A filter in words. */
export function describeFilter(filter: unknown): string {
  const conditions = toConditions(filter);
  if (!conditions) return 'those that satisfy a nested condition';
  return conditions.rows.map(describe).join(conditions.join === 'any' ? ' or ' : ' and ');
}

function describe({ kind, name, value, operator = 'equals' }: Condition): string {
  if (kind === 'property') return `${name} ${operators[operator]}${value ? ` ${value}` : ''}`;
  if (isBehaviour(kind))
    return `${behaviours[kind].toLowerCase()} ${name ? 'a campaign' : `any of the 10 newest campaigns of the last ${value} days`}`;
  return `added ${kind} ${value}`;
}
