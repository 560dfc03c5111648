import { useQueryClient } from '@tanstack/react-query';
import { Button } from '../kit/basics';
import { TextField } from '../kit/fields';
import { Form, useFields } from '../kit/form';
import kit from '../kit/kit.module.css';
import { Dialog } from '../kit/layers';
import { Rest } from '../kit/problems';
import { zoneName } from '../words/formats';
import { fromInput, future, localInput } from '../words/inputs';
import { rescheduleEmail, type EmailDetail } from './queries';

/** Changes the time of a mail that waits for it. */
export default function Reschedule({ email, onClose }: { email: EmailDetail; onClose: () => void }) {
  const client = useQueryClient();
  const fields = useFields(
    { sendAt: localInput(new Date(email.scheduledAt!)) },
    { sendAt: future },
    async ({ sendAt }) => {
      await rescheduleEmail(client, email.id, fromInput(sendAt).toISOString());
      onClose();
    },
  );
  return (
    <Dialog title="Reschedule" onClose={onClose}>
      <Form fields={fields} label="Reschedule">
        <TextField
          label="Send at"
          type="datetime-local"
          help={`In the time zone of the account, ${zoneName()}.`}
          data-autofocus
          {...fields.form.getInputProps('sendAt')}
        />
        <Rest of={fields.rest} />
        <div className={kit.dialogActs}>
          <Button onClick={onClose}>Keep the time</Button>
          <Button type="submit" kind="main" busy={fields.busy}>
            Reschedule
          </Button>
        </div>
      </Form>
    </Dialog>
  );
}
