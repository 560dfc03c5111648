import { useEffect, useState } from 'react';
import { EndWatchDocument } from '../gen/graphql';
import { Button } from '../kit/basics';
import { time } from '../words/formats';
import { request } from './graphql';
import css from './watch-bar.module.css';
import { watched } from './watch';
import { leaveWatch } from './watching';

/** The bar over all pages while an operator watches an account. It ends the watch at its time. */
export default function WatchBar() {
  const watch = watched();
  const [busy, setBusy] = useState(false);
  const expiresAt = watch?.expiresAt;
  useEffect(() => {
    if (!expiresAt) return undefined;
    const timer = window.setTimeout(leaveWatch, Math.max(0, Date.parse(expiresAt) - Date.now()));
    return () => window.clearTimeout(timer);
  }, [expiresAt]);
  if (!watch) return null;
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
        </strong>{' '}
        until {time(watch.expiresAt)}. It is read-only.
      </p>
      <Button small busy={busy} onClick={() => void stop()}>
        Stop watching
      </Button>
    </div>
  );
}
