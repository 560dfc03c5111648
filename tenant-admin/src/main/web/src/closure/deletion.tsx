import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Button } from '../kit/basics';
import { PasswordField, TextField } from '../kit/fields';
import { Form, rules, useFields } from '../kit/form';
import kit from '../kit/kit.module.css';
import { Failed, Loading } from '../kit/page';
import { Rest } from '../kit/problems';
import { zoned } from '../words/formats';
import { Cancel } from './cancel';
import { deleteAccount, deletionQuery } from './queries';

/** The deletion of the account, for its owners. */
export default function Deletion({ name }: { name: string }) {
  const deletion = useQuery(deletionQuery);
  const [asking, setAsking] = useState(false);
  if (deletion.error) return <Failed error={deletion.error} retry={() => void deletion.refetch()} />;
  if (deletion.data === undefined) return <Loading lines={2} />;
  if (deletion.data)
    return (
      <>
        <p>The account will be deleted on {zoned(deletion.data)}.</p>
        <div className={kit.acts}>
          <Cancel />
        </div>
      </>
    );
  if (asking) return <Confirmation name={name} onDone={() => setAsking(false)} />;
  return (
    <div className={kit.acts}>
      <Button kind="bad" onClick={() => setAsking(true)}>
        Delete the account
      </Button>
    </div>
  );
}

function Confirmation({ name, onDone }: { name: string; onDone: () => void }) {
  const client = useQueryClient();
  const fields = useFields(
    { name: '', password: '' },
    { name: rules.required('the name'), password: rules.required('the password') },
    async (input) => {
      await deleteAccount(client, input);
      onDone();
    },
  );
  return (
    <Form fields={fields} label="Delete the account">
      <p>
        Sending stops at once. Some days later all emails, contacts, domains, keys and members are deleted,
        and nothing can be restored. The date is shown then, and until it you can cancel the deletion.
      </p>
      <TextField
        label="Name of the account"
        help={`Type ${name} to confirm.`}
        autoComplete="off"
        data-autofocus
        {...fields.form.getInputProps('name')}
      />
      <PasswordField
        label="Your password"
        autoComplete="current-password"
        {...fields.form.getInputProps('password')}
      />
      <Rest of={fields.rest} />
      <div className={kit.acts}>
        <Button type="submit" kind="badMain" busy={fields.busy}>
          Delete the account
        </Button>
        <Button onClick={onDone}>Keep it</Button>
      </div>
    </Form>
  );
}
