import { useQuery, useQueryClient } from '@tanstack/react-query';
import { RotateCw } from 'lucide-react';
import { lazy, Suspense, useState } from 'react';
import { Button, Code, Facts, Id, Status, Time } from '../kit/basics';
import kit from '../kit/kit.module.css';
import { Failed, Loading } from '../kit/page';
import { explained, Rest } from '../kit/problems';
import { DrawerFrame } from '../kit/split';
import { duration } from '../words/formats';
import { callWord } from '../words/status';
import { callQuery, redeliver, type Call, type Endpoint } from './queries';
import css from './webhook.module.css';

const JsonTree = lazy(() => import('../kit/json-tree').then((module) => ({ default: module.JsonTree })));

/** Interval in which a call that is pending is read again. */
const PENDING_MS = 2000;

/** A call with its request and the answers. */
export function Drawer({
  id,
  endpoint,
  onClose,
  previous,
  next,
}: {
  id: string;
  endpoint: Endpoint;
  onClose: () => void;
  previous: (() => void) | undefined;
  next: (() => void) | undefined;
}) {
  const client = useQueryClient();
  const query = useQuery({
    ...callQuery(id),
    refetchInterval: ({ state }) => (state.data?.status === 'PENDING' ? PENDING_MS : false),
  });
  const [busy, setBusy] = useState(false);
  const [rest, setRest] = useState<readonly string[]>([]);
  const call = query.data;
  const again = async () => {
    setBusy(true);
    setRest([]);
    try {
      await redeliver(client, id);
    } catch (error) {
      setRest(explained(error, []).rest);
    } finally {
      setBusy(false);
    }
  };
  return (
    <DrawerFrame
      id={id}
      onClose={onClose}
      previous={previous}
      next={next}
      noun="call"
      status={call ? <Status chip word={callWord(call)} /> : null}
      title={call ? <span className={kit.mono}>{call.kind}</span> : null}
      facts={call ? <CallFacts call={call} /> : null}
      acts={
        call ? (
          <Button small icon={RotateCw} needs="WEBHOOKS" busy={busy} onClick={() => void again()}>
            Redeliver
          </Button>
        ) : null
      }
    >
      <Rest of={rest} />
      {query.error && !call ? (
        <Failed error={query.error} retry={() => void query.refetch()} />
      ) : call ? (
        <Dialogue call={call} endpoint={endpoint} />
      ) : (
        <Loading lines={6} />
      )}
    </DrawerFrame>
  );
}

function CallFacts({ call }: { call: Call }) {
  return (
    <Facts
      items={[
        ['Queued', <Time key="queued" at={call.createdAt} />],
        call.status === 'PENDING'
          ? [call.attempt > 0 ? 'Next try' : 'First try', <Time key="due" at={call.dueAt} />]
          : null,
        call.settledAt
          ? [call.status === 'DELIVERED' ? 'Accepted' : 'Failed', <Time key="settled" at={call.settledAt} />]
          : null,
        ['Event', <Id key="event" id={call.eventId} />],
      ]}
    />
  );
}

function Dialogue({ call, endpoint }: { call: Call; endpoint: Endpoint }) {
  const attempts = call.attempts.toReversed();
  return (
    <>
      <section className={css.part} aria-label="Responses">
        <h3>Responses</h3>
        {attempts.length === 0 ? (
          <p className={kit.quiet}>No attempt yet.</p>
        ) : (
          <ol className={css.attempts}>
            {attempts.map((attempt, index) => (
              <li key={attempt.id}>
                <p>
                  <b className={kit.num}>
                    {attempt.status === null ? 'No answer' : `HTTP ${attempt.status}`}
                  </b>
                  <span className={kit.quiet}>in {duration(attempt.tookMs)}</span>
                  <Time at={attempt.attemptedAt} precise />
                </p>
                {attempt.error ? <p className={kit.second}>{attempt.error}</p> : null}
                {attempt.answer ? (
                  <Code
                    label={`the response of attempt ${attempts.length - index}`}
                    text={attempt.answer}
                    wrap
                  />
                ) : null}
              </li>
            ))}
          </ol>
        )}
      </section>
      <section className={css.part} aria-label="Request">
        <h3>Request</h3>
        <Code label="the head of the request" wrap text={head(call, endpoint.url)} />
        {call.body === null ? (
          <p className={kit.quiet}>The body is fixed with the first attempt.</p>
        ) : (
          <Body text={call.body} />
        )}
      </section>
    </>
  );
}

function head(call: Call, url: string): string {
  return [
    `POST ${url}`,
    'content-type: application/json',
    `webhook-id: ${call.eventId}`,
    'webhook-timestamp: seconds of the attempt',
    'webhook-signature: v1,…',
  ].join('\n');
}

/** The body as a tree; text that is not JSON as it is. */
function Body({ text }: { text: string }) {
  const value = parsed(text);
  return value === undefined ? (
    <Code label="the body" text={text} wrap />
  ) : (
    <Suspense fallback={<Loading />}>
      <JsonTree label="the body" value={value} />
    </Suspense>
  );
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
