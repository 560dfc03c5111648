import { useQueryClient } from '@tanstack/react-query';
import { Button, Note } from '../kit/basics';
import { useChoice } from '../kit/use-choice';
import { cancelDeletion } from './queries';

/** The button that cancels the deletion of the account. */
export function Cancel() {
  const client = useQueryClient();
  const { busy, error, choose } = useChoice(() => cancelDeletion(client));
  return (
    <>
      <Button busy={busy} onClick={() => void choose(undefined)}>
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
