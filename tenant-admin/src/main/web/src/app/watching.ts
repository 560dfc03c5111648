/** Begin and end of watching an account, each with a new load of the app and without drafts and recent objects. */
import { dropDrafts } from '../kit/drafts';
import { base } from './graphql';
import { forgetRecent } from './open';
import { forgetWatch, WATCH_KEY, watched, type Watched } from './watch';

function load(path: string): void {
  dropDrafts();
  forgetRecent();
  window.location.assign(base + path);
}

export function beginWatch(watch: Watched): void {
  sessionStorage.setItem(WATCH_KEY, JSON.stringify(watch));
  load('/overview');
}

/** Forgets the watch and returns to the account in the console. */
export function leaveWatch(): void {
  const account = watched()?.accountId;
  forgetWatch();
  load(account ? `/operator/accounts/${account}` : '/operator');
}
