import { keepPreviousData, queryOptions, type QueryClient } from '@tanstack/react-query';
import { accepted, request } from '../app/graphql';
import {
  ChangeContactsDocument,
  ContactBookDocument,
  ContactBooksDocument,
  ContactCountDocument,
  ContactDocument,
  ContactHistoryDocument,
  ContactLimitDocument,
  ContactsDocument,
  CreateContactBookDocument,
  CreateContactDocument,
  DeleteContactBookDocument,
  DeleteContactDocument,
  DeleteContactsDocument,
  DeleteMatchingContactsDocument,
  RepeatContactConfirmationDocument,
  UpdateContactBookDocument,
  UpdateContactDocument,
  type ChangeContactsInput,
  type ContactBooksQuery,
  type ContactCountQueryVariables,
  type ContactHistoryQuery,
  type ContactQuery,
  type ContactsQuery,
  type ContactsQueryVariables,
  type CreateContactBookInput,
  type CreateContactInput,
  type UpdateContactInput,
} from '../gen/graphql';
import { placed } from '../words/errors';

export type BookRow = NonNullable<ContactBooksQuery['viewer']>['contactBooks']['nodes'][number];
export type ContactPage = NonNullable<ContactsQuery['viewer']>['contacts'];
export type ContactRow = ContactPage['nodes'][number];
export type ContactDetail = NonNullable<ContactQuery['viewer']>['contact'];
export type ContactFilter = Pick<ContactsQueryVariables, 'search' | 'subscribed'>;

export type History = NonNullable<ContactHistoryQuery['viewer']>['contactHistory'];
export type Change = Pick<ChangeContactsInput, 'action' | 'property' | 'value' | 'targetBookId'>;

/** Contacts of a book: those with these ids, or all that match. */
export interface Selected {
  readonly book: string;
  readonly ids: readonly string[];
  readonly filter: ContactFilter | undefined;
}

/** Contacts deleted by one request. */
const DELETE_CHUNK = 1000;

export const booksQuery = (after: string | undefined) =>
  queryOptions({
    queryKey: ['contact', 'list', 'books', { after }],
    queryFn: async () => (await request(ContactBooksDocument, { after })).viewer!.contactBooks,
    placeholderData: keepPreviousData,
  });

export const bookQuery = (id: string) =>
  queryOptions({
    queryKey: ['contact', 'one', 'book', id],
    queryFn: async () => (await request(ContactBookDocument, { id })).viewer!.contactBook,
  });

export const contactsQuery = (filters: ContactsQueryVariables) =>
  queryOptions({
    queryKey: ['contact', 'list', filters.book, filters],
    queryFn: async () => (await request(ContactsDocument, filters)).viewer!.contacts,
    placeholderData: keepPreviousData,
  });

/** Counts the contacts that match, which reads all of them. */
export async function countContacts(filter: ContactCountQueryVariables): Promise<number> {
  return (await request(ContactCountDocument, filter)).viewer!.contactCount;
}

export const contactQuery = (book: string, id: string) =>
  queryOptions({
    queryKey: ['contact', 'one', 'contact', book, id],
    queryFn: async () => (await request(ContactDocument, { book, id })).viewer!.contact,
  });

export const historyQuery = (book: string, id: string) =>
  queryOptions({
    queryKey: ['contact', 'one', 'history', book, id],
    queryFn: async () => (await request(ContactHistoryDocument, { book, id })).viewer!.contactHistory,
    staleTime: 15_000,
  });

/** Number of contacts that the plan allows. */
export const limitQuery = queryOptions({
  queryKey: ['contact', 'one', 'limit'],
  queryFn: async () => (await request(ContactLimitDocument)).viewer!.usage,
});

/** Reads again what depends on the number of contacts. */
export async function changedContacts(client: QueryClient): Promise<void> {
  await Promise.all([
    client.invalidateQueries({ queryKey: ['contact'] }),
    client.invalidateQueries({ queryKey: ['account', 'one', 'session'] }),
  ]);
}

export async function createBook(client: QueryClient, input: CreateContactBookInput): Promise<string> {
  const { contactBook } = accepted((await request(CreateContactBookDocument, { input })).createContactBook);
  await changedContacts(client);
  return contactBook!.id;
}

/** Changes a book: the cache has the change at once, and the old state again after an error. */
export async function updateBook(
  client: QueryClient,
  id: string,
  change: { name: string; publicName: string; doubleOptIn: boolean },
): Promise<void> {
  const key = bookQuery(id).queryKey;
  const before = client.getQueryData(key);
  client.setQueryData(key, (old) => (old ? { ...old, ...change } : old));
  try {
    accepted((await request(UpdateContactBookDocument, { input: { id, ...change } })).updateContactBook);
  } catch (error) {
    client.setQueryData(key, before);
    throw error;
  }
  await client.invalidateQueries({ queryKey: ['contact', 'list', 'books'] });
}

export async function deleteBook(client: QueryClient, id: string): Promise<void> {
  accepted((await request(DeleteContactBookDocument, { id })).deleteContactBook);
  client.removeQueries({ queryKey: bookQuery(id).queryKey });
  client.removeQueries({ queryKey: ['contact', 'list', id] });
  void client.invalidateQueries({ queryKey: ['contact', 'list', 'books'] });
  void client.invalidateQueries({ queryKey: ['account', 'one', 'session'] });
}

export async function createContact(client: QueryClient, input: CreateContactInput): Promise<string> {
  try {
    const { contact } = accepted((await request(CreateContactDocument, { input })).createContact);
    await changedContacts(client);
    return contact!.id;
  } catch (error) {
    throw placed(error, 'duplicate_contact', 'email');
  }
}

/** Changes a contact in the cache at once, and takes the change back after an error. */
export async function updateContact(
  client: QueryClient,
  input: UpdateContactInput & { id: string; contactBookId: string },
): Promise<void> {
  const one = contactQuery(input.contactBookId, input.id).queryKey;
  const before = client.getQueryData(one);
  const patch = (change: Partial<ContactDetail>) => {
    client.setQueryData(one, (old) => (old ? { ...old, ...change } : old));
    client.setQueriesData<ContactPage>(
      { queryKey: ['contact', 'list', input.contactBookId] },
      (page) =>
        page && {
          ...page,
          nodes: page.nodes.map((row) => (row.id === input.id ? { ...row, ...change } : row)),
        },
    );
  };
  if (input.subscribed != null) patch({ subscribed: input.subscribed });
  try {
    patch(accepted((await request(UpdateContactDocument, { input })).updateContact).contact!);
  } catch (error) {
    if (before) patch(before);
    throw error;
  }
  void client.invalidateQueries({ queryKey: ['contact', 'one', 'book', input.contactBookId] });
  void client.invalidateQueries({ queryKey: ['contact', 'list', 'books'] });
}

/** Sends the mail that asks a contact to confirm once more. */
export async function repeatConfirmation(book: string, id: string): Promise<void> {
  accepted((await request(RepeatContactConfirmationDocument, { book, id })).repeatContactConfirmation);
}

export async function deleteContact(client: QueryClient, book: string, id: string): Promise<void> {
  accepted((await request(DeleteContactDocument, { book, id })).deleteContact);
  client.removeQueries({ queryKey: contactQuery(book, id).queryKey });
  await changedContacts(client);
}

export async function deleteContacts(
  client: QueryClient,
  contactBookId: string,
  ids: readonly string[],
): Promise<void> {
  accepted(
    (await request(DeleteContactsDocument, { input: { contactBookId, ids: [...ids] } })).deleteContacts,
  );
  await changedContacts(client);
}

/** Deletes that many contacts that match, the oldest first. Those added meanwhile remain. */
export async function deleteMatching(
  client: QueryClient,
  contactBookId: string,
  filter: ContactFilter,
  total: number,
  progress: (deleted: number) => void,
): Promise<void> {
  let deleted = 0;
  try {
    while (deleted < total) {
      const input = { contactBookId, ...filter, count: Math.min(DELETE_CHUNK, total - deleted) };
      const { deletedCount } = accepted(
        (await request(DeleteMatchingContactsDocument, { input })).deleteMatchingContacts,
      );
      if (!deletedCount) break;
      deleted += deletedCount;
      progress(deleted);
    }
  } finally {
    await changedContacts(client);
  }
}

/** Changes the selected contacts, those of a filter step by step. The result is the number of those that were skipped. */
export async function changeSelected(
  client: QueryClient,
  { book, ids, filter }: Selected,
  change: Change,
  progress: (changed: number) => void,
): Promise<number> {
  let changed = 0;
  let skipped = 0;
  let after: string | null = null;
  try {
    do {
      const input: ChangeContactsInput = {
        contactBookId: book,
        ...change,
        ...(filter ? { ...filter, after } : { ids: [...ids] }),
      };
      const step: {
        changedCount?: number | null;
        skippedCount?: number | null;
        endCursor?: string | null;
      } = accepted((await request(ChangeContactsDocument, { input })).changeContacts);
      changed += step.changedCount ?? 0;
      skipped += step.skippedCount ?? 0;
      progress(changed);
      after = step.endCursor ?? null;
    } while (after !== null);
    return skipped;
  } finally {
    await changedContacts(client);
  }
}
