/** Error messages of a failed action. */
import { divide, Fault, shown } from '../words/errors';
import { Note } from './basics';

/** The errors of a failed action, by field. */
export function explained(
  error: unknown,
  inputs: readonly string[],
): { fields: Record<string, string>; rest: string[] } {
  if (!(error instanceof Fault)) throw error;
  if (error.problems.length > 0) return divide(error.problems, inputs);
  const { title, text } = shown(error);
  const wait = error.retryAfter ? ` Wait ${error.retryAfter} s.` : '';
  return { fields: {}, rest: [`${title} ${text}${wait}`.trim()] };
}

/** The errors of a form that belong to no field, above its button. */
export function Rest({ of }: { of: readonly string[] }) {
  return of.length > 0 ? (
    <Note tone="bad" alert>
      {of.map((text) => (
        <p key={text}>{text}</p>
      ))}
    </Note>
  ) : null;
}
