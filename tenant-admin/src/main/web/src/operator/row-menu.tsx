import { Ellipsis } from 'lucide-react';
import { MenuButton, type MenuEntry } from '../kit/layers';
import type { Column } from '../kit/table';
import css from './operator.module.css';

type Item = Omit<Extract<MenuEntry, { kind: 'item' }>, 'kind'>;

/** The column with a menu of what can be done with a row. */
export function actsColumn<T>(
  name: (row: T) => string,
  items: (row: T) => readonly (Item | null)[],
): Column<T> {
  return {
    head: 'Actions',
    right: true,
    narrow: 4,
    cell: (row) => (
      <MenuButton
        label={`Actions for ${name(row)}`}
        trigger={{ icon: Ellipsis, iconOnly: true, kind: 'bare' }}
        entries={items(row).flatMap((item) => (item ? [{ kind: 'item' as const, ...item }] : []))}
      />
    ),
  };
}

/** The switch that shows rows without any traffic; nothing if there are none. */
export function IdleSwitch({
  idle,
  noun,
  shown,
  onChange,
}: {
  idle: number;
  noun: string;
  shown: boolean;
  onChange: (shown: boolean) => void;
}) {
  return idle === 0 ? null : (
    <label className={css.idle}>
      <input type="checkbox" checked={shown} onChange={(event) => onChange(event.target.checked)} /> Show{' '}
      {idle} idle {noun}
      {idle === 1 ? '' : 's'}
    </label>
  );
}
