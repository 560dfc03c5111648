/** The requests of an import: the check of all contacts, then their saving. */
import type { QueryClient } from '@tanstack/react-query';
import { accepted, request } from '../app/graphql';
import { CheckContactsDocument, SaveContactsDocument } from '../gen/graphql';
import { Fault } from '../words/errors';
import { capital } from '../words/formats';
import { chunksOf, type Contacts, type Refused, type Row } from './csv';
import { changedContacts, limitQuery } from './queries';

export interface Check {
  readonly rows: readonly Row[];
  readonly added: number;
  readonly updated: number;
  readonly stayUnsubscribed: number;
  readonly refused: readonly Refused[];
  readonly repeated: number;
  /** Contacts that the plan allows no more; 0 if all fit. */
  readonly tooMany: number;
  readonly limit: number | null;
  readonly used: number;
}

/** Checks all contacts with the rules of the server; saves none. */
export async function check(
  client: QueryClient,
  book: string,
  contacts: Contacts,
  progress: (done: number) => void,
): Promise<Check> {
  const rows: Row[] = [];
  const refused = [...contacts.refused];
  const sums = { added: 0, updated: 0, stayUnsubscribed: 0 };
  let done = 0;
  for (const chunk of chunksOf(contacts.rows)) {
    const input = { contactBookId: book, contacts: chunk.map((row) => row.contact) };
    const checked = (await patient(() => request(CheckContactsDocument, { input }))).viewer!.checkContacts;
    const wrong = new Map(checked.refused.map((error) => [error.index, reason(error.field, error.message)]));
    chunk.forEach((row, index) => {
      const message = wrong.get(index);
      if (message === undefined) rows.push(row);
      else refused.push({ line: row.line, email: row.contact.email, message });
    });
    sums.added += checked.added;
    sums.updated += checked.updated;
    sums.stayUnsubscribed += checked.stayUnsubscribed;
    progress((done += chunk.length));
  }
  const { contacts: usage } = await client.fetchQuery({ ...limitQuery, staleTime: 0 });
  const tooMany = usage.remaining === null ? 0 : Math.max(0, sums.added - usage.remaining);
  return {
    rows,
    ...sums,
    refused: refused.sort((a, b) => a.line - b.line),
    repeated: contacts.repeated,
    tooMany,
    limit: usage.limit,
    used: usage.used,
  };
}

/** Reason for which a contact is refused, as a sentence. */
function reason(field: string, message: string): string {
  if (field === 'email') return message === 'is required' ? 'There is no address.' : 'Invalid email address.';
  const name = field.replace('_', ' ');
  return `${capital(name)} ${message}.`;
}

export interface Saved {
  readonly done: number;
  readonly added: number;
  readonly updated: number;
}

/** Saves the contacts from a position on. After an error the import can go on from where it is. */
export async function save(
  client: QueryClient,
  book: string,
  { rows, consentStated }: { rows: readonly Row[]; consentStated: boolean },
  from: Saved,
  progress: (saved: Saved) => void,
): Promise<Saved> {
  let saved = from;
  try {
    for (const chunk of chunksOf(rows.slice(from.done))) {
      const input = { contactBookId: book, contacts: chunk.map((row) => row.contact), consentStated };
      const result = await patient(async () =>
        accepted((await request(SaveContactsDocument, { input })).saveContacts),
      );
      saved = {
        done: saved.done + chunk.length,
        added: saved.added + result.added!,
        updated: saved.updated + result.updated!,
      };
      progress(saved);
    }
  } finally {
    await changedContacts(client);
  }
  return saved;
}

/** Attempts of one request. */
const MAX_ATTEMPTS = 5;
const WAIT_MS = 2000;

/** Repeats a request that the server limits or that gets no response. */
async function patient<T>(work: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work();
    } catch (error) {
      const passing =
        error instanceof Fault
        && (error.kind === 'unreachable' || error.status === 429 || error.status === 503);
      if (!passing || attempt === MAX_ATTEMPTS) throw error;
      const ms = error.retryAfter === null ? WAIT_MS : error.retryAfter * 1000;
      await new Promise((resolve) => setTimeout(resolve, ms));
    }
  }
}
