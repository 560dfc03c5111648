/** Changes that are not saved: a dot in the title, a question before they are lost, and a draft that a reload finds. */
import { useBlocker } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import { Button } from './basics';
import { dropDraft, keepDraft } from './drafts';
import css from './kit.module.css';
import { Dialog } from './layers';

const DOT = '• ';

const form = { title: 'Leave without saving?', text: 'The changes of this form are lost.', verb: 'Leave' };

interface Place {
  readonly pathname: string;
  readonly search: object;
}

export interface UnsavedOptions<V> {
  /** Names the form among all drafts, such as "template 01a…". */
  readonly key: string;
  readonly dirty: boolean;
  /** Draft that is restored after a reload; undefined for none. */
  readonly values: V;
  readonly base: string;
  /** Text of the question, if leaving loses something else than changes of a form. */
  readonly words?: { readonly title: string; readonly text: string; readonly verb: string };
  /** Whether a navigation leaves the form; another path unless given. */
  readonly leaves?: (from: Place, to: Place) => boolean;
}

/**
 * Guards a form. Put the result into the page: it asks before changes are lost. A save has to make the form clean
 * before it navigates, or call the guard's pass.
 */
export function useUnsaved<V>({ key, dirty, values, base, leaves, words = form }: UnsavedOptions<V>) {
  const passing = useRef(false);
  const state = useRef({ dirty, leaves });
  state.current = { dirty, leaves };
  useEffect(() => {
    if (dirty && values !== undefined) keepDraft(key, { values, base });
    else dropDraft(key);
  }, [key, dirty, values, base]);
  useDot(dirty);
  const blocker = useBlocker({
    withResolver: true,
    enableBeforeUnload: () => state.current.dirty && !passing.current,
    shouldBlockFn: ({ current, next }) => {
      if (!state.current.dirty || passing.current) return false;
      const left = state.current.leaves ?? ((from: Place, to: Place) => from.pathname !== to.pathname);
      return left(current as Place, next as Place);
    },
  });
  const question =
    blocker.status === 'blocked' ? (
      <Dialog title={words.title} onClose={blocker.reset}>
        <p className={css.dialogText}>{words.text}</p>
        <div className={css.dialogActs}>
          <Button onClick={blocker.reset}>Stay</Button>
          <Button
            kind="badMain"
            onClick={() => {
              dropDraft(key);
              passing.current = true;
              blocker.proceed();
            }}
          >
            {words.verb}
          </Button>
        </div>
      </Dialog>
    ) : null;
  return {
    question,
    pass: () => {
      passing.current = true;
      dropDraft(key);
    },
  };
}

/** Keeps a dot before the title of the document while there are changes, whatever sets the title. */
function useDot(dirty: boolean): void {
  useEffect(() => {
    if (!dirty) return undefined;
    const mark = () => {
      if (!document.title.startsWith(DOT)) document.title = DOT + document.title;
    };
    mark();
    const title = document.querySelector('title');
    const watcher = new MutationObserver(mark);
    if (title) watcher.observe(title, { childList: true, characterData: true, subtree: true });
    return () => {
      watcher.disconnect();
      if (document.title.startsWith(DOT)) document.title = document.title.slice(DOT.length);
    };
  }, [dirty]);
}
