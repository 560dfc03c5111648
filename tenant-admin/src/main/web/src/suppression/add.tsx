import { useQueryClient } from '@tanstack/react-query';
import { Button } from '../kit/basics';
import { TextField } from '../kit/fields';
import { Form, rules, useFields } from '../kit/form';
import kit from '../kit/kit.module.css';
import { Dialog } from '../kit/layers';
import { Rest } from '../kit/problems';
import { addSuppression } from './queries';

/** Adds an address to the list. */
export default function AddSuppression({ onClose }: { onClose: () => void }) {
  const client = useQueryClient();
  const fields = useFields({ email: '' }, { email: rules.email }, async ({ email }) => {
    await addSuppression(client, email.trim());
    onClose();
  });
  return (
    <Dialog title="Add an address" onClose={onClose}>
      <Form fields={fields} label="Add an address">
        <TextField label="Address" type="email" help="No mail of this account is sent to it, from any domain." autoComplete="off" data-autofocus {...fields.form.getInputProps('email')} />
        <Rest of={fields.rest} />
        <div className={kit.dialogActs}><Button onClick={onClose}>Cancel</Button><Button type="submit" kind="main" busy={fields.busy}>Add it</Button></div>
      </Form>
    </Dialog>
  );
}
