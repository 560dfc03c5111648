/** Dialogs that change sending addresses and pools. */
import { useQueryClient } from '@tanstack/react-query';
import type { PoolChoiceKind, SendingAddressState, WhenPoolEmpty } from '../gen/graphql';
import { SelectField, TextArea } from '../kit/fields';
import { rules, useFields } from '../kit/form';
import kit from '../kit/kit.module.css';
import { Confirm } from '../kit/layers';
import { FormDialog, NameField } from './form-dialog';
import { linesOfMembers, membersOf } from './pool-members';
import {
  choosePool,
  removePool,
  removeSource,
  savePool,
  saveSource,
  startSourceWarmup,
  stopSourceWarmup,
  type PoolRow,
  type SourceRow,
} from './queries';

const orNull = (value: string) => (value.trim() === '' ? null : value.trim());

/** Changes a sending address, or adds one if there is none. */
export function EditSource({ source, onClose }: { source: SourceRow | null; onClose: () => void }) {
  const client = useQueryClient();
  const fields = useFields(
    {
      name: source?.name ?? '',
      v4: source?.v4 ?? '',
      v6: source?.v6 ?? '',
      publicV4: source?.publicV4 ?? '',
      publicV6: source?.publicV6 ?? '',
      helo: source?.helo ?? '',
      state: (source?.state ?? 'ACTIVE') as string,
    },
    { name: rules.required('a name'), helo: rules.required('a domain name') },
    async (values) => {
      await saveSource(client, {
        name: values.name.trim(),
        v4: orNull(values.v4),
        v6: orNull(values.v6),
        publicV4: orNull(values.publicV4),
        publicV6: orNull(values.publicV6),
        helo: values.helo.trim(),
        state: values.state as SendingAddressState,
      });
      onClose();
    },
  );
  return (
    <FormDialog
      title={source ? `Address ${source.name}` : 'Add an address'}
      label="Address"
      text="Each worker must have the address on a network interface. Workers follow a change within five seconds; mail in progress ends."
      fields={fields}
      verb="Save"
      onClose={onClose}
    >
      {source ? null : <NameField label="Name" data-autofocus {...fields.form.getInputProps('name')} />}
      <NameField label="IPv4" {...fields.form.getInputProps('v4')} />
      <NameField
        label="IPv6"
        help="Without one, its mail never uses IPv6."
        {...fields.form.getInputProps('v6')}
      />
      <NameField
        label="Name in EHLO"
        help="Leads to the address, and is its reverse DNS."
        {...fields.form.getInputProps('helo')}
      />
      <NameField
        label="Public IPv4"
        help="Behind NAT: what receivers see."
        {...fields.form.getInputProps('publicV4')}
      />
      <NameField label="Public IPv6" {...fields.form.getInputProps('publicV6')} />
      <SelectField label="Use" {...fields.form.getInputProps('state')}>
        <option value="ACTIVE">sends</option>
        <option value="DRAINING">sends retries only</option>
        <option value="PAUSED">paused</option>
      </SelectField>
    </FormDialog>
  );
}

/** Changes a pool, or adds one if there is none. */
export function EditPool({
  pool,
  pools,
  onClose,
}: {
  pool: PoolRow | null;
  pools: readonly PoolRow[];
  onClose: () => void;
}) {
  const client = useQueryClient();
  const fields = useFields(
    {
      name: pool?.name ?? '',
      members: linesOfMembers(pool?.members ?? []),
      whenEmpty: (pool?.whenEmpty ?? 'WAIT') as string,
      fallbackPool: pool?.fallbackPool ?? '',
    },
    {
      name: rules.required('a name'),
      members: (value) => {
        const members = membersOf(value);
        return typeof members === 'string' ? members : null;
      },
    },
    async (values) => {
      const members = membersOf(values.members);
      await savePool(client, {
        name: values.name.trim(),
        whenEmpty: values.whenEmpty as WhenPoolEmpty,
        fallbackPool: values.whenEmpty === 'FALLBACK' ? orNull(values.fallbackPool) : null,
        members: typeof members === 'string' ? [] : [...members],
      });
      onClose();
    },
  );
  return (
    <FormDialog
      title={pool ? `Pool ${pool.name}` : 'Add a pool'}
      label="Pool"
      fields={fields}
      verb="Save"
      onClose={onClose}
    >
      {pool ? null : <NameField label="Name" data-autofocus {...fields.form.getInputProps('name')} />}
      <TextArea
        label="Addresses"
        rows={4}
        spellCheck={false}
        className={kit.mono}
        help="One a line: its name, then its weight from 1 to 100 if it is not 1."
        {...fields.form.getInputProps('members')}
      />
      <SelectField
        label="Without a usable address"
        help="If none of them sends, or no worker has one."
        {...fields.form.getInputProps('whenEmpty')}
      >
        <option value="WAIT">mail waits</option>
        <option value="FALLBACK">mail uses another pool</option>
        <option value="ANY">mail leaves from any address</option>
      </SelectField>
      {fields.form.getValues().whenEmpty === 'FALLBACK' ? (
        <SelectField label="Other pool" {...fields.form.getInputProps('fallbackPool')}>
          <option value="">choose one</option>
          {pools
            .filter(({ name }) => name !== pool?.name)
            .map(({ name }) => (
              <option key={name} value={name}>
                {name}
              </option>
            ))}
        </SelectField>
      ) : null}
    </FormDialog>
  );
}

/** Chooses the pool of mail. */
export function ChoosePool({ pools, onClose }: { pools: readonly PoolRow[]; onClose: () => void }) {
  const client = useQueryClient();
  const fields = useFields(
    { kind: 'PLATFORM', key: '', stream: '', pool: pools[0]?.name ?? '' },
    {},
    async ({ kind, key, stream, pool }) => {
      await choosePool(client, {
        kind: kind as PoolChoiceKind,
        key: kind === 'PLATFORM' ? null : key.trim(),
        stream: stream === '' ? null : (stream as 'TRANSACTIONAL' | 'CAMPAIGN'),
        pool: pool === '' ? null : pool,
      });
      onClose();
    },
  );
  return (
    <FormDialog
      title="Choose a pool"
      label="Choice"
      text="For mail that is sent directly. The choice for a domain precedes that for its account, its plan and all other mail."
      fields={fields}
      verb="Choose"
      onClose={onClose}
    >
      <SelectField label="Mail of" {...fields.form.getInputProps('kind')}>
        <option value="PLATFORM">all other accounts</option>
        <option value="PLAN">a plan</option>
        <option value="ACCOUNT">an account</option>
        <option value="DOMAIN">a domain</option>
      </SelectField>
      {fields.form.getValues().kind === 'PLATFORM' ? null : (
        <NameField
          label={fields.form.getValues().kind === 'PLAN' ? 'Name of the plan' : 'Id'}
          {...fields.form.getInputProps('key')}
        />
      )}
      <SelectField label="Stream" {...fields.form.getInputProps('stream')}>
        <option value="">both</option>
        <option value="TRANSACTIONAL">transactional</option>
        <option value="CAMPAIGN">campaign</option>
      </SelectField>
      <SelectField label="Pool" {...fields.form.getInputProps('pool')}>
        {pools.map(({ name }) => (
          <option key={name} value={name}>
            {name}
          </option>
        ))}
        <option value="">none</option>
      </SelectField>
    </FormDialog>
  );
}

/** Removes a sending address. */
export function RemoveSource({ source, onClose }: { source: SourceRow; onClose: () => void }) {
  const client = useQueryClient();
  return (
    <Confirm
      title={`Remove ${source.name}?`}
      verb="Remove"
      keep="Keep it"
      onClose={onClose}
      act={() => removeSource(client, source.name)}
    >
      <p>It is also removed from its pools. Mail in progress ends; no mail is lost.</p>
    </Confirm>
  );
}

/** Starts or stops the warm-up of a sending address. */
export function WarmUp({ source, onClose }: { source: SourceRow; onClose: () => void }) {
  const client = useQueryClient();
  return source.warmup ? (
    <Confirm
      title={`Stop the warm-up of ${source.name}?`}
      verb="Stop"
      keep="Continue"
      onClose={onClose}
      act={() => stopSourceWarmup(client, source.name)}
    >
      <p>It then sends all mail of its weight, without a limit.</p>
    </Confirm>
  ) : (
    <Confirm
      title={`Warm up ${source.name}?`}
      verb="Start"
      keep="Cancel"
      mild
      onClose={onClose}
      act={() => startSourceWarmup(client, source.name)}
    >
      <p>
        On the first day it sends 50 mails to each of Gmail, Microsoft, Yahoo and Apple, and 200 to all
        others; on each further day with mail more. Mail beyond uses the other addresses of its pools. Without
        one, campaigns wait for the next day, and transactional mail is sent.
      </p>
    </Confirm>
  );
}

/** Removes a pool. */
export function RemovePool({ pool, onClose }: { pool: PoolRow; onClose: () => void }) {
  const client = useQueryClient();
  return (
    <Confirm
      title={`Remove ${pool.name}?`}
      verb="Remove"
      keep="Keep it"
      onClose={onClose}
      act={() => removePool(client, pool.name)}
    >
      <p>Its addresses stay. A pool that is chosen for mail cannot be removed.</p>
    </Confirm>
  );
}
