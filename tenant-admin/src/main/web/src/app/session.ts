/**
 * The session: an access token in memory and a refresh token in a cookie that scripts cannot read. One tab at a time
 * refreshes, because the use of a replaced refresh token would end the session, and the others take over its token.
 */
import { RefreshDocument, SignInDocument, SignInWithCodeDocument, SignOutDocument } from '../gen/graphql';
import { Fault } from '../words/errors';
import { dropDrafts } from '../kit/drafts';
import { accepted, send } from './graphql';

interface Token {
  readonly text: string;
  /** Time from which it is replaced, in milliseconds. */
  readonly until: number;
  /** Whether it only permits to set up a second factor. */
  readonly enrolling: boolean;
}

/** Time before its end at which a token is replaced. */
const MARGIN_MS = 60_000;

const LOCK = 'mailroom-session';

/** undefined before the first refresh, null without a session. */
let current: Token | null | undefined;
const listeners = new Set<(signedIn: boolean) => void>();
const channel = typeof BroadcastChannel === 'undefined' ? null : new BroadcastChannel(LOCK);

channel?.addEventListener('message', (event: MessageEvent<Token | null>) => set(event.data));

function set(token: Token | null): void {
  const before = current;
  current = token;
  if (before !== undefined && !before !== !token) listeners.forEach((listener) => listener(token !== null));
}

function share(token: Token | null): void {
  set(token);
  channel?.postMessage(token);
}

function locked<T>(work: () => Promise<T>): Promise<T> {
  return 'locks' in navigator ? (navigator.locks.request(LOCK, work) as Promise<T>) : work();
}

function store(payload: {
  accessToken: string | null;
  expiresIn: number | null;
  enrolling: boolean | null;
}): string | null {
  if (payload.accessToken === null) return null;
  share({
    text: payload.accessToken,
    until: Date.now() + (payload.expiresIn ?? 0) * 1000 - MARGIN_MS,
    enrolling: payload.enrolling === true,
  });
  return payload.accessToken;
}

/** Replaces a token, unless another tab has done so while this one waited. */
function refresh(old: string | undefined): Promise<string | null> {
  return locked(async () => {
    if (current && current.text !== old && current.until > Date.now()) return current.text;
    try {
      return store(accepted((await send(RefreshDocument, {}, null)).refresh));
    } catch (error) {
      if (error instanceof Fault && error.kind === 'unauthorized') {
        share(null);
        return null;
      }
      throw error;
    }
  });
}

export const session = {
  /** The access token, refreshed if it ends soon; null without a session. */
  async token(): Promise<string | null> {
    if (current === null) return null;
    return current && current.until > Date.now() ? current.text : refresh(current?.text);
  },

  /** A token that replaces a refused one; null if the session has ended. */
  renewed(old: string): Promise<string | null> {
    return refresh(old);
  },

  /** Whether the session may only set up a second factor. */
  enrolling(): boolean {
    return current?.enrolling === true;
  },

  /** Signs in; the result is a challenge if a code is required. */
  signIn(email: string, password: string): Promise<string | null> {
    return locked(async () => {
      const payload = accepted((await send(SignInDocument, { input: { email, password } }, null)).signIn);
      store(payload);
      return payload.challenge;
    });
  },

  /** Completes a sign-in with a code of the authenticator app, or a recovery code. */
  async signInWithCode(challenge: string, code: string): Promise<void> {
    await locked(async () =>
      store(
        accepted((await send(SignInWithCodeDocument, { input: { challenge, code } }, null)).signInWithCode),
      ),
    );
  },

  async signOut(): Promise<void> {
    await locked(() => send(SignOutDocument, {}, null)).catch(() => undefined);
    dropDrafts();
    share(null);
  },

  /** Ends the session of this tab after the server has ended it. */
  ended(): void {
    share(null);
  },

  /** Calls back when the session begins or ends, in this tab or another. */
  onChange(listener: (signedIn: boolean) => void): () => void {
    listeners.add(listener);
    return () => listeners.delete(listener);
  },
};
