/** Drafts of forms that were not saved. A tab keeps its own until it is closed or the person signs out. */

const PREFIX = 'mailroom-draft ';

export interface Draft<V> {
  readonly values: V;
  /** State of the stored object that the draft is a change of. */
  readonly base: string;
}

/** The draft of a form that was not saved; undefined without one, or if the stored object has changed since. */
export function draftOf<V>(key: string, base: string): V | undefined {
  try {
    const draft = JSON.parse(sessionStorage.getItem(PREFIX + key) ?? 'null') as Draft<V> | null;
    return draft && draft.base === base ? draft.values : undefined;
  } catch {
    return undefined;
  }
}

export function keepDraft<V>(key: string, draft: Draft<V>): void {
  sessionStorage.setItem(PREFIX + key, JSON.stringify(draft));
}

export function dropDraft(key: string): void {
  sessionStorage.removeItem(PREFIX + key);
}

/** Drops the drafts of all forms, when the session ends. */
export function dropDrafts(): void {
  Object.keys(sessionStorage)
    .filter((key) => key.startsWith(PREFIX))
    .forEach((key) => sessionStorage.removeItem(key));
}
