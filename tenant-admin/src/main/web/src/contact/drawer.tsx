import { useQuery, useQueryClient } from '@tanstack/react-query';
import { MailCheck, MailX, Plus, Send, Trash2 } from 'lucide-react';
import { lazy, Suspense, useEffect, useRef, useState, type ReactNode } from 'react';
import { Button, Facts, Id, Note, Status, Time } from '../kit/basics';
import { draftOf } from '../kit/drafts';
import { TextField } from '../kit/fields';
import { Form, useFields } from '../kit/form';
import kit from '../kit/kit.module.css';
import { Failed, Loading } from '../kit/page';
import { explained, Rest } from '../kit/problems';
import { useRights } from '../kit/rights';
import { DrawerFrame } from '../kit/split';
import { useUnsaved } from '../kit/unsaved';
import { subscriptionWord } from '../words/status';
import css from './contact.module.css';
import { History } from './history';
import { entriesOf, propertiesOf, type Entry } from './properties';
import { contactQuery, repeatConfirmation, updateContact, type ContactDetail } from './queries';

const DeleteContact = lazy(() => import('./dialogs').then((module) => ({ default: module.DeleteContact })));

/** A contact beside the list. */
export function ContactDrawer({
  book,
  id,
  onClose,
  previous,
  next,
}: {
  book: string;
  id: string;
  onClose: () => void;
  previous: (() => void) | undefined;
  next: (() => void) | undefined;
}) {
  const contact = useQuery(contactQuery(book, id));
  const data = contact.data;
  return (
    <DrawerFrame
      id={id}
      noun="contact"
      title={data?.email ?? 'Contact'}
      status={data ? <Status chip word={subscriptionWord(data)} /> : null}
      onClose={onClose}
      previous={previous}
      next={next}
    >
      {data ? (
        <Contact book={book} contact={data} onClose={onClose} />
      ) : contact.error ? (
        <Failed error={contact.error} retry={() => void contact.refetch()} />
      ) : (
        <Loading lines={6} />
      )}
    </DrawerFrame>
  );
}

function Contact({ book, contact, onClose }: { book: string; contact: ContactDetail; onClose: () => void }) {
  const [deleting, setDeleting] = useState(false);
  return (
    <div className={css.contact}>
      <Facts
        items={[
          ['Added', <Time key="added" at={contact.createdAt} />],
          ['Changed', <Time key="changed" at={contact.updatedAt} />],
          ...consentFacts(contact),
          ['Id', <Id key="id" id={contact.id} />],
        ]}
      />
      <Subscription book={book} contact={contact} onDelete={() => setDeleting(true)} />
      <Details book={book} contact={contact} />
      <History book={book} contact={contact} />
      <Suspense fallback={null}>
        {deleting ? (
          <DeleteContact
            book={book}
            contact={contact}
            onClose={() => setDeleting(false)}
            onDeleted={onClose}
          />
        ) : null}
      </Suspense>
    </div>
  );
}

const SOURCES = {
  API: 'the API',
  WEB: 'the web app',
  IMPORT: 'a CSV file',
  FORM: 'a page from an email',
} as const;

/** Source and confirmation of the consent. */
function consentFacts({ consent }: ContactDetail): [string, ReactNode][] {
  const facts: [string, ReactNode][] = [];
  const from = (address: string) =>
    address ? (
      <>
        {' '}
        from <code>{address}</code>
      </>
    ) : null;
  if (consent.at && consent.source)
    facts.push([
      consent.state === 'STATED' ? 'Consent stated' : 'Requested',
      <>
        through {SOURCES[consent.source]}, <Time at={consent.at} />
        {from(consent.address)}
      </>,
    ]);
  if (consent.confirmedAt)
    facts.push([
      'Confirmed',
      <>
        <Time at={consent.confirmedAt} />
        {from(consent.confirmedAddress)}
      </>,
    ]);
  return facts;
}

function Subscription({
  book,
  contact,
  onDelete,
}: {
  book: string;
  contact: ContactDetail;
  onDelete: () => void;
}) {
  const client = useQueryClient();
  const [rest, setRest] = useState<string[]>([]);
  const set = (subscribed: boolean) => {
    setRest([]);
    updateContact(client, { contactBookId: book, id: contact.id, subscribed }).catch((error: unknown) =>
      setRest(explained(error, []).rest),
    );
  };
  const [repeated, setRepeated] = useState(false);
  const repeat = () => {
    setRest([]);
    repeatConfirmation(book, contact.id).then(
      () => setRepeated(true),
      (error: unknown) => setRest(explained(error, []).rest),
    );
  };
  const pending = contact.consent.state === 'PENDING';
  return (
    <>
      {contact.subscribed ? null : (
        <Note tone="info">
          <strong>Campaigns are not sent to this address.</strong>{' '}
          {pending
            ? repeated
              ? 'Another email is sent now.'
              : 'The person has not confirmed yet.'
            : 'Subscribe it again only if the person asked for it.'}
        </Note>
      )}
      <Rest of={rest} />
      <div className={kit.acts}>
        {contact.subscribed ? (
          <Button small icon={MailX} needs="CONTACTS" onClick={() => set(false)}>
            Unsubscribe
          </Button>
        ) : pending ? (
          <Button small icon={Send} needs="CONTACTS" onClick={repeat}>
            Ask once more
          </Button>
        ) : (
          <Button small icon={MailCheck} needs="CONTACTS" onClick={() => set(true)}>
            Subscribe
          </Button>
        )}
        <Button small kind="bad" icon={Trash2} needs="CONTACTS" onClick={onDelete}>
          Delete
        </Button>
      </div>
    </>
  );
}

type Values = { firstName: string; lastName: string; properties: Entry[] };

/** Names and properties, which are saved together. */
function Details({ book, contact }: { book: string; contact: ContactDetail }) {
  const client = useQueryClient();
  const key = `contact ${contact.id}`;
  const stored: Values = {
    firstName: contact.firstName,
    lastName: contact.lastName,
    properties: entriesOf(contact.properties),
  };
  const base = fingerprint(stored);
  const [draft] = useState(() => draftOf<Values>(key, base));
  const fields = useFields<Values>(
    draft ?? stored,
    {
      properties: (entries) => wrong(entries),
    },
    async ({ firstName, lastName, properties }) => {
      const change = {
        firstName: firstName.trim(),
        lastName: lastName.trim(),
        properties: propertiesOf(properties),
      };
      await updateContact(client, { contactBookId: book, id: contact.id, ...change });
    },
  );
  const { form } = fields;
  const readOnly = !useRights().may('CONTACTS');
  const dirty = fingerprint(form.values) !== base;
  const shown = useRef(base);
  useEffect(() => {
    if (fingerprint(form.values) === base || fingerprint(form.values) === shown.current)
      form.setValues(stored);
    shown.current = base;
  }, [base]); // eslint-disable-line react-hooks/exhaustive-deps
  const guard = useUnsaved({
    key,
    dirty,
    values: form.values,
    base,
    leaves: (from, to) =>
      from.pathname !== to.pathname
      || (from.search as { open?: string }).open !== (to.search as { open?: string }).open,
  });
  const change = (properties: Entry[]) => form.setFieldValue('properties', properties);
  const edit = (index: number, part: Partial<Entry>) =>
    change(form.values.properties.map((entry, at) => (at === index ? { ...entry, ...part } : entry)));
  return (
    <Form fields={fields} label="Names and properties">
      {draft ? <Note tone="info">Your changes that were not saved are here again.</Note> : null}
      <div className={css.pair}>
        <TextField
          label="First name"
          readOnly={readOnly}
          autoComplete="off"
          maxLength={200}
          {...form.getInputProps('firstName')}
        />
        <TextField
          label="Last name"
          readOnly={readOnly}
          autoComplete="off"
          maxLength={200}
          {...form.getInputProps('lastName')}
        />
      </div>
      <fieldset className={css.properties}>
        <legend className={kit.label}>Properties</legend>
        <p className={kit.help}>A template uses a property by its name, as in {'{{city}}'}.</p>
        {form.values.properties.map((entry, index) => (
          <div key={index} className={css.property}>
            <input
              className={kit.input}
              aria-label={`Name of property ${index + 1}`}
              placeholder="Name"
              readOnly={readOnly}
              value={entry.name}
              onChange={(event) => edit(index, { name: event.target.value })}
            />
            <input
              className={kit.input}
              aria-label={entry.name ? `Value of ${entry.name}` : `Value of property ${index + 1}`}
              placeholder="Value"
              readOnly={readOnly}
              value={entry.text}
              onChange={(event) => edit(index, { text: event.target.value })}
            />
            <Button
              kind="bare"
              iconOnly
              icon={Trash2}
              needs="CONTACTS"
              aria-label={`Remove ${entry.name || `property ${index + 1}`}`}
              onClick={() => change(form.values.properties.filter((_, at) => at !== index))}
            />
          </div>
        ))}
        {form.errors.properties ? <p className={kit.wrong}>{form.errors.properties}</p> : null}
        <div>
          <Button
            small
            icon={Plus}
            needs="CONTACTS"
            onClick={() => change([...form.values.properties, { name: '', text: '', json: false }])}
          >
            Add a property
          </Button>
        </div>
      </fieldset>
      <Rest of={fields.rest} />
      {dirty ? (
        <div className={kit.acts}>
          <Button type="submit" kind="main" busy={fields.busy}>
            Save
          </Button>
          <Button kind="bare" onClick={() => form.setValues(stored)}>
            Undo the changes
          </Button>
        </div>
      ) : null}
      {guard.question}
    </Form>
  );
}

/** The form as it would be stored, with sorted properties, because the database sorts them too. */
function fingerprint({ firstName, lastName, properties }: Values): string {
  return JSON.stringify([
    firstName.trim(),
    lastName.trim(),
    Object.entries(propertiesOf(properties)).sort(([a], [b]) => (a < b ? -1 : 1)),
  ]);
}

function wrong(entries: readonly Entry[]): string | null {
  const names = entries.map((entry) => entry.name.trim());
  if (names.some((name, index) => name === '' && entries[index]!.text !== ''))
    return 'Give each property a name.';
  const twice = names.find((name, index) => name !== '' && names.indexOf(name) !== index);
  return twice ? `There are two properties named ${twice}.` : null;
}
