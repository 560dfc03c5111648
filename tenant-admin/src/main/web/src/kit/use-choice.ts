import { useState } from 'react';
import { explained } from './problems';

/** An act or a choice that is carried out at once, with its failure. */
export function useChoice<T>(save: (value: T) => Promise<void>) {
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<string>();
  const choose = async (value: T) => {
    setBusy(true);
    setError(undefined);
    try {
      await save(value);
    } catch (fault) {
      setError(explained(fault, []).rest.join(' '));
    } finally {
      setBusy(false);
    }
  };
  return { busy, error, choose };
}
