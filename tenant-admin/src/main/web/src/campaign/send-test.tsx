import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { accountQuery } from '../app/queries';
import { Button, Note } from '../kit/basics';
import { TextField } from '../kit/fields';
import { Form, rules, useFields } from '../kit/form';
import kit from '../kit/kit.module.css';
import { Dialog } from '../kit/layers';
import { Loading } from '../kit/page';
import { Rest } from '../kit/problems';
import { sendTest } from './queries';

/** Sends a campaign to one address. */
export default function SendTest({ id, onClose }: { id: string; onClose: () => void }) {
  const account = useQuery(accountQuery);
  return (
    <Dialog title="Send test email" onClose={onClose}>
      {account.data ? <TestForm id={id} to={account.data.account.email} onClose={onClose} /> : <Loading />}
    </Dialog>
  );
}

function TestForm({ id, to, onClose }: { id: string; to: string; onClose: () => void }) {
  const client = useQueryClient();
  const [sent, setSent] = useState<{ id: string; to: string }>();
  const fields = useFields({ to }, { to: rules.email }, async (values) =>
    setSent({ id: await sendTest(client, id, [values.to.trim()]), to: values.to.trim() }),
  );
  return (
    <Form fields={fields} label="Send test email">
      <TextField
        label="To"
        type="email"
        help="A contact of the book gets its own link to unsubscribe. The test counts against the quota."
        data-autofocus
        {...fields.form.getInputProps('to')}
      />
      <Rest of={fields.rest} />
      {sent ? (
        <Note tone="good">
          Test sent to {sent.to}.{' '}
          <Link to="/emails/$id" params={{ id: sent.id }}>
            See it
          </Link>
        </Note>
      ) : null}
      <div className={kit.dialogActs}>
        <Button onClick={onClose}>Close</Button>
        <Button type="submit" kind="main" busy={fields.busy}>
          Send it
        </Button>
      </div>
    </Form>
  );
}
