/** A mail: its facts and, in tabs, its history, content and data. */
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { RefreshCw } from 'lucide-react';
import { lazy, Suspense, useState, type ReactNode } from 'react';
import { watched } from '../app/watch';
import { Announce } from '../kit/announce';
import { Button, Code, cx, Facts, Id, ICON, Note, Segments, Status, Time } from '../kit/basics';
import kit from '../kit/kit.module.css';
import { Failed, Loading } from '../kit/page';
import { Tabs } from '../kit/tabs';
import { Transcript } from '../kit/transcript';
import { frameViews, type FrameView } from '../kit/views';
import { counted, number } from '../words/formats';
import type { Tone } from '../words/status';
import { emailWord } from '../words/status';
import css from './email.module.css';
import { contentQuery, previewQuery, type EmailDetail } from './queries';
import { deciding, submitter, timeline, type Entry } from './timeline';
import { Why } from './why';

const ReadingReason = lazy(() => import('./reason'));
const Content = lazy(() => import('./content'));
const Calls = lazy(() => import('./calls'));
const JsonTree = lazy(() => import('../kit/json-tree').then((module) => ({ default: module.JsonTree })));

export const tabs = ['timeline', 'preview', 'text', 'headers', 'attempts', 'webhooks', 'json'] as const;
export type Tab = (typeof tabs)[number];

/** Length to which the server cuts contents. */
const MAX_SHOWN = 1_048_576;

const names: Record<Tab, string> = {
  timeline: 'Timeline',
  preview: 'Preview',
  text: 'Text',
  headers: 'Headers',
  attempts: 'Attempts',
  webhooks: 'Webhooks',
  json: 'JSON',
};

/** The tab of a URL; the timeline if it names none. */
export function tabOf(text: string | undefined): Tab {
  return tabs.find((tab) => tab === text) ?? 'timeline';
}

/** Status and counts of a mail in one line. */
export function EmailState({ email }: { email: EmailDetail }) {
  const times = (value: number, verb: string) =>
    value === 0 ? null : `${verb} ${value === 1 ? 'once' : `${value} times`}`;
  const counts = [times(email.openCount, 'opened'), times(email.clickCount, 'clicked')]
    .filter(Boolean)
    .join(', ');
  const word = emailWord(email.status, email.lastEvent);
  return (
    <>
      <Status chip word={word} />
      <Announce text={[`The email is ${word.text.toLowerCase()}`, counts].filter(Boolean).join(', ')} />
      {counts ? <span className={css.counts}>{counts}</span> : null}
    </>
  );
}

export function EmailFacts({ email }: { email: EmailDetail }) {
  const tags = Object.entries((email.tags ?? {}) as Record<string, unknown>)
    .map(([name, value]) => `${name} ${String(value)}`)
    .join(', ');
  return (
    <Facts
      items={[
        ['To', <bdi key="to">{email.toEmails.join(', ')}</bdi>],
        email.cc.length > 0 && ['Cc', <bdi key="cc">{email.cc.join(', ')}</bdi>],
        email.bcc.length > 0 && ['Bcc', <bdi key="bcc">{email.bcc.join(', ')}</bdi>],
        ['From', <bdi key="from">{email.sender}</bdi>],
        email.replyTo.length > 0 && ['Reply to', <bdi key="reply">{email.replyTo.join(', ')}</bdi>],
        email.campaign
          ? [
              'Campaign',
              <Link key="campaign" to="/campaigns/$id" params={{ id: email.campaign.id }}>
                <bdi>{email.campaign.name}</bdi>
              </Link>,
            ]
          : null,
        email.acceptedBy ? ['Accepted', <bdi key="accepted">{submitter(email.acceptedBy)}</bdi>] : null,
        email.scheduledAt ? ['Scheduled', <Time key="scheduled" at={email.scheduledAt} />] : null,
        tags ? ['Tags', tags] : null,
        ['Id', <Id key="id" id={email.id} />],
      ]}
    />
  );
}

export function EmailTabs({
  email,
  tab,
  onTab,
}: {
  email: EmailDetail;
  tab: Tab;
  onTab: (tab: Tab) => void;
}) {
  const counts: Partial<Record<Tab, number>> = {
    attempts: email.attempts.length,
    webhooks: email.webhookCalls.length,
  };
  return (
    <Tabs
      label="Views of the email"
      names={names}
      counts={counts}
      tab={tab}
      onTab={onTab}
      listClass={css.tabs}
      panelClass={css.panel}
      stop
    >
      {panel(tab, email)}
    </Tabs>
  );
}

function panel(tab: Tab, email: EmailDetail): ReactNode {
  switch (tab) {
    case 'timeline':
      return <Timeline email={email} />;
    case 'preview':
      return <Preview id={email.id} />;
    case 'text':
    case 'headers':
      return (
        <Suspense fallback={<Loading />}>
          <Content email={email} part={tab} />
        </Suspense>
      );
    case 'attempts':
      return <Attempts email={email} />;
    case 'webhooks':
      return (
        <Suspense fallback={<Loading />}>
          <Calls calls={email.webhookCalls} />
        </Suspense>
      );
    case 'json':
      return (
        <Suspense fallback={<Loading />}>
          <JsonTree label="the JSON" value={email} />
        </Suspense>
      );
  }
}

const tones: Record<Tone, string> = {
  mute: css.mute!,
  info: css.info!,
  good: css.good!,
  warn: css.warn!,
  bad: css.bad!,
  plum: css.plum!,
};

function Timeline({ email }: { email: EmailDetail }) {
  const last = deciding(email);
  return (
    <>
      <Why email={email} />
      <ol className={css.timeline}>
        {timeline(email).map((entry) => (
          <Line key={entry.id} entry={entry} open={entry.attempt === last && last !== undefined} />
        ))}
      </ol>
    </>
  );
}

function Line({ entry, open }: { entry: Entry; open: boolean }) {
  const Icon = entry.icon;
  const [shown, setShown] = useState(open);
  const hasDialogue = (entry.attempt?.conversation.length ?? 0) > 0;
  return (
    <li className={cx(css.line, tones[entry.tone])}>
      <Icon {...ICON} size={15} strokeWidth={2} />
      <div className={css.what}>
        <b>{entry.title}</b>
        <span>{entry.detail}</span>
        <Time at={entry.at} precise />
      </div>
      {entry.reply && !(shown && hasDialogue) ? <p className={kit.mono}>{entry.reply}</p> : null}
      {hasDialogue && !open ? (
        <button type="button" className={kit.linkish} aria-expanded={shown} onClick={() => setShown(!shown)}>
          {shown ? 'Hide dialogue' : 'Show dialogue'}
        </button>
      ) : null}
      {shown && hasDialogue && entry.attempt ? <Transcript attempt={entry.attempt} /> : null}
    </li>
  );
}

function Attempts({ email }: { email: EmailDetail }) {
  if (email.attempts.length === 0) return <p className={kit.quiet}>No attempt yet.</p>;
  return (
    <>
      <p className={css.next}>
        {counted(email.attempts.length, 'attempt')} for {counted(email.deliveries.length, 'recipient')}.
      </p>
      <ol className={css.timeline}>
        {timeline(email)
          .filter((entry) => entry.attempt !== null)
          .map((entry) => (
            <Line key={entry.id} entry={entry} open />
          ))}
      </ol>
    </>
  );
}

function Preview({ id }: { id: string }) {
  const content = useQuery(contentQuery(id));
  const preview = useQuery({
    ...previewQuery(id),
    enabled: content.data?.html != null && watched() === null,
  });
  const [view, setView] = useState<FrameView>('desktop');
  const error = content.error ?? preview.error;
  if (content.data === undefined && watched())
    return (
      <Suspense fallback={<Loading />}>
        <ReadingReason id={id} />
      </Suspense>
    );
  if (error)
    return (
      <Failed
        error={error}
        retry={() => {
          void content.refetch();
          void preview.refetch();
        }}
      />
    );
  if (content.isPending) return <Loading />;
  if (!content.data) return <p className={kit.quiet}>The content is no longer stored.</p>;
  if (content.data.html === null)
    return <p className={kit.quiet}>The email has no HTML. The tab Text has its content.</p>;
  if (watched())
    return (
      <>
        {content.data.truncated ? <Cut /> : null}
        <Code label="the HTML" text={content.data.html} wrap />
      </>
    );
  return (
    <div className={kit.grid}>
      <div className={kit.acts}>
        <Segments label="View" value={view} options={frameViews} onChange={setView} />
        <Button
          small
          kind="bare"
          icon={RefreshCw}
          busy={preview.isFetching}
          onClick={() => void preview.refetch()}
        >
          Reload
        </Button>
        <span className={kit.quiet}>Remote images are blocked.</span>
      </div>
      {preview.data ? (
        <iframe
          key={preview.data}
          className={css.mail}
          data-width={view}
          title="The email"
          sandbox=""
          src={preview.data}
        />
      ) : (
        <Loading lines={6} />
      )}
    </div>
  );
}

/** A note where only the beginning of a content is shown. */
export function Cut() {
  return (
    <div className={css.cut}>
      <Note tone="info">
        The content is longer than {number(MAX_SHOWN)} characters: only its beginning is shown.
      </Note>
    </div>
  );
}
