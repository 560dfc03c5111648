import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Check } from 'lucide-react';
import { lazy, Suspense, useState, type ReactNode } from 'react';
import { useEvents } from '../app/live';
import { progressQuery, type Progress } from '../app/queries';
import { steps } from '../app/shell';
import type { Right } from '../gen/graphql';
import { Box, cx, ICON, Status, Time } from '../kit/basics';
import kit from '../kit/kit.module.css';
import { Secret } from '../kit/layers';
import { Failed, Loading, Page } from '../kit/page';
import { useRights } from '../kit/rights';
import { emailWord } from '../words/status';
import css from './start.module.css';

const AddressStep = lazy(() => import('./steps').then((module) => ({ default: module.AddressStep })));
const DomainStep = lazy(() => import('./steps').then((module) => ({ default: module.DomainStep })));
const KeyStep = lazy(() => import('./steps').then((module) => ({ default: module.KeyStep })));
const SendStep = lazy(() => import('./send-step').then((module) => ({ default: module.SendStep })));

/** Interval in which the unfinished steps are read again. */
const INTERVAL_MS = 5000;

export function StartPage() {
  const client = useQueryClient();
  const progress = useQuery({
    ...progressQuery,
    refetchInterval: ({ state }) => (state.data && steps(state.data).every(Boolean) ? false : INTERVAL_MS),
  });
  useEvents((events) => {
    if (events.some((event) => event.emailId))
      void client.invalidateQueries({ queryKey: progressQuery.queryKey });
  });
  return (
    <Page title="Get started" needs="DOMAINS">
      {progress.error && !progress.data ? (
        <Box>
          <Failed error={progress.error} retry={() => void progress.refetch()} />
        </Box>
      ) : progress.data ? (
        <Steps progress={progress.data} />
      ) : (
        <Box>
          <Loading lines={6} />
        </Box>
      )}
    </Page>
  );
}

function Steps({ progress }: { progress: Progress }) {
  const done = steps(progress);
  const left = done.filter((step) => !step).length;
  const next = done.indexOf(false);
  const client = useQueryClient();
  const [sending, setSending] = useState(false);
  const [secret, setSecret] = useState<string>();
  const sent = done[3];
  const domain = progress.domains.nodes.find(
    (node) => node.status === 'VERIFIED' || node.status === 'TEMPORARY_FAILURE',
  );
  return (
    <div className={kit.grid}>
      <p className={kit.say}>
        {left === 0 ? (
          <>
            <strong>All is set up.</strong> The first email is below; the next ones are under{' '}
            <Link to="/emails">Emails</Link>.
          </>
        ) : (
          <>
            <strong>
              {left === 1 ? 'One step is' : `${['No', 'One', 'Two', 'Three', 'Four'][left]} steps are`} left
            </strong>{' '}
            until your first email is sent.
          </>
        )}
      </p>
      <Box label="Steps">
        <ol className={css.steps}>
          <Step
            number={1}
            title="Verify your address"
            done={done[0]!}
            current={next === 0}
            summary={progress.account.email}
          >
            <AddressStep email={progress.account.email} />
          </Step>
          <Step
            number={2}
            title="Add a domain"
            done={done[1]!}
            current={next === 1}
            summary={
              domain ? (
                <Link to="/domains/$id" params={{ id: domain.id }}>
                  {domain.name}
                </Link>
              ) : null
            }
            needs="DOMAINS"
          >
            <DomainStep domain={progress.domains.nodes[0]} />
          </Step>
          <Step
            number={3}
            title="Create an API key"
            done={done[2]!}
            current={next === 2}
            summary={progress.apiKeys.nodes.map((key) => key.name).join(', ')}
            needs="API_KEYS"
          >
            {domain ? (
              <KeyStep domain={domain} onCreated={setSecret} />
            ) : (
              <p>A key is for one verified domain. Verify the domain first.</p>
            )}
          </Step>
          <Step
            number={4}
            title="Send an email"
            done={sent!}
            current={next === 3 || sending}
            summary={sent ? <FirstMail progress={progress} /> : null}
            needs="SEND"
          >
            {domain ? (
              <SendStep domain={domain.name} to={progress.account.email} onSending={setSending} />
            ) : (
              <p>Mail is sent from an address of a verified domain.</p>
            )}
          </Step>
        </ol>
      </Box>
      {secret ? (
        <Secret
          title="Copy your API key now"
          text={secret}
          variable="MAILROOM_API_KEY"
          onStored={() => {
            setSecret(undefined);
            void client.invalidateQueries({ queryKey: progressQuery.queryKey });
          }}
        >
          <p>
            This is the only time that it is shown. A lost key cannot be recovered: create another and revoke
            this one.
          </p>
        </Secret>
      ) : null}
    </div>
  );
}

function Step({
  number,
  title,
  done,
  current,
  summary,
  needs,
  children,
}: {
  number: number;
  title: string;
  done: boolean;
  current: boolean;
  summary: ReactNode;
  needs?: Right;
  children: ReactNode;
}) {
  const refusal = useRights().refusal;
  return (
    <li
      className={cx(css.step, done && css.done, current && !done && css.current)}
      aria-current={current && !done ? 'step' : undefined}
      data-step={number}
      data-done={done || undefined}
    >
      <span className={css.mark}>
        {done ? <Check {...ICON} strokeWidth={2.25} /> : number}
        <span className={kit.hidden}>{done ? ' done' : ''}</span>
      </span>
      <div className={css.text}>
        <h2>{title}</h2>
        {done ? (
          <div className={css.summary}>{summary}</div>
        ) : current ? (
          <div className={css.body}>
            {needs && refusal(needs) ? (
              <p>Another member of the account takes this step. {refusal(needs)}</p>
            ) : (
              <Suspense fallback={<Loading lines={3} />}>{children}</Suspense>
            )}
          </div>
        ) : null}
      </div>
    </li>
  );
}

/** The first mail with its history, which grows while it is on its way. */
function FirstMail({ progress }: { progress: Progress }) {
  const mail = progress.emails.nodes[0];
  if (!mail) return null;
  return (
    <div className={css.first}>
      <div className={css.mail}>
        <Status chip word={emailWord(mail.status, mail.lastEvent)} />
        <Link to="/emails/$id" params={{ id: mail.id }}>
          {mail.subject || 'No subject'}
        </Link>
        <span className={kit.quiet}>to {mail.toEmails[0]}</span>
      </div>
      <ul className={css.events}>
        {mail.events.map((event) => (
          <li key={event.id}>
            <span>{event.kind.replace('email.', '').replaceAll('_', ' ')}</span>
            <Time at={event.createdAt} precise />
          </li>
        ))}
        <li>
          <span>accepted</span>
          <Time at={mail.createdAt} precise />
        </li>
      </ul>
    </div>
  );
}
