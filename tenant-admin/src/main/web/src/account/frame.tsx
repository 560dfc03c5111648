/** The frame of the pages outside of the shell: the brand and one form. */
import { useRouter } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { Mark } from '../app/shell';
import kit from '../kit/kit.module.css';
import { Failed, useTitle } from '../kit/page';
import css from './frame.module.css';

export function Frame({ title, children, foot }: { title: string; children: ReactNode; foot?: ReactNode }) {
  useTitle(title);
  return (
    <Ground>
      <div className={css.card}>
        <h1>{title}</h1>
        {children}
      </div>
      {foot ? <div className={css.foot}>{foot}</div> : null}
    </Ground>
  );
}

/** The page in place of the shell if the session could not be read. */
export function Unreachable({ error }: { error: unknown }) {
  const router = useRouter();
  return (
    <Ground>
      <Failed error={error} retry={() => void router.invalidate()} />
    </Ground>
  );
}

function Ground({ children }: { children: ReactNode }) {
  return (
    <div className={css.ground}>
      <main className={css.column} id="main">
        <div className={css.brand}>
          <Mark />
          Mailroom
        </div>
        {children}
      </main>
    </div>
  );
}

export function Text({ children }: { children: ReactNode }) {
  return <div className={kit.dialogText}>{children}</div>;
}
