/** Figures in a row, two by two on narrow screens. */
import type { ReactNode } from 'react';
import { cx } from './basics';
import css from './stats.module.css';

export interface Stat {
  readonly name: string;
  readonly value: string;
  /** Quiet text after the figure. */
  readonly detail?: ReactNode;
  readonly tone?: 'warn' | 'bad' | undefined;
}

export function Stats({ label, items }: { label: string; items: readonly Stat[] }) {
  return (
    <dl className={css.stats} aria-label={label} data-count={items.length}>
      {items.map(({ name, value, detail, tone }) => (
        <div key={name}><dt>{name}</dt><dd><b className={cx(tone && css[tone])}>{value}</b>{detail ? <small>{detail}</small> : null}</dd></div>
      ))}
    </dl>
  );
}
