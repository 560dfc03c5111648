/** Dialogs that hold and release destinations and pause and resume the queue. */
import { useQueryClient } from '@tanstack/react-query';
import type { EmailStream } from '../gen/graphql';
import { Button } from '../kit/basics';
import { TextArea, TextField } from '../kit/fields';
import { Form, rules, useFields } from '../kit/form';
import kit from '../kit/kit.module.css';
import { Confirm, Dialog } from '../kit/layers';
import { Rest } from '../kit/problems';
import { counted, zoneName } from '../words/formats';
import { fromInput, future } from '../words/inputs';
import { holdDestination, pauseQueue, releaseDestination, resumeQueue, type Destination } from './queries';
import { ReasonDialog } from './reason-dialog';

/** Holds a destination; the dialog has an input for it if it is empty. */
export function HoldDestination({
  destination: given,
  onClose,
}: {
  destination: string;
  onClose: () => void;
}) {
  const client = useQueryClient();
  const fields = useFields(
    { destination: given, reason: '', until: '' },
    {
      destination: rules.required('a domain'),
      reason: rules.required('a reason'),
      until: (value) => (value === '' ? null : future(value)),
    },
    async ({ destination, reason, until }) => {
      await holdDestination(client, {
        destination: destination.trim(),
        reason: reason.trim(),
        until: until === '' ? null : fromInput(until).toISOString(),
      });
      onClose();
    },
  );
  return (
    <Dialog title={given ? `Hold ${given}?` : 'Hold a destination'} onClose={onClose}>
      <div className={kit.dialogText}>
        <p>
          Within two seconds no more mail to it is begun. Waiting mail keeps its attempts, new mail is still
          accepted, and all of it goes out when the hold ends. Mail that is already on its way still arrives.
        </p>
      </div>
      <Form fields={fields} label="Hold">
        {given ? null : (
          <TextField
            label="Domain of the recipients"
            placeholder="example.com"
            autoComplete="off"
            spellCheck={false}
            data-autofocus
            {...fields.form.getInputProps('destination')}
          />
        )}
        <TextArea
          label="Reason"
          rows={3}
          maxLength={1000}
          help="Operators see it here and in the audit log."
          data-autofocus={given ? true : undefined}
          {...fields.form.getInputProps('reason')}
        />
        <TextField
          label="Until"
          optional
          type="datetime-local"
          help={`In the time zone of the account, ${zoneName()}. Without a time it is held until you release it.`}
          {...fields.form.getInputProps('until')}
        />
        <Rest of={fields.rest} />
        <div className={kit.dialogActs}>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" kind="badMain" busy={fields.busy}>
            Hold
          </Button>
        </div>
      </Form>
    </Dialog>
  );
}

/** Releases a destination. */
export function ReleaseDestination({ row, onClose }: { row: Destination; onClose: () => void }) {
  const client = useQueryClient();
  return (
    <Confirm
      title={`Release ${row.domain}?`}
      verb="Release"
      keep="Leave it held"
      mild
      onClose={onClose}
      act={() => releaseDestination(client, row.domain)}
    >
      <p>
        {row.waiting === 0
          ? 'No mail waits for it.'
          : `${counted(row.waiting, 'email')} ${row.waiting === 1 ? 'is' : 'are'} due at once, as fast as its servers take them.`}
      </p>
    </Confirm>
  );
}

/** The mail that a pause concerns; all of it without a stream. */
const words = (stream: EmailStream | null) =>
  stream === null
    ? { what: 'sending', all: 'all sending' }
    : stream === 'CAMPAIGN'
      ? { what: 'campaigns', all: 'the campaigns of all tenants' }
      : { what: 'transactional mail', all: 'transactional mail' };

/** Pauses the queue, or a stream of it, for a reason. */
export function PauseQueue({ stream, onClose }: { stream: EmailStream | null; onClose: () => void }) {
  const { what, all } = words(stream);
  const client = useQueryClient();
  return (
    <ReasonDialog
      title={`Pause ${all}?`}
      help="Operators see it here and in the audit log."
      verb={stream === null ? 'Pause all sending' : `Pause ${what}`}
      keep="Keep sending"
      bad
      act={(reason) => pauseQueue(client, stream, reason)}
      onClose={onClose}
    >
      <p>
        <strong>
          {stream === null
            ? 'No tenant’s mail goes out'
            : stream === 'CAMPAIGN'
              ? 'No mail of a campaign goes out'
              : 'Only campaign emails go out'}
        </strong>{' '}
        until you resume. Mail is accepted as before and waits; webhooks are still called, and mail still
        comes in. Mail that was already handed over still arrives.
      </p>
    </ReasonDialog>
  );
}

/** Resumes the queue, or a stream of it. */
export function ResumeQueue({
  stream,
  waiting,
  onClose,
}: {
  stream: EmailStream | null;
  waiting: number;
  onClose: () => void;
}) {
  const client = useQueryClient();
  const { what } = words(stream);
  return (
    <Confirm
      title={`Resume ${what}?`}
      verb={`Resume ${what}`}
      keep="Leave it paused"
      mild
      onClose={onClose}
      act={() => resumeQueue(client, stream)}
    >
      <p>
        {waiting === 0
          ? 'No mail is due now.'
          : `${counted(waiting, 'email')} ${waiting === 1 ? 'is' : 'are'} due and ${waiting === 1 ? 'goes' : 'go'} out at once.`}
      </p>
    </Confirm>
  );
}
