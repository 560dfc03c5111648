/** Dialogs of webhook endpoints. */
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Button, Note } from '../kit/basics';
import { TextField } from '../kit/fields';
import { Form, useFields } from '../kit/form';
import kit from '../kit/kit.module.css';
import { Dialog } from '../kit/layers';
import { Failed, Loading } from '../kit/page';
import { Rest } from '../kit/problems';
import { counted, zoneName } from '../words/formats';
import { fromInput, localInput } from '../words/inputs';
import { EventKinds } from './event-kinds';
import {
  createEndpoint,
  eventTypesQuery,
  recover,
  updateEndpoint,
  type Endpoint,
  type EventType,
} from './queries';

const url = (value: string) =>
  /^https?:\/\/\S+$/.test(value.trim())
    ? null
    : value.trim()
      ? 'Enter a URL that begins with https://.'
      : 'Enter a URL.';
const some = (events: readonly string[]) => (events.length > 0 ? null : 'Choose at least one.');

/** Kinds that a new endpoint subscribes to unless others are chosen. */
const USUAL = ['email.delivered', 'email.bounced', 'email.complained'];

export function AddEndpoint({
  onClose,
  onCreated,
}: {
  onClose: () => void;
  onCreated: (created: { id: string; secret: string }) => void;
}) {
  return (
    <WithTypes title="Add endpoint" onClose={onClose}>
      {(types) => <AddForm types={types} onClose={onClose} onCreated={onCreated} />}
    </WithTypes>
  );
}

function AddForm({
  types,
  onClose,
  onCreated,
}: {
  types: readonly EventType[];
  onClose: () => void;
  onCreated: (created: { id: string; secret: string }) => void;
}) {
  const client = useQueryClient();
  const fields = useFields(
    { url: '', description: '', events: USUAL, svixHeaders: false },
    { url, events: some },
    async (values) =>
      onCreated(
        await createEndpoint(client, {
          url: values.url.trim(),
          events: [...values.events],
          description: values.description.trim() || null,
          svixHeaders: values.svixHeaders,
        }),
      ),
  );
  const { form } = fields;
  return (
    <Form fields={fields} label="Add endpoint">
      <TextField
        label="URL"
        type="url"
        placeholder="https://shop.example/hooks"
        help="Events are posted to it as JSON, signed with a secret that you get next."
        autoComplete="off"
        spellCheck={false}
        data-autofocus
        {...form.getInputProps('url')}
      />
      <TextField
        label="Description"
        optional
        autoComplete="off"
        maxLength={500}
        {...form.getInputProps('description')}
      />
      <EventKinds
        types={types}
        value={form.values.events}
        error={form.errors.events}
        onChange={(events) => form.setFieldValue('events', events)}
      />
      <SvixHeaders
        value={form.values.svixHeaders}
        onChange={(svixHeaders) => form.setFieldValue('svixHeaders', svixHeaders)}
      />
      <Rest of={fields.rest} />
      <div className={kit.dialogActs}>
        <Button onClick={onClose}>Cancel</Button>
        <Button type="submit" kind="main" busy={fields.busy}>
          Add endpoint
        </Button>
      </div>
    </Form>
  );
}

export function EditEndpoint({ endpoint, onClose }: { endpoint: Endpoint; onClose: () => void }) {
  return (
    <WithTypes title="Change endpoint" onClose={onClose}>
      {(types) => <EditForm types={types} endpoint={endpoint} onClose={onClose} />}
    </WithTypes>
  );
}

function EditForm({
  types,
  endpoint,
  onClose,
}: {
  types: readonly EventType[];
  endpoint: Endpoint;
  onClose: () => void;
}) {
  const client = useQueryClient();
  const fields = useFields(
    { url: endpoint.url, events: endpoint.events, svixHeaders: endpoint.svixHeaders },
    { url, events: some },
    async (values) => {
      await updateEndpoint(client, {
        id: endpoint.id,
        url: values.url.trim(),
        events: [...values.events],
        svixHeaders: values.svixHeaders,
      });
      onClose();
    },
  );
  const { form } = fields;
  return (
    <Form fields={fields} label="Change endpoint">
      <TextField
        label="URL"
        type="url"
        autoComplete="off"
        spellCheck={false}
        data-autofocus
        {...form.getInputProps('url')}
      />
      <EventKinds
        types={types}
        value={form.values.events}
        error={form.errors.events}
        onChange={(events) => form.setFieldValue('events', events)}
      />
      <SvixHeaders
        value={form.values.svixHeaders}
        onChange={(svixHeaders) => form.setFieldValue('svixHeaders', svixHeaders)}
      />
      <Rest of={fields.rest} />
      <div className={kit.dialogActs}>
        <Button onClick={onClose}>Cancel</Button>
        <Button type="submit" kind="main" busy={fields.busy}>
          Save
        </Button>
      </div>
    </Form>
  );
}

function SvixHeaders({ value, onChange }: { value: boolean; onChange: (value: boolean) => void }) {
  return (
    <label className={kit.check}>
      <input type="checkbox" checked={value} onChange={(event) => onChange(event.target.checked)} />
      <div>
        Add the headers of Svix
        <span>For a program that was written for Resend or verifies with a library of Svix.</span>
      </div>
    </label>
  );
}

function WithTypes({
  title,
  onClose,
  children,
}: {
  title: string;
  onClose: () => void;
  children: (types: readonly EventType[]) => React.ReactNode;
}) {
  const types = useQuery(eventTypesQuery);
  return (
    <Dialog title={title} wide onClose={onClose}>
      {types.data ? (
        children(types.data)
      ) : types.error ? (
        <Failed error={types.error} retry={() => void types.refetch()} />
      ) : (
        <Loading lines={6} />
      )}
    </Dialog>
  );
}

const DAY_MS = 86_400_000;

/** Queues the failed and the missed calls since a time. */
export function Recover({ endpoint, onClose }: { endpoint: Endpoint; onClose: () => void }) {
  const client = useQueryClient();
  const [result, setResult] = useState<{ count: number; more: boolean }>();
  const fields = useFields(
    {
      since: localInput(
        endpoint.failingSince ? new Date(endpoint.failingSince) : new Date(Date.now() - DAY_MS),
      ),
    },
    { since: (value) => (fromInput(value) < new Date() ? null : 'Choose a time in the past.') },
    async ({ since }) => setResult(await recover(client, endpoint.id, fromInput(since).toISOString())),
  );
  return (
    <Dialog title="Recover calls" onClose={onClose}>
      <Form fields={fields} label="Recover calls">
        <p className={kit.dialogText}>
          Calls that failed are made again, and events that the endpoint missed while it was off are posted to
          it.
        </p>
        <TextField
          label="Since"
          type="datetime-local"
          help={`In the time zone of the account, ${zoneName()}. Events are kept for 30 days.`}
          data-autofocus
          {...fields.form.getInputProps('since')}
        />
        <Rest of={fields.rest} />
        {result ? (
          <Note tone="good">
            {result.count === 0
              ? 'No event was missed since then.'
              : `${counted(result.count, 'call')} queued.`}
            {result.more ? ' There are more: recover again.' : ''}
          </Note>
        ) : null}
        <div className={kit.dialogActs}>
          <Button onClick={onClose}>Close</Button>
          <Button type="submit" kind="main" busy={fields.busy}>
            Recover
          </Button>
        </div>
      </Form>
    </Dialog>
  );
}
