import { useQueryClient } from '@tanstack/react-query';
import { Button } from '../kit/basics';
import { TextField } from '../kit/fields';
import { Form, useFields } from '../kit/form';
import kit from '../kit/kit.module.css';
import { Dialog } from '../kit/layers';
import { Rest } from '../kit/problems';
import { zoneName } from '../words/formats';
import { fromInput, future, localInput } from '../words/inputs';
import { scheduleCampaign } from './queries';

const HOUR_MS = 3_600_000;

/** Schedules a campaign that has run before. */
export default function Reschedule({ id, onClose }: { id: string; onClose: () => void }) {
  const client = useQueryClient();
  const fields = useFields(
    { sendAt: localInput(new Date(Date.now() + HOUR_MS)) },
    { sendAt: future },
    async ({ sendAt }) => {
      await scheduleCampaign(client, id, fromInput(sendAt).toISOString());
      onClose();
    },
  );
  return (
    <Dialog title="Schedule resume" onClose={onClose}>
      <Form fields={fields} label="Schedule resume">
        <TextField
          label="Resume at"
          type="datetime-local"
          help={`In the time zone of the account, ${zoneName()}, within 30 days.`}
          data-autofocus
          {...fields.form.getInputProps('sendAt')}
        />
        <Rest of={fields.rest} />
        <div className={kit.dialogActs}>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" kind="main" busy={fields.busy}>
            Schedule
          </Button>
        </div>
      </Form>
    </Dialog>
  );
}
