import { useState } from 'react';
import { file } from '../app/graphql';
import { Button } from '../kit/basics';
import kit from '../kit/kit.module.css';
import { explained, Rest } from '../kit/problems';

/** Downloads what the account has, for its owners. */
export default function Archive() {
  const [busy, setBusy] = useState(false);
  const [rest, setRest] = useState<string[]>([]);
  const run = () => {
    setBusy(true);
    setRest([]);
    file('/export/account')
      .then((blob) => {
        const link = document.createElement('a');
        link.href = URL.createObjectURL(blob);
        link.download = 'account.zip';
        link.click();
        setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
      })
      .catch((error: unknown) => setRest(explained(error, []).rest))
      .finally(() => setBusy(false));
  };
  return (
    <>
      <Rest of={rest} />
      <div className={kit.acts}>
        <Button busy={busy} onClick={run}>
          Export all data
        </Button>
      </div>
    </>
  );
}
