/** The frame of a page: its header, and the placeholders of data that is loading, empty or failed. */
import { Link } from '@tanstack/react-router';
import { useQueryErrorResetBoundary } from '@tanstack/react-query';
import { ChevronRight, Lock, RotateCw } from 'lucide-react';
import { useEffect, useRef, useState, type ReactNode } from 'react';
import type { Right } from '../gen/graphql';
import { Fault, passing, shown } from '../words/errors';
import { Button, buttonClass, CopyText, cx, ICON } from './basics';
import css from './kit.module.css';
import { useRights } from './rights';

/** Sets the title of the document. */
export function useTitle(title: string): void {
  useEffect(() => {
    document.title = `${title} · Mailroom`;
  }, [title]);
}

export interface HeaderProps {
  readonly title: string;
  /** The title is shown by the bar of narrow screens too. */
  readonly same?: boolean;
  readonly up?: { readonly to: string; readonly text: string };
  readonly after?: ReactNode;
  readonly acts?: ReactNode;
  /** The right to change what the page shows: readers without it see why they cannot. */
  readonly needs?: Right;
}

export function PageHeader({ title, same = true, up, after, acts, needs }: HeaderProps) {
  useTitle(title);
  const rights = useRights();
  const refusal = needs && !rights.watching ? rights.refusal(needs) : null;
  return (
    <header className={css.top}>
      <div>
        {up ? (
          <nav className={css.crumb} aria-label="Breadcrumb">
            <Link to={up.to}>{up.text}</Link>
            <ChevronRight {...ICON} size={13} />
          </nav>
        ) : null}
        <div className={css.title}>
          <h1 className={same && !up ? css.same : undefined}>{title}</h1>
          {after}
        </div>
      </div>
      {acts || refusal ? (
        <div className={css.right}>
          {refusal ? (
            <p className={css.refusal}>
              <Lock {...ICON} size={14} />
              {refusal}
            </p>
          ) : null}
          {acts}
        </div>
      ) : null}
    </header>
  );
}

/** A page with margins. */
export function Page({ children, ...header }: HeaderProps & { children: ReactNode }) {
  return (
    <div className={css.wrap}>
      <PageHeader {...header} />
      {children}
    </div>
  );
}

/** Seconds after which a failed request is repeated. */
const AGAIN_SECONDS = 5;

/** An error in the place of the failed content. A temporary one is tried again by itself. */
export function Failed({ error, retry }: { error: unknown; retry?: (() => void) | undefined }) {
  if (!(error instanceof Fault)) throw error;
  const { title, text, action } = shown(error);
  const again = retry !== undefined && passing(error);
  const wait = useCountdown(error, again ? Math.ceil(error.retryAfter ?? AGAIN_SECONDS) : null, retry);
  return (
    <div className={css.blank} role="alert">
      <h2>{title}</h2>
      {text ? <p>{text}</p> : null}
      {wait === null ? null : <p aria-live="off">Trying again in {wait} s.</p>}
      {action === 'sign-in' ? (
        <Link to="/login" className={buttonClass({ kind: 'main' })}>
          Sign in
        </Link>
      ) : null}
      {retry && action === 'retry' ? (
        <Button icon={RotateCw} onClick={retry}>
          Try again
        </Button>
      ) : null}
      {error.requestId && error.status >= 500 ? (
        <p className={css.quiet}>
          Request <CopyText text={error.requestId} />
        </p>
      ) : null}
    </div>
  );
}

/** Seconds until a request is repeated; null if it is not. */
function useCountdown(error: Fault, seconds: number | null, retry: (() => void) | undefined): number | null {
  const [left, setLeft] = useState(seconds);
  const latest = useRef(retry);
  latest.current = retry;
  useEffect(() => {
    setLeft(seconds);
    if (seconds === null) return undefined;
    const due = Date.now() + seconds * 1000;
    const timer = setInterval(() => {
      const rest = Math.max(0, Math.ceil((due - Date.now()) / 1000));
      setLeft(rest);
      if (rest > 0) return;
      clearInterval(timer);
      latest.current?.();
    }, 250);
    return () => clearInterval(timer);
  }, [error, seconds]);
  return left;
}

/** A page that cannot be shown, as the router's error component. */
export function FailedPage({ error, reset }: { error: unknown; reset: () => void }) {
  const boundary = useQueryErrorResetBoundary();
  return (
    <div className={css.wrap}>
      <Failed
        error={error}
        retry={() => {
          boundary.reset();
          reset();
        }}
      />
    </div>
  );
}

/** Explanation of an empty list, with its first action. */
export function Empty({ title, children }: { title: string; children?: ReactNode }) {
  return (
    <div className={css.blank}>
      <h2>{title}</h2>
      {children}
    </div>
  );
}

/** The page that readers without the right see in place of one that only makes changes. */
export function Refused({ right }: { right: Right }) {
  return (
    <Empty title="This page makes changes">
      <p>{useRights().refusal(right)}</p>
    </Empty>
  );
}

/** Lines in the place of data that is loading; nothing for the first 150 ms. */
export function Loading({ lines = 4 }: { lines?: number }) {
  return useLate() ? (
    <div className={css.blank} aria-busy="true" aria-label="Loading" role="status">
      {Array.from({ length: lines }, (_, line) => (
        <Skeleton key={line} width={`${80 - line * 12}%`} />
      ))}
    </div>
  ) : null;
}

export function Skeleton({ width }: { width: string }) {
  return <span className={css.skeleton} style={{ width, minWidth: 40, maxWidth: '100%' }} />;
}

/** False for the first 150 ms. */
export function useLate(): boolean {
  const [late, setLate] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setLate(true), 150);
    return () => clearTimeout(timer);
  }, []);
  return late;
}

/** Whether the page shows the newest state: live, or since when it does not. */
export function Live({ since }: { since: Date | null }) {
  return (
    <span className={css.live} data-state={since ? 'away' : 'on'} role="status">
      <i />
      {since ? `Reconnecting, as of ${since.toTimeString().slice(0, 8)}` : 'Live'}
    </span>
  );
}

export { cx };
