/** Keys of the whole app. They are off in fields and dialogs, and everywhere if the reader switched them off. */
import { useEffect, useRef } from 'react';
import { runKey } from './open';
import { pagesAt } from './pages';

const KEY = 'mailroom-shortcuts';
const SEQUENCE_MS = 1200;

export function shortcutsOn(): boolean {
  return localStorage.getItem(KEY) !== 'off';
}

export function setShortcuts(on: boolean): void {
  if (on) localStorage.removeItem(KEY);
  else localStorage.setItem(KEY, 'off');
  applyShortcuts();
}

/** Marks the document, for the shortcuts of lists. */
export function applyShortcuts(): void {
  if (shortcutsOn()) delete document.documentElement.dataset.shortcuts;
  else document.documentElement.dataset.shortcuts = 'off';
}

interface Handlers {
  readonly palette: () => void;
  readonly help: () => void;
  readonly go: (path: string) => void;
}

export function useShortcuts(handlers: Handlers): void {
  const latest = useRef(handlers);
  latest.current = handlers;
  useEffect(() => {
    let prefix = 0;
    const press = (event: KeyboardEvent) => {
      const { palette, help, go } = latest.current;
      if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === 'k') {
        event.preventDefault();
        palette();
        return;
      }
      const target = event.target as HTMLElement;
      if (
        event.ctrlKey
        || event.metaKey
        || event.altKey
        || !shortcutsOn()
        || target.closest('input, textarea, select, [contenteditable=true], [role=dialog]')
      )
        return;
      if (event.timeStamp - prefix < SEQUENCE_MS && prefix > 0) {
        prefix = 0;
        const page = pagesAt(window.location.pathname).find((candidate) => candidate.key === event.key);
        if (page) {
          event.preventDefault();
          go(page.to);
        }
        return;
      }
      if (event.key === 'g') prefix = event.timeStamp;
      else if (event.key === '?') {
        event.preventDefault();
        help();
      } else if (event.key === '/') {
        event.preventDefault();
        (document.querySelector<HTMLElement>('[data-filter]') ?? { focus: palette }).focus();
      } else if (runKey(event.key)) event.preventDefault();
    };
    window.addEventListener('keydown', press);
    return () => window.removeEventListener('keydown', press);
  }, []);
}
