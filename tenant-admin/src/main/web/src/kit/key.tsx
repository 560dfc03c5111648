import type { ReactNode } from 'react';
import css from './key.module.css';

export type Fill = 'good' | 'info' | 'warn' | 'bad' | 'plum' | 'mute';

/** A colour of a chart with its name. */
export function Key({ fill, children }: { fill: Fill | 'rest'; children: ReactNode }) {
  return (
    <span className={css.key}>
      <i data-fill={fill} />
      {children}
    </span>
  );
}
