import type { ReactNode } from 'react';
import kit from '../kit/kit.module.css';
import css from './settings.module.css';

/** A part of a settings page: its title at the left, its content at the right. */
export function Part({ title, text, children }: { title: string; text: string; children: ReactNode }) {
  return (
    <section className={css.part} aria-label={title}>
      <div>
        <h2>{title}</h2>
        <p className={kit.quiet}>{text}</p>
      </div>
      <div className={css.body}>{children}</div>
    </section>
  );
}
