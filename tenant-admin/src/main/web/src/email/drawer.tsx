import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { ChevronDown, ChevronUp, Maximize2, X } from 'lucide-react';
import { useEffect, useRef } from 'react';
import { useRecent } from '../app/open';
import { Button, buttonClass, ICON } from '../kit/basics';
import { Failed, Loading } from '../kit/page';
import { recipients } from '../words/formats';
import { EmailActs, isWaiting } from './acts';
import { EmailFacts, EmailState, EmailTabs, tabOf, type Tab } from './detail';
import css from './email.module.css';
import { emailQuery } from './queries';

/** Interval in which a mail that is on its way is read again, in case an event is missed. */
const WAITING_INTERVAL_MS = 5000;

/** A mail beside the list. */
export function Drawer({
  id,
  tab,
  onTab,
  onClose,
  previous,
  next,
}: {
  id: string;
  tab: string | undefined;
  onTab: (tab: Tab) => void;
  onClose: () => void;
  previous: (() => void) | undefined;
  next: (() => void) | undefined;
}) {
  const email = useQuery({
    ...emailQuery(id),
    refetchInterval: ({ state }) => (state.data && isWaiting(state.data) ? WAITING_INTERVAL_MS : false),
  });
  const close = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    const back = document.activeElement as HTMLElement | null;
    const press = (event: KeyboardEvent) => {
      if (event.key === 'Escape' && !document.querySelector('[role=dialog]')) onClose();
    };
    window.addEventListener('keydown', press);
    return () => {
      window.removeEventListener('keydown', press);
      if (back?.isConnected) back.focus();
    };
  }, [id]); // eslint-disable-line react-hooks/exhaustive-deps
  useRecent(
    email.data ? `${email.data.subject || 'No subject'}, ${recipients(email.data.toEmails)}` : undefined,
    `/emails/${id}`,
  );
  return (
    <>
      <header className={css.drawerHead}>
        <div className={css.row}>
          {email.data ? <EmailState email={email.data} /> : null}
          <div className={css.tools}>
            <Button
              kind="bare"
              iconOnly
              icon={ChevronUp}
              aria-label="Newer email"
              aria-disabled={previous ? undefined : true}
              onClick={previous}
            />
            <Button
              kind="bare"
              iconOnly
              icon={ChevronDown}
              aria-label="Older email"
              aria-disabled={next ? undefined : true}
              onClick={next}
            />
            <Link
              to="/emails/$id"
              params={{ id }}
              className={buttonClass({ kind: 'bare', iconOnly: true })}
              aria-label="Open as a page"
              title="Open as a page"
            >
              <Maximize2 {...ICON} />
            </Link>
            <button
              ref={close}
              type="button"
              className={buttonClass({ kind: 'bare', iconOnly: true })}
              aria-label="Close"
              title="Close (Esc)"
              onClick={onClose}
            >
              <X {...ICON} />
            </button>
          </div>
        </div>
        {email.data ? (
          <>
            <h2>
              <bdi>{email.data.subject || 'No subject'}</bdi>
            </h2>
            <EmailFacts email={email.data} />
            <EmailActs email={email.data} />
          </>
        ) : null}
      </header>
      {email.error && !email.data ? (
        <Failed error={email.error} retry={() => void email.refetch()} />
      ) : email.data ? (
        <div className={css.drawerBody}>
          <EmailTabs email={email.data} tab={tabOf(tab)} onTab={onTab} />
        </div>
      ) : (
        <Loading lines={6} />
      )}
    </>
  );
}
