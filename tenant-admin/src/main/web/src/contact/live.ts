import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { useEvents } from '../app/live';

/** Time in which the pages are read again at most once, because an import causes an event for each contact. */
const RELOAD_MS = 3000;

/** Reads books and contacts again after events of contacts, except while the page itself changes them. */
export function useContactEvents(enabled = true): void {
  const client = useQueryClient();
  const timer = useRef<number>(undefined);
  const reload = () => {
    if (!enabled) return;
    timer.current ??= window.setTimeout(() => {
      timer.current = undefined;
      void client.invalidateQueries({ queryKey: ['contact'] });
    }, RELOAD_MS);
  };
  useEffect(() => () => window.clearTimeout(timer.current), []);
  useEvents((events) => {
    if (events.some((event) => event.kind.startsWith('contact.'))) reload();
  }, reload);
}
