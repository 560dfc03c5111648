/** Figures in a row, two by two on narrow screens. */
import type { LucideIcon } from 'lucide-react';
import type { ReactNode } from 'react';
import type { Tone } from '../words/status';
import { cx, ICON } from './basics';
import css from './stats.module.css';

export interface Stat {
  readonly name: string;
  readonly value: string;
  /** Quiet text after the figure. */
  readonly detail?: ReactNode;
  readonly tone?: 'warn' | 'bad' | undefined;
  /** The icon of the status that the figure counts, with its tone. */
  readonly mark?: { readonly icon: LucideIcon; readonly tone: Tone };
}

export function Stats({ label, items }: { label: string; items: readonly Stat[] }) {
  return (
    <dl className={css.stats} aria-label={label} data-count={items.length}>
      {items.map(({ name, value, detail, tone, mark }) => (
        <div key={name}>
          <dt>
            {mark ? <mark.icon {...ICON} size={14} strokeWidth={2} data-tone={mark.tone} /> : null}
            {name}
          </dt>
          <dd>
            <b className={cx(tone && css[tone])}>{value}</b>
            {detail ? <small>{detail}</small> : null}
          </dd>
        </div>
      ))}
    </dl>
  );
}
