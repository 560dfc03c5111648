import { useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { Button, buttonClass, Note } from '../kit/basics';
import { TextField } from '../kit/fields';
import { Form, rules, useFields } from '../kit/form';
import kit from '../kit/kit.module.css';
import { addDomain, checkDomain, createKey, resendVerification } from './queries';
import { explained, Rest } from '../kit/problems';
import css from './start.module.css';

/** Runs an act of a button and keeps its errors. */
function useAct() {
  const [busy, setBusy] = useState(false);
  const [rest, setRest] = useState<string[]>([]);
  const run = async (work: () => Promise<unknown>) => {
    setBusy(true);
    setRest([]);
    try {
      await work();
    } catch (error) {
      setRest(explained(error, []).rest);
    } finally {
      setBusy(false);
    }
  };
  return { busy, rest, run };
}

export function AddressStep({ email }: { email: string }) {
  const { busy, rest, run } = useAct();
  const [sent, setSent] = useState(false);
  return (
    <>
      <p>
        We mailed a link to <strong>{email}</strong>. Open it to show that the address is yours; this step
        then folds.
      </p>
      <Rest of={rest} />
      {sent ? (
        <Note tone="good">Another email is on its way.</Note>
      ) : (
        <div>
          <Button
            busy={busy}
            onClick={() =>
              void run(async () => {
                await resendVerification(email);
                setSent(true);
              })
            }
          >
            Send the email again
          </Button>
        </div>
      )}
    </>
  );
}

export function DomainStep({ domain }: { domain: { id: string; name: string } | undefined }) {
  return domain ? <CheckDomain domain={domain} /> : <AddDomain />;
}

function AddDomain() {
  const client = useQueryClient();
  const fields = useFields(
    { name: '' },
    {
      name: (name) =>
        /^[^\s@/:]+\.[^\s@/:]+$/.test(name.trim())
          ? null
          : 'Enter a name with a dot, without https:// and @.',
    },
    ({ name }) => addDomain(client, name.trim()),
  );
  return (
    <>
      <p>Mail is sent from addresses of a domain that you own. Prove ownership with DNS records.</p>
      <Form fields={fields} label="Add a domain">
        <div className={css.inline}>
          <TextField
            label="Domain"
            placeholder="mail.your-company.example"
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
            {...fields.form.getInputProps('name')}
          />
          <Button type="submit" kind="main" busy={fields.busy}>
            Add domain
          </Button>
        </div>
        <Rest of={fields.rest} />
      </Form>
    </>
  );
}

function CheckDomain({ domain }: { domain: { id: string; name: string } }) {
  const client = useQueryClient();
  const { busy, rest, run } = useAct();
  const [missing, setMissing] = useState(false);
  return (
    <>
      <p>
        Publish the records of <strong>{domain.name}</strong> at your DNS host, then check them.
      </p>
      {missing ? (
        <Note tone="warn">
          <strong>Not all needed records are found.</strong> The page of the domain shows which. Changes in
          DNS can take minutes.
        </Note>
      ) : null}
      <Rest of={rest} />
      <div className={kit.acts}>
        <Button
          kind="main"
          busy={busy}
          onClick={() => void run(async () => setMissing(!(await checkDomain(client, domain.id))))}
        >
          Check now
        </Button>
        <Link to="/domains/$id" params={{ id: domain.id }} className={buttonClass({})}>
          Show the records
        </Link>
      </div>
    </>
  );
}

/** Creates a key. Its secret is shown by the page, which stays when this step folds. */
export function KeyStep({
  domain,
  onCreated,
}: {
  domain: { id: string; name: string };
  onCreated: (secret: string) => void;
}) {
  const fields = useFields({ name: 'first' }, { name: rules.required('a name') }, async ({ name }) =>
    onCreated(await createKey(domain.id, name.trim())),
  );
  return (
    <>
      <p>A program sends with a key. This one may send from {domain.name}.</p>
      <Form fields={fields} label="Create an API key">
        <div className={css.inline}>
          <TextField label="Name" autoComplete="off" maxLength={100} {...fields.form.getInputProps('name')} />
          <Button type="submit" kind="main" busy={fields.busy}>
            Create key
          </Button>
        </div>
        <Rest of={fields.rest} />
      </Form>
    </>
  );
}
