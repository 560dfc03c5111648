/** Dialogs of books and contacts. */
import { useQueryClient } from '@tanstack/react-query';
import { Plus } from 'lucide-react';
import { useState, type ReactNode } from 'react';
import { apiUrl } from '../app/config';
import { Button, Code } from '../kit/basics';
import { TextField } from '../kit/fields';
import { Form, rules, useFields } from '../kit/form';
import kit from '../kit/kit.module.css';
import { Confirm, Dialog } from '../kit/layers';
import { Empty } from '../kit/page';
import { Rest } from '../kit/problems';
import { counted, number } from '../words/formats';
import {
  createBook,
  createContact,
  deleteBook,
  deleteContact,
  deleteContacts,
  deleteMatching,
  updateBook,
  type ContactFilter,
} from './queries';

interface Book {
  readonly id: string;
  readonly name: string;
  readonly contactCount: number;
}

/** Settings of a new book, or of one that exists. */
export function BookSettings({
  book,
  onClose,
  onCreated,
}: {
  book?: Book & { readonly publicName?: string | null; readonly doubleOptIn: boolean };
  onClose: () => void;
  onCreated?: (id: string) => void;
}) {
  const client = useQueryClient();
  const fields = useFields(
    {
      name: book?.name ?? '',
      publicName: book?.publicName ?? '',
      doubleOptIn: book?.doubleOptIn ?? false,
    },
    { name: rules.required('a name') },
    async ({ name, publicName, doubleOptIn }) => {
      const input = { name: name.trim(), publicName: publicName.trim(), doubleOptIn };
      if (book) await updateBook(client, book.id, input);
      else onCreated?.(await createBook(client, input));
      onClose();
    },
  );
  const title = book ? `Settings of ${book.name}` : 'New book';
  return (
    <Dialog title={title} onClose={onClose}>
      <Form fields={fields} label={title}>
        <TextField
          label="Name"
          placeholder="Readers"
          help={book ? undefined : 'Names the people, such as Readers or Customers.'}
          autoComplete="off"
          maxLength={200}
          data-autofocus
          {...fields.form.getInputProps('name')}
        />
        <TextField
          label="Public name"
          optional
          help="Recipients see it on the unsubscribe page, in place of the name."
          autoComplete="off"
          maxLength={200}
          {...fields.form.getInputProps('publicName')}
        />
        <label className={kit.check}>
          <input
            type="checkbox"
            checked={fields.form.values.doubleOptIn}
            onChange={(event) => fields.form.setFieldValue('doubleOptIn', event.target.checked)}
          />
          <div>
            Require double opt-in
            <span>
              An email with a link is sent to each, from your oldest verified domain. Campaigns reach a
              contact only after the person has confirmed (double opt-in).
            </span>
          </div>
        </label>
        <Rest of={fields.rest} />
        <div className={kit.dialogActs}>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" kind="main" busy={fields.busy}>
            {book ? 'Save' : 'Create book'}
          </Button>
        </div>
      </Form>
    </Dialog>
  );
}

export function DeleteBook({
  book,
  onClose,
  onDeleted,
}: {
  book: Book;
  onClose: () => void;
  onDeleted?: () => void;
}) {
  const client = useQueryClient();
  const act = async () => {
    await deleteBook(client, book.id);
    onDeleted?.();
  };
  return (
    <Confirm
      title={`Delete ${book.name}?`}
      verb="Delete the book"
      {...(book.contactCount > 0 ? { name: book.name } : {})}
      onClose={onClose}
      act={act}
    >
      <p>
        {book.contactCount > 0 ? (
          <>
            Its <strong>{counted(book.contactCount, 'contact')}</strong>{' '}
            {book.contactCount === 1 ? 'is' : 'are'} deleted with it, and so is the record of who has
            unsubscribed.
          </>
        ) : (
          'It is empty.'
        )}{' '}
        Campaigns that were sent to it keep their results. It cannot be taken back.
      </p>
    </Confirm>
  );
}

export function AddContact({
  book,
  onClose,
  onAdded,
}: {
  book: Book;
  onClose: () => void;
  onAdded: (id: string) => void;
}) {
  const client = useQueryClient();
  const fields = useFields(
    { email: '', firstName: '', lastName: '' },
    { email: rules.email },
    async (values) => {
      onAdded(
        await createContact(client, {
          contactBookId: book.id,
          email: values.email.trim(),
          firstName: values.firstName.trim() || null,
          lastName: values.lastName.trim() || null,
        }),
      );
      onClose();
    },
  );
  const { form } = fields;
  return (
    <Dialog title={`Add to ${book.name}`} onClose={onClose}>
      <Form fields={fields} label="Add a contact">
        <TextField
          label="Email address"
          type="email"
          autoComplete="off"
          data-autofocus
          {...form.getInputProps('email')}
        />
        <TextField
          label="First name"
          optional
          autoComplete="off"
          maxLength={200}
          {...form.getInputProps('firstName')}
        />
        <TextField
          label="Last name"
          optional
          autoComplete="off"
          maxLength={200}
          {...form.getInputProps('lastName')}
        />
        <Rest of={fields.rest} />
        <div className={kit.dialogActs}>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" kind="main" busy={fields.busy}>
            Add contact
          </Button>
        </div>
      </Form>
    </Dialog>
  );
}

export function DeleteContact({
  book,
  contact,
  onClose,
  onDeleted,
}: {
  book: string;
  contact: { id: string; email: string };
  onClose: () => void;
  onDeleted: () => void;
}) {
  const client = useQueryClient();
  const act = async () => {
    await deleteContact(client, book, contact.id);
    onDeleted();
  };
  return (
    <Confirm title={`Delete ${contact.email}?`} verb="Delete" onClose={onClose} act={act}>
      <p>
        <strong>{contact.email}</strong> leaves this book with all of its properties. If it is added again, it
        is subscribed again. To keep it from getting mail, unsubscribe it instead.
      </p>
    </Confirm>
  );
}

/** Deletes the selected contacts: those with these ids, or all that match the filter. */
export function DeleteSelected({
  book,
  ids,
  filter,
  total,
  onClose,
  onDeleted,
}: {
  book: Book;
  ids: readonly string[];
  filter: ContactFilter | undefined;
  total: number;
  onClose: () => void;
  onDeleted: () => void;
}) {
  const client = useQueryClient();
  const [deleted, setDeleted] = useState(0);
  const act = async () => {
    if (filter) await deleteMatching(client, book.id, filter, total, setDeleted);
    else await deleteContacts(client, book.id, ids);
    onDeleted();
  };
  const whole = filter && !filter.search && filter.subscribed == null;
  return (
    <Confirm
      title={`Delete ${counted(total, 'contact')}?`}
      verb={`Delete ${number(total)}`}
      {...(whole ? { name: book.name } : {})}
      onClose={onClose}
      act={act}
    >
      <p>
        {filter ? (
          <>
            <strong>All {number(total)} that match</strong> leave
          </>
        ) : (
          <>
            <strong>{counted(total, 'contact')}</strong> {total === 1 ? 'leaves' : 'leave'}
          </>
        )}{' '}
        {book.name}. An address that is added again is subscribed again, even if it had unsubscribed. It
        cannot be taken back.
      </p>
      {deleted > 0 ? (
        <p role="status">
          {number(deleted)} of {number(total)} deleted
        </p>
      ) : null}
    </Confirm>
  );
}

/** Stands in place of the contacts of an empty book. */
export function EmptyBook({
  book,
  importLink,
  onAdd,
}: {
  book: string;
  importLink: ReactNode;
  onAdd: () => void;
}) {
  return (
    <Empty title="No contacts yet">
      <p>Paste a CSV or import a file. A program adds contacts with this command.</p>
      <div className={kit.acts}>
        {importLink}
        <Button icon={Plus} needs="CONTACTS" onClick={onAdd}>
          Add contact
        </Button>
      </div>
      <Code
        label="the command"
        text={`curl ${apiUrl()}/api/contact-books/${book}/contacts -H "Authorization: Bearer $TOKEN" \\\n  -H 'Content-Type: application/json' -d '{"email": "ines@postbox.example", "first_name": "Ines"}'`}
      />
    </Empty>
  );
}
