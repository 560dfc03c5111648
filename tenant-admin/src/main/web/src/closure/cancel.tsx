import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Button, Note } from '../kit/basics';
import { explained } from '../kit/problems';
import { cancelDeletion } from './queries';

/** The button that cancels the deletion of the account. */
export function Cancel() {
  const client = useQueryClient();
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<string>();
  const cancel = async () => {
    setBusy(true);
    setError(undefined);
    try {
      await cancelDeletion(client);
    } catch (fault) {
      setError(explained(fault, []).rest.join(' '));
    } finally {
      setBusy(false);
    }
  };
  return (
    <>
      <Button busy={busy} onClick={() => void cancel()}>
        Cancel the deletion
      </Button>
      {error ? (
        <Note tone="bad" alert>
          {error}
        </Note>
      ) : null}
    </>
  );
}
