/** Contacts of a CSV: its lines, the meaning of its columns, and the contacts that they give. */
import type { ContactInput } from '../gen/graphql';
import { withoutGuard } from '../kit/csv';

/** A line of the file. */
export interface Line {
  /** Number of its first line in the file, counted from 1. */
  readonly line: number;
  readonly cells: readonly string[];
}

/** Meaning of a column: a field, a property of that name, or nothing that is imported. */
export type Meaning =
  | { readonly kind: 'email' | 'firstName' | 'lastName' | 'subscribed' | 'properties' | 'none' }
  | { readonly kind: 'property'; readonly name: string };

export interface Row {
  readonly line: number;
  readonly contact: ContactInput;
}

export interface Refused {
  readonly line: number;
  readonly email: string;
  readonly message: string;
}

/** The contacts of a file, and the lines that cannot be one. */
export interface Contacts {
  readonly rows: readonly Row[];
  readonly refused: readonly Refused[];
  /** Number of lines whose address a later line repeats. */
  readonly repeated: number;
}

const names: Readonly<
  Record<'email' | 'firstName' | 'lastName' | 'subscribed' | 'properties', readonly string[]>
> = {
  email: ['email', 'emailaddress', 'mail', 'address'],
  firstName: ['firstname', 'givenname'],
  lastName: ['lastname', 'surname', 'familyname'],
  subscribed: ['subscribed'],
  properties: ['properties'],
};

/** Largest number of contacts, and of characters of their JSON, in one request. */
const CHUNK_SIZE = 1000;
const CHUNK_LENGTH = 1_000_000;

/** The lines of a text, without empty ones. The separator is found by itself. */
export async function linesOf(content: string): Promise<Line[]> {
  const { default: papa } = await import('papaparse');
  const text = content.replace(/^\uFEFF/, '');
  const lines: Line[] = [];
  let line = 1;
  let at = 0;
  papa.parse<string[]>(text, {
    step: ({ data, meta }) => {
      if (data.some((cell) => cell.trim() !== '')) lines.push({ line, cells: data });
      line += text.slice(at, meta.cursor).match(/\r\n|\n|\r/g)?.length ?? 0;
      at = meta.cursor;
    },
  });
  return lines;
}

/** Whether the first line names the columns: it has no address. */
export function hasHeader(lines: readonly Line[]): boolean {
  return lines.length > 0 && !lines[0]!.cells.some((cell) => cell.includes('@'));
}

/** The likely meaning of each column, by its name, or else by the values below. */
export function guessed(lines: readonly Line[], header: boolean): Meaning[] {
  const width = Math.max(0, ...lines.slice(0, 100).map((line) => line.cells.length));
  const taken = new Set<string>();
  const once = (meaning: Meaning): Meaning => {
    if (meaning.kind === 'property' || meaning.kind === 'none') return meaning;
    if (taken.has(meaning.kind)) return { kind: 'none' };
    taken.add(meaning.kind);
    return meaning;
  };
  const meanings = Array.from({ length: width }, (_, column) =>
    once(header ? named(lines[0]!.cells[column] ?? '') : { kind: 'none' }),
  );
  if (!taken.has('email')) {
    const rows = lines.slice(header ? 1 : 0, 50);
    const email = meanings.findIndex((_, column) => rows.some((row) => row.cells[column]?.includes('@')));
    if (email >= 0) meanings[email] = { kind: 'email' };
  }
  return meanings;
}

function named(name: string): Meaning {
  const plain = name.toLowerCase().replace(/[ _-]/g, '');
  const field = (Object.keys(names) as (keyof typeof names)[]).find((key) => names[key].includes(plain));
  if (field) return { kind: field };
  return name.trim() ? { kind: 'property', name: name.trim() } : { kind: 'none' };
}

/** The contacts of the lines. Of several lines with one address the last one counts. */
export function contactsOf(
  lines: readonly Line[],
  meanings: readonly Meaning[],
  resubscribe: boolean,
): Contacts {
  const byAddress = new Map<string, Row>();
  const refused: Refused[] = [];
  let repeated = 0;
  for (const { line, cells } of lines) {
    const email = cell(
      cells,
      meanings.findIndex((meaning) => meaning.kind === 'email'),
    ).trim();
    try {
      const key = email.toLowerCase();
      if (byAddress.delete(key)) repeated++;
      byAddress.set(key || `line ${line}`, { line, contact: contactOf(email, cells, meanings, resubscribe) });
    } catch (error) {
      refused.push({ line, email, message: (error as Error).message });
    }
  }
  return { rows: [...byAddress.values()], refused, repeated };
}

function contactOf(
  email: string,
  cells: readonly string[],
  meanings: readonly Meaning[],
  resubscribe: boolean,
): ContactInput {
  const contact: ContactInput = { email, ...(resubscribe ? { resubscribe } : {}) };
  const properties: Record<string, unknown> = {};
  if (cells.slice(meanings.length).some((value) => value.trim() !== ''))
    throw new Error('The line has more fields than the file has columns.');
  meanings.forEach((meaning, column) => {
    const value = cell(cells, column);
    if (value.trim() === '') return;
    if (meaning.kind === 'firstName' || meaning.kind === 'lastName') contact[meaning.kind] = value.trim();
    if (meaning.kind === 'subscribed') contact.subscribed = truth(value);
    if (meaning.kind === 'properties') Object.assign(properties, object(value));
    if (meaning.kind === 'property') properties[meaning.name] = value;
  });
  if (Object.keys(properties).length > 0) contact.properties = properties;
  return contact;
}

/** A cell, without the apostrophe that the export puts before what a spreadsheet would take for a formula. */
function cell(cells: readonly string[], column: number): string {
  return withoutGuard(cells[column] ?? '');
}

function truth(value: string): boolean {
  const text = value.trim().toLowerCase();
  if (['true', 'yes', '1'].includes(text)) return true;
  if (['false', 'no', '0'].includes(text)) return false;
  throw new Error(`Subscribed must be true or false, not ${value.trim()}.`);
}

function object(value: string): object {
  try {
    const parsed: unknown = JSON.parse(value);
    if (typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed)) return parsed;
  } catch {
    // Refused below.
  }
  throw new Error('The properties must be a JSON object.');
}

/** The rows in parts of the size that one request may have. */
export function chunksOf(rows: readonly Row[]): Row[][] {
  const chunks: Row[][] = [];
  let length = 0;
  for (const row of rows) {
    const size = JSON.stringify(row.contact).length;
    const last = chunks.at(-1);
    if (!last || last.length >= CHUNK_SIZE || length + size > CHUNK_LENGTH) {
      chunks.push([row]);
      length = size;
    } else {
      last.push(row);
      length += size;
    }
  }
  return chunks;
}

/** Refused lines as a CSV file. */
export function csvOf(refused: readonly Refused[]): string {
  const quote = (text: string) => `"${text.replaceAll('"', '""')}"`;
  return [
    'line,email,reason',
    ...refused.map(
      ({ line, email, message }) =>
        `${line},${quote(/^[=+\-@\t\r]/.test(email) ? `'${email}` : email)},${quote(message)}`,
    ),
  ].join('\r\n');
}
