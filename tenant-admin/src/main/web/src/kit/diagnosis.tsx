import type { ReactNode } from 'react';
import { cx, Note } from './basics';
import css from './diagnosis.module.css';
import kit from './kit.module.css';

/** Explains a failure: the verdict, its effect, the evidence, and what can be done. */
export function Diagnosis({
  tone,
  verdict,
  effect,
  evidence,
  acts,
}: {
  tone: 'warn' | 'bad' | 'info';
  verdict: ReactNode;
  effect: ReactNode;
  /** A text of another system, such as the reply of a server. */
  evidence?: string | null;
  /** One or two actions. */
  acts?: ReactNode;
}) {
  return (
    <Note tone={tone}>
      <strong>{verdict}</strong> {effect}
      {evidence ? <span className={cx(kit.mono, css.evidence)}>{evidence}</span> : null}
      {acts ? <div className={css.acts}>{acts}</div> : null}
    </Note>
  );
}
