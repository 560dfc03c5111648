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

interface Props {
  readonly id: string;
  readonly name: string;
  readonly dirty: boolean;
  /** Saves the template; undefined if it cannot be saved. */
  readonly save: () => Promise<string | undefined>;
  readonly variables: Record<string, unknown>;
  readonly onClose: () => void;
}

/** Sends one mail made with the draft or the template, and the sample values. */
export default function SendTest(props: Props) {
  const account = useQuery(accountQuery);
  return (
    <Dialog title={`Send test email of ${props.name}`} onClose={props.onClose}>
      {account.data ? <SendForm {...props} address={account.data.account.email} /> : <Loading lines={3} />}
    </Dialog>
  );
}

function SendForm({ id, dirty, save, variables, onClose, address }: Props & { address: string }) {
  const client = useQueryClient();
  const [sent, setSent] = useState<{ id: string; to: string }>();
  const [unsaved, setUnsaved] = useState(false);
  const fields = useFields({ to: address }, { to: rules.email }, async ({ to }) => {
    setUnsaved(false);
    if (dirty && (await save()) === undefined) {
      setUnsaved(true);
      return;
    }
    setSent({ id: await sendTest(client, { id, to: [to.trim()], variables, draft: true }), to: to.trim() });
  });
  if (sent) {
    return (
      <>
        <Note tone="good">
          Test sent to <bdi>{sent.to}</bdi>.{' '}
          <Link to="/emails/$id" params={{ id: sent.id }} onClick={onClose}>
            See it
          </Link>
        </Note>
        <div className={kit.dialogActs}>
          <Button kind="main" onClick={onClose}>
            Close
          </Button>
        </div>
      </>
    );
  }
  return (
    <Form fields={fields} label="Send test email">
      <TextField
        label="To"
        type="email"
        help="From an address of one of your verified domains, with the sample values. It counts as one email."
        data-autofocus
        {...fields.form.getInputProps('to')}
      />
      {unsaved ? (
        <Note tone="bad" alert>
          The template could not be saved. Close this and read the message there.
        </Note>
      ) : null}
      <Rest of={fields.rest} />
      <div className={kit.dialogActs}>
        <Button onClick={onClose}>Cancel</Button>
        <Button type="submit" kind="main" busy={fields.busy}>
          {dirty ? 'Save and send' : 'Send it'}
        </Button>
      </div>
    </Form>
  );
}
