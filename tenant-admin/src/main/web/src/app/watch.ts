/**
 * The account that an operator watches in this tab. Its token has an effect only beside the operator's access token. A
 * watch begins and ends with a new load of the app, so that nothing of one account is shown for the other.
 */
export const WATCH_KEY = 'mailroom-watch';

export interface Watched {
  readonly token: string;
  readonly accountId: string;
  /** Name or address of the account. */
  readonly name: string;
  /** Time from which it is invalid. */
  readonly expiresAt: string;
}

function stored(): Watched | null {
  try {
    const watch = JSON.parse(sessionStorage.getItem(WATCH_KEY) ?? 'null') as Watched | null;
    return watch && Date.parse(watch.expiresAt) > Date.now() ? watch : null;
  } catch {
    return null;
  }
}

let current = stored();

/** The watched account; null without one. */
export function watched(): Watched | null {
  return current;
}

/** Headers of a request with an access token. */
export function authorization(token: string | null): Record<string, string> {
  return {
    Authorization: `Bearer ${token ?? ''}`,
    ...(current ? { 'X-Mailroom-Watch': current.token } : {}),
  };
}

/** Forgets the watch, without a new load. */
export function forgetWatch(): void {
  sessionStorage.removeItem(WATCH_KEY);
  current = null;
}
