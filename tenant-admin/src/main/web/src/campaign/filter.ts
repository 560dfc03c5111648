/** The condition on the contacts of a campaign, as rows of a form. */

export interface Condition {
  readonly kind: 'property' | 'after' | 'before';
  readonly name: string;
  readonly value: string;
}

export interface Conditions {
  readonly join: 'all' | 'any';
  readonly rows: readonly Condition[];
}

interface Wire {
  readonly property?: string;
  readonly equals?: string | number | boolean;
  readonly created_at?: { readonly after?: string; readonly before?: string };
  readonly all?: readonly Wire[];
  readonly any?: readonly Wire[];
}

/** The filter that the API takes; null for all contacts. Rows without a value are left out. */
export function toFilter({ join, rows }: Conditions): unknown {
  const parts = rows
    .filter((row) => row.value.trim() !== '' && (row.kind !== 'property' || row.name.trim() !== ''))
    .map((row): Wire =>
      row.kind === 'property'
        ? { property: row.name.trim(), equals: row.value.trim() }
        : { created_at: { [row.kind]: new Date(`${row.value}T00:00:00`).toISOString() } },
    );
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
  if (wire.property !== undefined)
    return { kind: 'property', name: wire.property, value: String(wire.equals ?? '') };
  const { after, before } = wire.created_at ?? {};
  if ((after === undefined) === (before === undefined)) return undefined;
  const at = new Date((after ?? before)!);
  const two = (value: number) => String(value).padStart(2, '0');
  return {
    kind: after === undefined ? 'before' : 'after',
    name: '',
    value: `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())}`,
  };
}

/** A filter in words. */
export function describeFilter(filter: unknown): string {
  const conditions = toConditions(filter);
  if (!conditions) return 'those that satisfy a nested condition';
  return conditions.rows
    .map((entry) =>
      entry.kind === 'property' ? `${entry.name} is ${entry.value}` : `added ${entry.kind} ${entry.value}`,
    )
    .join(conditions.join === 'any' ? ' or ' : ' and ');
}
