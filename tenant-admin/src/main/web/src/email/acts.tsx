import { useQueryClient } from '@tanstack/react-query';
import { CalendarClock, X } from 'lucide-react';
import { lazy, Suspense, useState } from 'react';
import { Button, Time } from '../kit/basics';
import { Confirm } from '../kit/layers';
import { recipients } from '../words/formats';
import css from './email.module.css';
import { cancelEmail, type EmailDetail } from './queries';

const Reschedule = lazy(() => import('./reschedule'));

/** Time before a webhook call from which it is expected soon. */
const EXPECTED_MS = 30_000;

/** Whether a mail is on its way, or a webhook call about it is made soon. */
export function isWaiting(email: EmailDetail): boolean {
  const sending = email.status === 'PENDING' && email.lastEvent !== 'scheduled';
  return (
    sending
    || email.webhookCalls.some(
      (call) => call.status === 'PENDING' && Date.parse(call.dueAt) - Date.now() < EXPECTED_MS,
    )
  );
}

/** Actions on a scheduled mail. */
export function EmailActs({ email }: { email: EmailDetail }) {
  const client = useQueryClient();
  const [asking, setAsking] = useState<'cancel' | 'move'>();
  if (email.status !== 'PENDING' || email.lastEvent !== 'scheduled' || !email.scheduledAt) return null;
  return (
    <div className={css.acts}>
      <Button small icon={CalendarClock} needs="SEND" onClick={() => setAsking('move')}>
        Reschedule
      </Button>
      <Button small kind="bad" icon={X} needs="SEND" onClick={() => setAsking('cancel')}>
        Cancel
      </Button>
      {asking === 'cancel' ? (
        <Confirm
          title="Cancel this email?"
          verb="Cancel it"
          onClose={() => setAsking(undefined)}
          act={() => cancelEmail(client, email.id)}
        >
          <p>
            <strong>{email.subject || 'The email'}</strong> to {recipients(email.toEmails)} is not sent at{' '}
            <Time at={email.scheduledAt} />. It cannot be taken back.
          </p>
        </Confirm>
      ) : null}
      {asking === 'move' ? (
        <Suspense fallback={null}>
          <Reschedule email={email} onClose={() => setAsking(undefined)} />
        </Suspense>
      ) : null}
    </div>
  );
}
