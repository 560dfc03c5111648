/** The frame of the pages before the sign-in: the brand and one form. */
import type { ReactNode } from 'react';
import { Mark } from '../app/shell';
import kit from '../kit/kit.module.css';
import { useTitle } from '../kit/page';
import css from './frame.module.css';

export function Frame({ title, children, foot }: { title: string; children: ReactNode; foot?: ReactNode }) {
  useTitle(title);
  return (
    <div className={css.ground}>
      <main className={css.column} id="main">
        <div className={css.brand}>
          <Mark />
          Mailroom
        </div>
        <div className={css.card}>
          <h1>{title}</h1>
          {children}
        </div>
        {foot ? <div className={css.foot}>{foot}</div> : null}
      </main>
    </div>
  );
}

export function Text({ children }: { children: ReactNode }) {
  return <div className={kit.dialogText}>{children}</div>;
}
