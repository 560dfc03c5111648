import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { KeyPermission } from '../gen/graphql';
import { Button } from '../kit/basics';
import { SelectField, TextField } from '../kit/fields';
import { Form, rules, useFields } from '../kit/form';
import kit from '../kit/kit.module.css';
import { Dialog, Secret } from '../kit/layers';
import { Failed, Loading } from '../kit/page';
import { isSending } from '../words/status';
import { Expires, expiry, some, Use } from './choices';
import { isOfDomains, Permissions } from './permissions';
import { Rest } from '../kit/problems';
import { createKey, keyDomainsQuery, updateKey, type ApiKeyRow } from './queries';

/** Creates a key and shows its secret once. */
export function CreateKey({ onClose }: { onClose: () => void }) {
  const domains = useQuery(keyDomainsQuery);
  const [secret, setSecret] = useState<{ name: string; text: string }>();
  if (secret) {
    return (
      <Secret title="Copy your API key now" text={secret.text} variable="MAILROOM_API_KEY" onStored={onClose}>
        <p>
          This is the only time that <strong>{secret.name}</strong> is shown. A lost key cannot be recovered:
          rotate it to get another.
        </p>
      </Secret>
    );
  }
  const sending = domains.data?.filter((domain) => isSending(domain.status));
  return (
    <Dialog title="Create key" onClose={onClose}>
      {domains.error && !domains.data ? (
        <Failed error={domains.error} retry={() => void domains.refetch()} />
      ) : !sending ? (
        <Loading lines={3} />
      ) : (
        <CreateForm domains={sending} onClose={onClose} onCreated={setSecret} />
      )}
    </Dialog>
  );
}

/** Value of the choice of the domain for a key of the whole account. */
const ACCOUNT = '';

function CreateForm({
  domains,
  onClose,
  onCreated,
}: {
  domains: readonly { id: string; name: string }[];
  onClose: () => void;
  onCreated: (secret: { name: string; text: string }) => void;
}) {
  const client = useQueryClient();
  const fields = useFields(
    {
      name: '',
      domainId: domains[0]?.id ?? ACCOUNT,
      permissions: ['EMAILS_SEND'] as KeyPermission[],
      days: domains.length > 0 ? '0' : '90',
    },
    { name: rules.required('a name'), permissions: some },
    async ({ name, domainId, permissions, days }) =>
      onCreated({
        name: name.trim(),
        text: await createKey(client, {
          name: name.trim(),
          permissions,
          expiresAt: expiry(Number(days)),
          ...(domainId === ACCOUNT ? { account: true } : { domainId }),
        }),
      }),
  );
  const { form } = fields;
  const ofAccount = form.values.domainId === ACCOUNT;
  const choose = (domainId: string) =>
    form.setValues({
      domainId,
      days: domainId === ACCOUNT ? '90' : '0',
      permissions: form.values.permissions.filter((each) => domainId === ACCOUNT || isOfDomains(each)),
    });
  return (
    <Form fields={fields} label="Create key">
      <TextField
        label="Name"
        placeholder="shop-production"
        help="Names the program that uses the key."
        autoComplete="off"
        maxLength={100}
        data-autofocus
        {...form.getInputProps('name')}
      />
      <SelectField
        label="Domain"
        help={
          ofAccount
            ? 'The key sends from each verified domain, and may manage the account.'
            : 'The key sends from this domain only.'
        }
        {...form.getInputProps('domainId')}
        onChange={(event) => choose(event.target.value)}
      >
        {domains.map((domain) => (
          <option key={domain.id} value={domain.id}>
            {domain.name}
          </option>
        ))}
        <option value={ACCOUNT}>Whole account</option>
      </SelectField>
      {ofAccount ? (
        <Use
          value={form.values.permissions}
          onChange={(permissions) => form.setFieldValue('permissions', permissions)}
        />
      ) : null}
      <Expires {...form.getInputProps('days')} />
      <Permissions
        ofAccount={ofAccount}
        value={form.values.permissions}
        onChange={(permissions) => form.setFieldValue('permissions', permissions)}
        error={form.errors.permissions}
      />
      <Rest of={fields.rest} />
      <div className={kit.dialogActs}>
        <Button onClick={onClose}>Cancel</Button>
        <Button type="submit" kind="main" busy={fields.busy}>
          Create key
        </Button>
      </div>
    </Form>
  );
}

/** Changes the name and the permissions of a key. */
export function EditKey({ row, onClose }: { row: ApiKeyRow; onClose: () => void }) {
  const client = useQueryClient();
  const fields = useFields(
    { name: row.name, permissions: [...row.permissions] },
    { name: rules.required('a name'), permissions: some },
    async (values) => {
      await updateKey(client, { id: row.id, name: values.name.trim(), permissions: values.permissions });
      onClose();
    },
  );
  const { form } = fields;
  return (
    <Dialog title={`Change ${row.name}`} onClose={onClose}>
      <Form fields={fields} label="Change key">
        <TextField
          label="Name"
          autoComplete="off"
          maxLength={100}
          data-autofocus
          {...form.getInputProps('name')}
        />
        <Permissions
          ofAccount={row.domainId === null}
          value={form.values.permissions}
          onChange={(permissions) => form.setFieldValue('permissions', permissions)}
          error={form.errors.permissions}
        />
        <Rest of={fields.rest} />
        <div className={kit.dialogActs}>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" kind="main" busy={fields.busy}>
            Save
          </Button>
        </div>
      </Form>
    </Dialog>
  );
}
