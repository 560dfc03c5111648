/** Errors of the API, and the sentences that explain them. */
import { capital, dot } from './formats';

/** A problem with an input, or with the request as a whole if it names no field. */
export interface Problem {
  readonly name: string;
  readonly message: string;
  readonly field: string | null;
}

/** A request that failed. */
export class Fault extends Error {
  constructor(
    /** Name of the error in snake case; "unreachable" if no response came. */
    readonly kind: string,
    message: string,
    readonly status = 0,
    /** Seconds to wait, if the response has them. */
    readonly retryAfter: number | null = null,
    readonly requestId: string | null = null,
    readonly problems: readonly Problem[] = [],
  ) {
    super(message);
  }
}

/** Whether the same request may succeed a little later. */
export function passing({ kind, status }: Fault): boolean {
  return kind === 'unreachable' || kind === 'rate_limit_exceeded' || status === 503;
}

/** Errors as pages show them: a sentence, and what the reader can do. */
export interface Shown {
  readonly title: string;
  readonly text: string;
  readonly action: 'retry' | 'wait' | 'sign-in' | 'none';
}

const titles: Record<string, string> = {
  unreachable: 'The server does not answer.',
  service_unavailable: 'The database does not answer.',
  internal_error: 'The server could not complete the request.',
  rate_limit_exceeded: 'Too many requests.',
  forbidden: 'This account may not do that.',
  unauthorized: 'The session has ended.',
  account_paused: 'Sending is paused.',
};

const NO_ID = /^Variable '\w*id' has an invalid value: The value is not a valid UUID$/i;

/** The presentation of an error, by its name and its status. */
export function shown(fault: Fault): Shown {
  const title = titles[fault.kind];
  switch (fault.kind) {
    case 'unreachable':
      return { title: title!, text: 'Check the connection and try again.', action: 'retry' };
    case 'unauthorized':
      return { title: title!, text: 'Sign in again.', action: 'sign-in' };
    case 'rate_limit_exceeded':
      return { title: title!, text: fault.message, action: 'wait' };
  }
  // A malformed id in the URL belongs to no object.
  if (fault.status === 404 || NO_ID.test(fault.message)) {
    return {
      title: missing(fault.kind),
      text: 'The link may be old, or the object was deleted.',
      action: 'none',
    };
  }
  return {
    title: title ?? fault.message,
    text: title ? fault.message : '',
    action: fault.status >= 500 ? 'retry' : 'none',
  };
}

/** The sentence for an object that does not exist or belongs to another account. */
export function missing(kind: string): string {
  const noun = kind.endsWith('_not_found')
    ? kind.slice(0, -'_not_found'.length).replaceAll('_', ' ')
    : 'page';
  const shownNoun = noun === 'api key' ? 'API key' : noun;
  return `There is no such ${shownNoun}, or it is not yours.`;
}

const sentences: Record<string, string> = {
  duplicate_name: 'This name is in use. Choose another.',
  domain_limit_reached: 'The plan allows no more domains. Delete one, or choose a larger plan.',
  contact_book_limit_reached: 'The plan allows no more contact books. Delete one, or choose a larger plan.',
  contact_limit_reached: 'The plan allows no more contacts. Delete some, or choose a larger plan.',
  domain_not_verified: 'The domain is not verified. Publish its records, then check them.',
  email_not_verified: 'Verify your address first: the link is in the email we sent you.',
  email_already_processed: 'The email has left the queue. It can no longer be changed.',
  from_domain_mismatch: 'The From address is not of one of your domains.',
};

/** A fault whose problem of this name belongs to a field, because the API names none. */
export function placed(error: unknown, name: string, field: string): unknown {
  if (!(error instanceof Fault) || error.kind !== name) return error;
  const problems = error.problems.map((problem) =>
    problem.name === name && problem.field === null ? { ...problem, field } : problem,
  );
  return new Fault(error.kind, error.message, error.status, error.retryAfter, error.requestId, problems);
}

/** The sentence for a problem that the reader can correct. */
export function sentence(problem: Problem): string {
  if (problem.field) return dot(capital(problem.message));
  return sentences[problem.name] ?? dot(problem.message);
}

/** The problems of one request, divided into those of known inputs and the others. */
export function divide(
  problems: readonly Problem[],
  inputs: readonly string[],
): { fields: Record<string, string>; rest: string[] } {
  const fields: Record<string, string> = {};
  const rest: string[] = [];
  for (const problem of problems) {
    const input = problem.field ? inputName(problem.field, inputs) : undefined;
    if (input && !(input in fields)) fields[input] = sentence(problem);
    else if (!input)
      rest.push(problem.field ? dot(`${problem.field} ${problem.message}`) : sentence(problem));
  }
  return { fields, rest };
}

/** The input for a field of the API: current_password is the input currentPassword, to[0] is the input to. */
function inputName(field: string, inputs: readonly string[]): string | undefined {
  const plain = field.replace(/[[.].*$/, '');
  const camel = plain.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
  return inputs.find((input) => input === plain || input === camel);
}
