import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Button, Note } from '../kit/basics';
import { SelectField, TextArea, TextField } from '../kit/fields';
import { Form, rules, useFields } from '../kit/form';
import kit from '../kit/kit.module.css';
import { Dialog } from '../kit/layers';
import { Failed, Loading } from '../kit/page';
import { isSending } from '../words/status';
import { Rest } from '../kit/problems';
import { sendEmail, sendersQuery } from './queries';

interface Props {
  readonly onClose: () => void;
  readonly onSent: (id: string) => void;
}

/** Sends one mail from a verified domain. */
export default function SendTest({ onClose, onSent }: Props) {
  const senders = useQuery(sendersQuery);
  const domains = senders.data?.domains.nodes.filter((domain) => isSending(domain.status));
  return (
    <Dialog title="Send test email" onClose={onClose}>
      {senders.error && !senders.data ? (
        <Failed error={senders.error} retry={() => void senders.refetch()} />
      ) : !domains ? (
        <Loading />
      ) : domains.length === 0 ? (
        <>
          <Note tone="warn">
            <strong>No domain is verified.</strong> Mail is sent from an address of a verified domain.
          </Note>
          <div className={kit.dialogActs}>
            <Button onClick={onClose}>Close</Button>
            <Link to="/domains" className={kit.button} onClick={onClose}>
              Go to Domains
            </Link>
          </div>
        </>
      ) : (
        <SendForm domains={domains} to={senders.data!.account.email} onClose={onClose} onSent={onSent} />
      )}
    </Dialog>
  );
}

function SendForm({
  domains,
  to,
  onClose,
  onSent,
}: Props & { domains: readonly { id: string; name: string }[]; to: string }) {
  const client = useQueryClient();
  const fields = useFields(
    { from: 'hello', domain: domains[0]!.name, to, subject: 'A test from Mailroom', text: 'It works.' },
    {
      from: (value) => (/^[^\s@]+$/.test(value) ? null : 'Enter the part before the @.'),
      to: rules.email,
      subject: rules.required('a subject'),
      text: rules.required('a text'),
    },
    async (values) =>
      onSent(
        await sendEmail(client, {
          from: `${values.from}@${values.domain}`,
          to: [values.to.trim()],
          subject: values.subject,
          text: values.text,
        }),
      ),
  );
  const { form } = fields;
  return (
    <Form fields={fields} label="Send test email">
      <div style={{ display: 'grid', gridTemplateColumns: 'minmax(0, 1fr) minmax(0, 1.4fr)', gap: 8 }}>
        <TextField label="From" autoComplete="off" {...form.getInputProps('from')} />
        <SelectField label="Domain" {...form.getInputProps('domain')}>
          {domains.map((domain) => (
            <option key={domain.id} value={domain.name}>
              @{domain.name}
            </option>
          ))}
        </SelectField>
      </div>
      <TextField label="To" type="email" data-autofocus {...form.getInputProps('to')} />
      <TextField label="Subject" {...form.getInputProps('subject')} />
      <TextArea label="Text" rows={4} {...form.getInputProps('text')} />
      <Rest of={fields.rest} />
      <div className={kit.dialogActs}>
        <Button onClick={onClose}>Cancel</Button>
        <Button type="submit" kind="main" busy={fields.busy}>
          Send it
        </Button>
      </div>
    </Form>
  );
}
