/** Actions of the open page, and recently opened objects, for the palette. */
import { useEffect, useRef, useSyncExternalStore } from 'react';
import type { Right } from '../gen/graphql';
import { useRights } from '../kit/rights';

export interface Act {
  readonly text: string;
  readonly act: () => void;
  readonly key?: string;
  /** The right without which the act is not offered. */
  readonly needs?: Right;
}

export interface Recent {
  readonly text: string;
  readonly path: string;
}

const KEY = 'mailroom-recent';
const MAX_RECENT = 5;

let current: readonly Act[] = [];
const watchers = new Set<() => void>();

/** Offers acts on the open thing while the component is shown; those with a key also answer to it. */
export function useActs(all: readonly Act[]): void {
  const { may } = useRights();
  const acts = all.filter((act) => may(act.needs));
  const latest = useRef(acts);
  latest.current = acts;
  const names = acts.map((act) => act.text).join('\n');
  useEffect(() => {
    current =
      names === ''
        ? []
        : latest.current.map((act, index) => ({ ...act, act: () => latest.current[index]?.act() }));
    watchers.forEach((watcher) => watcher());
    return () => {
      current = [];
      watchers.forEach((watcher) => watcher());
    };
  }, [names]);
}

export function useOpenActs(): readonly Act[] {
  return useSyncExternalStore(
    (watcher) => {
      watchers.add(watcher);
      return () => watchers.delete(watcher);
    },
    () => current,
  );
}

/** Runs the act with a key; false if there is none. */
export function runKey(key: string): boolean {
  const act = current.find((candidate) => candidate.key === key);
  act?.act();
  return act !== undefined;
}

/** Remembers that a thing was opened. */
export function useRecent(text: string | undefined, path: string): void {
  useEffect(() => {
    if (!text) return;
    const others = recent().filter((entry) => entry.path !== path);
    sessionStorage.setItem(KEY, JSON.stringify([{ text, path }, ...others].slice(0, MAX_RECENT)));
  }, [text, path]);
}

/** The things that were opened lately, the last one first. */
export function recent(): readonly Recent[] {
  try {
    return JSON.parse(sessionStorage.getItem(KEY) ?? '[]') as Recent[];
  } catch {
    return [];
  }
}

export function forgetRecent(): void {
  sessionStorage.removeItem(KEY);
}
