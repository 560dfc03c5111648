import type { ReactNode } from 'react';
import css from './filter-bar.module.css';

/** The filters of a list; on narrow screens one row that stays at the top. */
export function FilterBar({ children }: { children: ReactNode }) {
  return (
    <div className={css.bar} role="search" aria-label="Filters">
      {children}
    </div>
  );
}
