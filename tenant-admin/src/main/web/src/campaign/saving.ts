/** Keeps a draft of a campaign: at the server once it is complete, before that in this tab. */
import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';
import type { Fields } from '../kit/form';
import { explained } from '../kit/problems';
import { saveCampaign } from './queries';
import { missing, toInput, type Values } from './values';

const KEY = 'mailroom-campaign';

/** Time without a change after which a draft is saved. */
const SAVE_MS = 900;

/** Fields of a draft that was not complete; undefined if there is none. */
export function remembered(): Values | undefined {
  try {
    const values = JSON.parse(sessionStorage.getItem(KEY) ?? 'null') as Values | null;
    return values?.letter ? values : undefined;
  } catch {
    return undefined;
  }
}

export function forget(): void {
  sessionStorage.removeItem(KEY);
}

export interface Saving {
  /** undefined until the draft is stored. */
  readonly id: string | undefined;
  /** Time of the last save. */
  readonly at: Date | undefined;
  /** Another number after each save. */
  readonly version: number;
  readonly state: 'saved' | 'unsaved' | 'saving' | 'failed';
  /** Errors of the last save that belong to no field. */
  readonly rest: readonly string[];
  /** Saves now, if anything has changed; returns the id. */
  readonly flush: (values: Values) => Promise<string>;
}

export function useSaving(
  opened: string | undefined,
  fields: Fields<Values>,
  initial: Values,
  onSaved: (id: string) => void,
): Saving {
  const client = useQueryClient();
  const navigate = useNavigate({ from: '/campaigns/compose' });
  const [id, setId] = useState(opened);
  const [at, setAt] = useState<Date>();
  const [state, setState] = useState<Saving['state']>(opened === undefined ? 'unsaved' : 'saved');
  // Not a number of an earlier visit, whose preview may be in the cache.
  const [version, setVersion] = useState(() => Date.now());
  const [rest, setRest] = useState<readonly string[]>([]);
  const stored = useRef({
    id: opened,
    text: opened === undefined ? '' : JSON.stringify(toInput(initial)),
  });
  const chain = useRef<Promise<unknown>>(Promise.resolve());
  const { values } = fields.form;
  const text = JSON.stringify(toInput(values));
  const save = async (next: Values): Promise<string> => {
    const input = toInput(next);
    const nextText = JSON.stringify(input);
    if (stored.current.id !== undefined && stored.current.text === nextText) return stored.current.id;
    setState('saving');
    setRest([]);
    try {
      const saved = await saveCampaign(client, stored.current.id, input);
      const first = stored.current.id === undefined;
      setVersion((old) => old + 1);
      stored.current = { id: saved, text: nextText };
      forget();
      setId(saved);
      setAt(new Date());
      setState('saved');
      if (first) {
        onSaved(saved);
        await navigate({ search: { id: saved }, replace: true });
      }
      return saved;
    } catch (error) {
      setState('failed');
      throw error;
    }
  };
  const flush = (next: Values) => {
    const saved = chain.current.then(() => save(next));
    chain.current = saved.catch(() => undefined);
    return saved;
  };
  useEffect(() => {
    if (stored.current.text === text) return undefined;
    setState('unsaved');
    if (stored.current.id === undefined) sessionStorage.setItem(KEY, JSON.stringify(values));
    if (missing(values).length > 0) return undefined;
    const timer = setTimeout(() => {
      flush(values).catch((error: unknown) => {
        const divided = explained(error, Object.keys(values));
        fields.form.setErrors(divided.fields);
        setRest(divided.rest);
      });
    }, SAVE_MS);
    return () => clearTimeout(timer);
  }, [text]); // eslint-disable-line react-hooks/exhaustive-deps
  return { id, at, version, state, rest, flush };
}
