import { useQueryClient } from '@tanstack/react-query';
import { Button } from '../kit/basics';
import { TextField } from '../kit/fields';
import { Form, useFields } from '../kit/form';
import kit from '../kit/kit.module.css';
import { Dialog } from '../kit/layers';
import { Rest } from '../kit/problems';
import { createDomain } from './queries';

/** The dialog that adds a domain. */
export default function AddDomain({
  onClose,
  onAdded,
}: {
  onClose: () => void;
  onAdded: (id: string) => void;
}) {
  const client = useQueryClient();
  const fields = useFields({ name: '' }, { name: domainRule }, async ({ name }) =>
    onAdded(await createDomain(client, name.trim())),
  );
  return (
    <Dialog title="Add domain" onClose={onClose}>
      <Form fields={fields} label="Add domain">
        <TextField
          label="Name"
          placeholder="mail.your-company.example"
          help="A subdomain keeps the reputation of this mail apart from that of your other mail."
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          data-autofocus
          {...fields.form.getInputProps('name')}
        />
        <Rest of={fields.rest} />
        <div className={kit.dialogActs}>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" kind="main" busy={fields.busy}>
            Add domain
          </Button>
        </div>
      </Form>
    </Dialog>
  );
}

function domainRule(name: string): string | null {
  if (!name.trim()) return 'Enter a name.';
  return /^[^\s@/:]+\.[^\s@/:]+$/.test(name.trim())
    ? null
    : 'Enter a name with a dot, without https:// and @.';
}
