import { useQueryClient } from '@tanstack/react-query';
import { Button } from '../kit/basics';
import { TextArea } from '../kit/fields';
import { Form, useFields } from '../kit/form';
import kit from '../kit/kit.module.css';
import { Dialog } from '../kit/layers';
import { Rest } from '../kit/problems';
import { number } from '../words/formats';
import { addressesOf, problemOf } from './addresses';
import { addSuppressions } from './queries';

/** Adds addresses to the list. */
export default function AddSuppressions({ onClose }: { onClose: () => void }) {
  const client = useQueryClient();
  const fields = useFields({ addresses: '' }, { addresses: problemOf }, async ({ addresses }) => {
    await addSuppressions(client, addressesOf(addresses));
    onClose();
  });
  const count = addressesOf(fields.form.values.addresses).length;
  return (
    <Dialog title="Add addresses" onClose={onClose}>
      <Form fields={fields} label="Add addresses">
        <TextArea
          label="Addresses"
          rows={4}
          spellCheck={false}
          autoCapitalize="none"
          autoComplete="off"
          help="One in a line, or separated by commas. No mail of this account is sent to them, from any domain."
          data-autofocus
          {...fields.form.getInputProps('addresses')}
        />
        <Rest of={fields.rest} />
        <div className={kit.dialogActs}>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" kind="main" busy={fields.busy}>
            {count > 1 ? `Add ${number(count)}` : 'Add it'}
          </Button>
        </div>
      </Form>
    </Dialog>
  );
}
