import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import type { KeyPermission } from '../gen/graphql';
import { Button, Note } from '../kit/basics';
import { SelectField, TextField } from '../kit/fields';
import { Form, rules, useFields } from '../kit/form';
import kit from '../kit/kit.module.css';
import { Dialog, Secret } from '../kit/layers';
import { Failed, Loading } from '../kit/page';
import { isSending } from '../words/status';
import { Permissions } from './permissions';
import { Rest } from '../kit/problems';
import { createKey, keyDomainsQuery, updateKey, type ApiKeyRow } from './queries';

/** Creates a key and shows its secret once. */
export function CreateKey({ onClose }: { onClose: () => void }) {
  const domains = useQuery(keyDomainsQuery);
  const [secret, setSecret] = useState<{ name: string; text: string }>();
  if (secret) {
    return (
      <Secret title="Store the key now" text={secret.text} variable="MAILROOM_API_KEY" onStored={onClose}>
        <p>
          This is the only time that <strong>{secret.name}</strong> is shown. A lost key cannot be recovered:
          create another and revoke this one.
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
      ) : sending.length === 0 ? (
        <>
          <Note tone="warn">
            <strong>No domain is verified.</strong> A key is for one verified domain.
          </Note>
          <div className={kit.dialogActs}>
            <Button onClick={onClose}>Close</Button>
            <Link to="/domains" className={kit.button} onClick={onClose}>
              Go to Domains
            </Link>
          </div>
        </>
      ) : (
        <CreateForm domains={sending} onClose={onClose} onCreated={setSecret} />
      )}
    </Dialog>
  );
}

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
    { name: '', domainId: domains[0]!.id, permissions: ['EMAILS_SEND'] as KeyPermission[] },
    { name: rules.required('a name'), permissions: some },
    async (values) =>
      onCreated({
        name: values.name.trim(),
        text: await createKey(client, { ...values, name: values.name.trim() }),
      }),
  );
  const { form } = fields;
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
        help="The key sends from this domain only."
        {...form.getInputProps('domainId')}
      >
        {domains.map((domain) => (
          <option key={domain.id} value={domain.id}>
            {domain.name}
          </option>
        ))}
      </SelectField>
      <Permissions
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

function some(permissions: readonly KeyPermission[]): string | null {
  return permissions.length > 0 ? null : 'Choose at least one.';
}
