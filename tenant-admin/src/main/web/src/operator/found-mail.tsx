/** A mail of any account, as operators read it: facts, deliveries, attempts with their SMTP dialogues, and the content on request. */
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { X } from 'lucide-react';
import { useState } from 'react';
import { Box, Button, Code, Facts, Id, Note, Status, Time } from '../kit/basics';
import { TextField } from '../kit/fields';
import { Form, rules, useFields } from '../kit/form';
import kit from '../kit/kit.module.css';
import { Failed, Loading } from '../kit/page';
import { Transcript } from '../kit/transcript';
import { counted, duration, number } from '../words/formats';
import { emailWord, heldReason, outcomeWord } from '../words/status';
import css from './found-mail.module.css';
import { contentQuery, emailQuery, type FoundRow, type WatchedEmail } from './search-queries';

export default function FoundMail({
  row,
  reason,
  onClose,
}: {
  row: FoundRow;
  reason: string;
  onClose: () => void;
}) {
  const query = useQuery(emailQuery(row.accountId, row.id, reason));
  const email = query.data?.email;
  return (
    <div className={css.mail}>
      <header>
        <div className={css.line}>
          <Status chip word={emailWord(email?.status ?? row.status, email?.lastEvent ?? row.lastEvent)} />
          <Button kind="bare" iconOnly icon={X} aria-label="Close" onClick={onClose} />
        </div>
        <h2>
          <bdi>{row.subject || 'No subject'}</bdi>
        </h2>
        <Facts
          items={[
            ['To', <bdi key="to">{row.toEmails.join(', ')}</bdi>],
            ['From', <bdi key="from">{email?.sender ?? row.fromEmail}</bdi>],
            [
              'Account',
              <Link key="account" to="/operator/accounts/$id" params={{ id: row.accountId }}>
                <bdi>{row.accountEmail || row.accountId}</bdi>
              </Link>,
            ],
            ['Accepted', <Time key="created" at={row.createdAt} precise />],
            ['Id', <Id key="id" id={row.id} />],
          ]}
        />
      </header>
      {email ? (
        <>
          <Waiting email={email} />
          <Attempts email={email} />
          <Content row={row} />
        </>
      ) : query.error ? (
        <Failed error={query.error} retry={() => void query.refetch()} />
      ) : (
        <Loading lines={6} />
      )}
    </div>
  );
}

/** Deliveries that are not settled yet. */
function Waiting({ email }: { email: WatchedEmail }) {
  const waiting = email.deliveries.filter((delivery) => delivery.settledAt === null);
  const first = waiting[0];
  if (!first) return null;
  return (
    <p className={css.next}>
      <strong>
        {counted(waiting.length, 'recipient')} {waiting.length === 1 ? 'waits' : 'wait'}.
      </strong>{' '}
      {first.attempt === 0 ? 'Not tried yet.' : `${counted(first.attempt, 'attempt')} so far.`}{' '}
      {first.held ? (
        heldReason(first.held)
      ) : first.attempt === 0 ? null : (
        <>
          The next at <Time at={first.dueAt} />.
        </>
      )}
    </p>
  );
}

function Attempts({ email }: { email: WatchedEmail }) {
  const newest = email.attempts.toSorted((a, b) => b.beganAt.localeCompare(a.beganAt));
  return (
    <Box title="Attempts" side={<span>{counted(newest.length, 'attempt')}</span>}>
      {newest.length === 0 ? (
        <p className={css.none}>No attempt yet.</p>
      ) : (
        newest.map((attempt, index) => (
          <AttemptLine
            key={attempt.id}
            attempt={attempt}
            several={email.deliveries.length > 1}
            open={index === 0}
          />
        ))
      )}
    </Box>
  );
}

function AttemptLine({
  attempt,
  several,
  open,
}: {
  attempt: WatchedEmail['attempts'][number];
  several: boolean;
  open: boolean;
}) {
  const [shown, setShown] = useState(open);
  const hasDialogue = attempt.conversation.length > 0;
  return (
    <article className={css.attempt}>
      <header>
        <Status word={outcomeWord(attempt.outcome)} />
        <span>
          {several ? (
            <>
              <bdi>{attempt.recipient}</bdi>,{' '}
            </>
          ) : null}
          attempt {attempt.attempt}, in {duration(attempt.tookMs)}
        </span>
        <Time at={attempt.beganAt} precise />
      </header>
      {attempt.reply && !(shown && hasDialogue) ? <p className={kit.mono}>{attempt.reply}</p> : null}
      {hasDialogue && !open ? (
        <button type="button" className={kit.linkish} aria-expanded={shown} onClick={() => setShown(!shown)}>
          {shown ? 'Hide dialogue' : 'Show dialogue'}
        </button>
      ) : null}
      {shown && hasDialogue ? <Transcript attempt={attempt} /> : null}
    </article>
  );
}

/** The content, which is read for a reason of its own. */
function Content({ row }: { row: FoundRow }) {
  const [reason, setReason] = useState<string>();
  const query = useQuery({
    ...contentQuery(row.accountId, row.id, reason ?? ''),
    enabled: reason !== undefined,
  });
  const fields = useFields({ why: '' }, { why: rules.required('a reason') }, async ({ why }) =>
    setReason(why.trim()),
  );
  return (
    <Box title="Content" padded>
      {reason === undefined ? (
        <Form fields={fields} label="Read the content">
          <TextField
            label="Reason to read it"
            autoComplete="off"
            maxLength={1000}
            help="The content is private to the account. The audit log keeps that you read it, and why."
            {...fields.form.getInputProps('why')}
          />
          <div>
            <Button type="submit">Read the content</Button>
          </div>
        </Form>
      ) : query.error ? (
        <Failed error={query.error} retry={() => void query.refetch()} />
      ) : query.isPending ? (
        <Loading />
      ) : !query.data ? (
        <p className={kit.quiet}>The content is no longer stored.</p>
      ) : (
        <div className={kit.grid}>
          {query.data.truncated ? (
            <Note tone="info">
              The content is longer than {number(1_048_576)} characters: only its beginning is shown.
            </Note>
          ) : null}
          {query.data.text === null ? null : <Code label="the text" text={query.data.text} wrap />}
          {query.data.html === null ? null : <Code label="the HTML" text={query.data.html} wrap />}
          {query.data.text === null && query.data.html === null ? (
            <p className={kit.quiet}>The email has no text and no HTML.</p>
          ) : null}
        </div>
      )}
    </Box>
  );
}
