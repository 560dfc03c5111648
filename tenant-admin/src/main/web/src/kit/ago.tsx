import { full } from '../words/formats';
import { relative } from '../words/relative';
import css from './kit.module.css';

/** The distance of a time from now, with the time in its title. */
export function Ago({ at }: { at: string }) {
  return (
    <time className={css.num} dateTime={at} title={full(at)}>
      {relative(at)}
    </time>
  );
}
