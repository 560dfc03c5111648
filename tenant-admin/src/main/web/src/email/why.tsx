/** The reason for which an email did not arrive, and what can be done. */
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { Button, Note, Time } from '../kit/basics';
import { Diagnosis } from '../kit/diagnosis';
import { explained } from '../kit/problems';
import { dot } from '../words/formats';
import { heldReason } from '../words/status';
import css from './email.module.css';
import { liftSuppression, suppressionQuery, type EmailDetail } from './queries';
import { deciding } from './timeline';

interface Bounce {
  readonly type: 'hard' | 'soft' | 'block';
  readonly reason: string;
  readonly diagnostic: string;
}

const bounces: Record<Bounce['type'], readonly [verdict: string, effect: string]> = {
  hard: ['Hard bounce.', 'It is not retried.'],
  soft: [
    'Soft bounce.',
    'It is not retried. The address is not suppressed: send again once the cause is gone.',
  ],
  block: [
    'Blocked.',
    'It is not retried. The address is not suppressed: the server refused the sender, not the recipient.',
  ],
};

export function Why({ email }: { email: EmailDetail }) {
  const block = diagnosis(email);
  return block ? <div className={css.cut}>{block}</div> : null;
}

function diagnosis(email: EmailDetail) {
  const event = (kind: string) => email.events.find((each) => each.kind === `email.${kind}`);
  const waiting = email.deliveries.find((delivery) => delivery.status === 'PENDING');
  const last = deciding(email);
  if (waiting?.held)
    return (
      <Diagnosis
        tone="warn"
        verdict={heldReason(waiting.held)}
        effect="It keeps its attempts and is sent as soon as it is released."
        acts={
          email.campaign ? (
            <Link to="/campaigns/$id" params={{ id: email.campaign.id }}>
              View campaign
            </Link>
          ) : null
        }
      />
    );
  if (waiting && last && email.lastEvent !== 'scheduled')
    return (
      <Diagnosis
        tone="warn"
        verdict={`Deferred. ${last.meaning ?? 'It could not be handed over yet.'}`}
        effect={
          <>
            Next attempt at <Time at={waiting.dueAt} />. You do not have to do anything.
          </>
        }
        evidence={last.reply}
      />
    );
  const bounced = event('bounced');
  if (email.status === 'BOUNCED' && bounced) {
    const data = bounced.data as { bounce?: Bounce; recipient?: string };
    const [verdict, effect] = bounces[data.bounce?.type ?? 'soft'];
    return (
      <Diagnosis
        tone="bad"
        verdict={`${verdict} ${bounced.meaning ?? ''}`}
        effect={effect}
        evidence={data.bounce?.diagnostic}
        acts={
          <>
            {data.bounce?.type === 'hard' && data.recipient ? <Reactivate address={data.recipient} /> : null}
            <Link to="/emails" search={{ status: 'BOUNCED', domain: email.domain?.id }}>
              View all bounces
            </Link>
          </>
        }
      />
    );
  }
  if (email.status === 'COMPLAINED')
    return (
      <Diagnosis
        tone="warn"
        verdict="Spam complaint."
        effect="The recipient reported the email. Do not send to this address again: further complaints harm the reputation of your domain."
        acts={
          <Link to="/emails" search={{ status: 'COMPLAINED', domain: email.domain?.id }}>
            View all complaints
          </Link>
        }
      />
    );
  if (email.lastEvent === 'suppressed')
    return (
      <Diagnosis
        tone="info"
        verdict="Suppressed."
        effect="No attempt was made: the recipient was on the suppression list."
        acts={email.deliveries[0] ? <Reactivate address={email.deliveries[0].recipient} /> : null}
      />
    );
  if (email.status === 'FAILED' && email.lastEvent !== 'cancelled') {
    const data = event('failed')?.data as { failed?: { reason?: string; diagnostic?: string } } | undefined;
    const expired = data?.failed?.reason === 'expired';
    return (
      <Diagnosis
        tone="bad"
        verdict={expired ? 'Expired.' : 'Failed.'}
        effect={
          expired
            ? 'The server deferred it until the retries were exhausted. The address is not suppressed: send again later.'
            : 'It is not retried. Correct the cause, then send again.'
        }
        evidence={expired ? data.failed?.diagnostic : dot(data?.failed?.reason ?? '')}
      />
    );
  }
  return null;
}

/** States that an address is suppressed, and removes it from the list; nothing for other addresses. */
function Reactivate({ address }: { address: string }) {
  const client = useQueryClient();
  const key = address.toLowerCase();
  const entry = useQuery(suppressionQuery(key));
  const [state, setState] = useState<'busy' | 'done'>();
  const [problem, setProblem] = useState<string>();
  if (state === 'done') return <span role="status">Reactivated. Emails to this address are sent again.</span>;
  if (!entry.data) return null;
  const { id } = entry.data;
  const lift = async () => {
    setState('busy');
    setProblem(undefined);
    try {
      await liftSuppression(client, id);
      setState('done');
    } catch (error) {
      setState(undefined);
      setProblem(explained(error, []).rest.join(' '));
    }
  };
  return (
    <>
      <span>The address is suppressed.</span>
      <Button small needs="SUPPRESSIONS" busy={state === 'busy'} onClick={() => void lift()}>
        Reactivate address
      </Button>
      {problem ? (
        <Note tone="bad" alert>
          {problem}
        </Note>
      ) : null}
    </>
  );
}
