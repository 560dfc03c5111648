/** What happened to a contact: emails, opens and clicks, consent, suppression, and its other books. */
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import {
  Ban,
  Check,
  CornerUpLeft,
  Eye,
  Flag,
  MailCheck,
  MailX,
  MousePointerClick,
  OctagonX,
  Send,
  UserPlus,
  type LucideIcon,
} from 'lucide-react';
import type { ReactNode } from 'react';
import { ICON, Note, Time } from '../kit/basics';
import kit from '../kit/kit.module.css';
import { Failed, Loading } from '../kit/page';
import glossary from '../words/glossary.json';
import css from './contact.module.css';
import { historyQuery, type ContactDetail, type History as Found } from './queries';

interface Entry {
  readonly key: string;
  readonly at: string;
  readonly icon: LucideIcon;
  readonly text: ReactNode;
}

const { states } = glossary;

const kinds: Record<string, readonly [LucideIcon, string]> = {
  'email.delivered': [Check, states.delivered.label],
  'email.bounced': [CornerUpLeft, states.bounced.label],
  'email.complained': [Flag, states.complained.label],
  'email.failed': [OctagonX, states.failed.label],
  'email.suppressed': [Ban, states.suppressed.label],
  'email.opened': [Eye, 'Opened'],
  'email.clicked': [MousePointerClick, 'Clicked'],
};

const reasons = {
  HARD_BOUNCE: 'a hard bounce',
  COMPLAINT: 'a spam complaint',
  UNSUBSCRIBE: 'an unsubscription',
  MANUAL: 'your account',
} as const;

export function History({ book, contact }: { book: string; contact: ContactDetail }) {
  const history = useQuery(historyQuery(book, contact.id));
  if (history.error && !history.data)
    return <Failed error={history.error} retry={() => void history.refetch()} />;
  if (!history.data) return <Loading lines={4} />;
  const others = history.data.books.filter((each) => each.contact.id !== contact.id);
  return (
    <section className={css.history} aria-labelledby="history">
      <h3 id="history">Timeline</h3>
      {history.data.suppression ? (
        <Note tone="warn">
          <strong>The address is suppressed</strong> because of {reasons[history.data.suppression.reason]},
          since <Time at={history.data.suppression.createdAt} />. No email is sent to it.
        </Note>
      ) : null}
      {others.length > 0 ? (
        <p className={kit.help}>
          Also in{' '}
          {others.map((other, index) => (
            <span key={other.contact.id}>
              {index > 0 ? ', ' : ''}
              <Link
                to="/contacts/$id"
                params={{ id: other.contact.contactBookId }}
                search={{ open: other.contact.id }}
              >
                <bdi>{other.contactBookName}</bdi>
              </Link>
              {other.contact.subscribed ? '' : ' (unsubscribed)'}
            </span>
          ))}
          .
        </p>
      ) : null}
      <ol>
        {entries(contact, history.data).map(({ key, at, icon: Icon, text }) => (
          <li key={key}>
            <Icon {...ICON} size={14} />
            <span>{text}</span>
            <Time at={at} />
          </li>
        ))}
      </ol>
      <p className={kit.help}>
        The timeline has the 20 newest emails: of the 200 newest campaigns, and of your 20,000 newest emails.
      </p>
    </section>
  );
}

/** The entries, newest first. */
function entries(contact: ContactDetail, history: Found): readonly Entry[] {
  const { consent } = contact;
  const subjects = new Map(history.emails.map((email) => [email.id, email.subject]));
  const link = (id: string, subject: string) => (
    <Link to="/emails/$id" params={{ id }}>
      <bdi>{subject || 'No subject'}</bdi>
    </Link>
  );
  const all: Entry[] = [
    ...history.emails.map((email) => ({
      key: email.id,
      at: email.createdAt,
      icon: Send,
      text: <>Accepted {link(email.id, email.subject)}</>,
    })),
    ...history.events.flatMap((event) => {
      const kind = kinds[event.kind];
      const data = (event.data ?? {}) as { bot?: boolean; recipient?: string; click?: { url?: string } };
      // An email may have other recipients, and programs open it too.
      const others =
        data.recipient !== undefined && data.recipient.toLowerCase() !== contact.email.toLowerCase();
      if (!kind || data.bot === true || others) return [];
      return {
        key: event.id,
        at: event.createdAt,
        icon: kind[0],
        text: (
          <>
            {kind[1]} {link(event.emailId, subjects.get(event.emailId) ?? '')}
            {data.click?.url ? <code>{data.click.url}</code> : null}
          </>
        ),
      };
    }),
    ...history.unsubscriptions.map((each) => ({
      key: `unsubscribed ${each.campaignId}`,
      at: each.at,
      icon: MailX,
      text: (
        <>
          Unsubscribed through{' '}
          <Link to="/campaigns/$id" params={{ id: each.campaignId }}>
            <bdi>{each.campaignName}</bdi>
          </Link>
        </>
      ),
    })),
    { key: 'added', at: contact.createdAt, icon: UserPlus, text: 'Added to this book' },
  ];
  if (consent.at)
    all.push({
      key: 'asked',
      at: consent.at,
      icon: MailCheck,
      text: consent.state === 'STATED' ? 'Consent stated' : 'Subscription requested',
    });
  if (consent.confirmedAt)
    all.push({
      key: 'confirmed',
      at: consent.confirmedAt,
      icon: MailCheck,
      text: 'Subscription confirmed',
    });
  return all.sort((a, b) => (a.at < b.at ? 1 : -1));
}
