/** Choices for a key: what it is for, and when it expires. */
import type { SelectHTMLAttributes } from 'react';
import type { KeyPermission } from '../gen/graphql';
import { SelectField } from '../kit/fields';
import { presets } from './permissions';

/** Days until a key expires; none for never. */
const lives = [
  { text: 'in 30 days', days: 30 },
  { text: 'in 90 days', days: 90 },
  { text: 'in a year', days: 365 },
  { text: 'never', days: 0 },
] as const;

const DAY_MS = 86_400_000;

/** The time that a choice of days stands for; null for never. */
export function expiry(days: number): string | null {
  return days > 0 ? new Date(Date.now() + days * DAY_MS).toISOString() : null;
}

/** The choice of days. */
export function Expires(props: SelectHTMLAttributes<HTMLSelectElement>) {
  return (
    <SelectField label="Expires" {...props}>
      {lives.map(({ text, days }) => (
        <option key={days} value={days}>
          {text}
        </option>
      ))}
    </SelectField>
  );
}

/** The choice of a preset, which sets the permissions. */
export function Use({
  value,
  onChange,
}: {
  value: readonly KeyPermission[];
  onChange: (permissions: KeyPermission[]) => void;
}) {
  const preset = presets.find(({ permissions }) => same(permissions, value));
  return (
    <SelectField
      label="Use"
      value={preset?.text ?? ''}
      onChange={(event) => {
        const chosen = presets.find(({ text }) => text === event.target.value);
        if (chosen) onChange([...chosen.permissions]);
      }}
    >
      {preset ? null : <option value="">Own choice</option>}
      {presets.map(({ text }) => (
        <option key={text} value={text}>
          {text}
        </option>
      ))}
    </SelectField>
  );
}

function same(a: readonly KeyPermission[], b: readonly KeyPermission[]): boolean {
  return a.length === b.length && a.every((permission) => b.includes(permission));
}

export function some(permissions: readonly KeyPermission[]): string | null {
  return permissions.length > 0 ? null : 'Choose at least one.';
}
