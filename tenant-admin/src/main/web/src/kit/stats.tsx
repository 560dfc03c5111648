/** Figures in a row, two by two on narrow screens. */
import { Link, type LinkProps } from '@tanstack/react-router';
import type { LucideIcon } from 'lucide-react';
import { useId, type ReactNode } from 'react';
import type { Tone } from '../words/status';
import { cx, ICON } from './basics';
import css from './stats.module.css';

export interface Stat {
  readonly name: string;
  readonly value: string;
  /** Quiet text after the figure. */
  readonly detail?: ReactNode;
  /** Definition of the figure with its period, said on hover and to screen readers. */
  readonly meaning?: string;
  /** The list of what the figure counts. */
  readonly to?: LinkProps['search'];
  readonly tone?: 'warn' | 'bad' | undefined;
  /** The icon of the status that the figure counts, with its tone. */
  readonly mark?: { readonly icon: LucideIcon; readonly tone: Tone };
}

export function Stats({ label, items }: { label: string; items: readonly Stat[] }) {
  const id = useId();
  return (
    <dl className={css.stats} aria-label={label} data-count={items.length}>
      {items.map(({ name, value, detail, meaning, to, tone, mark }) => (
        <div key={name}>
          <dt>
            {mark ? <mark.icon {...ICON} size={14} strokeWidth={2} data-tone={mark.tone} /> : null}
            {meaning ? (
              <span className={css.term} tabIndex={0} aria-describedby={`${id}${name.replaceAll(/\W/g, '')}`}>
                <span>{name}</span>
                <span role="tooltip" id={`${id}${name.replaceAll(/\W/g, '')}`}>
                  {meaning}
                </span>
              </span>
            ) : (
              name
            )}
          </dt>
          <dd>
            <b className={cx(tone && css[tone])}>
              {to && value !== '0' ? (
                <Link to="/emails" search={to} aria-label={`${value} ${name}, show the emails`}>
                  {value}
                </Link>
              ) : (
                value
              )}
            </b>
            {detail ? <small>{detail}</small> : null}
          </dd>
        </div>
      ))}
    </dl>
  );
}
