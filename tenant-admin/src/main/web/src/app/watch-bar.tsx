import { useEffect, useState } from 'react';
import { EndWatchDocument } from '../gen/graphql';
import { Button } from '../kit/basics';
import { time } from '../words/formats';
import { cells } from './config';
import { base, request } from './graphql';
import css from './watch-bar.module.css';
import { watched } from './watch';
import { leaveWatch } from './watching';

/**
 * The bar over all pages while an operator watches an account, or uses the console for another cell. It ends the watch
 * at its time.
 */
export default function WatchBar() {
  const watch = watched();
  const [busy, setBusy] = useState(false);
  const expiresAt = watch?.expiresAt;
  useEffect(() => {
    if (!expiresAt) return undefined;
    const timer = window.setTimeout(leaveWatch, Math.max(0, Date.parse(expiresAt) - Date.now()));
    return () => window.clearTimeout(timer);
  }, [expiresAt]);
  const cell = base.slice('/cells/'.length);
  if (!watch)
    return (
      <div className={`${css.watch} ${css.cell}`} role="region" aria-label="Cell">
        <p>
          <strong>Cell {cell}.</strong> All that you see and do here is of this cell.
        </p>
        <a href="/operator">Back to {cells()[0]}</a>
      </div>
    );
  const stop = async () => {
    setBusy(true);
    await request(EndWatchDocument, { account: watch.accountId }).catch(() => undefined);
    leaveWatch();
  };
  return (
    <div className={css.watch} role="region" aria-label="Watching">
      <p>
        <strong>
          Watching <bdi>{watch.name}</bdi>
          {cell ? ` in the cell ${cell}` : null}
        </strong>{' '}
        until {time(watch.expiresAt)}. It is read-only.
      </p>
      <Button small busy={busy} onClick={() => void stop()}>
        Stop watching
      </Button>
    </div>
  );
}
