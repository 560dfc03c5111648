/** Lists as files for spreadsheets (RFC 4180). */
import { Fault } from '../words/errors';

/** Begins of texts that a spreadsheet takes for a formula, as in the export of contacts (FormulaGuard). */
const FORMULA = /^[=+\-@\t\r\n\uff1d\uff0b\uff0d\uff20]/;

/** A cell. Texts that a spreadsheet would take for a formula begin with an apostrophe. */
export function cell(value: string | number | null): string {
  const text =
    typeof value === 'number' ? String(value) : FORMULA.test(value ?? '') ? `'${value}` : (value ?? '');
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** The text of a cell, without the apostrophe that an export puts before a formula. */
export function withoutGuard(text: string): string {
  return text.startsWith("'") && FORMULA.test(text.slice(1)) ? text.slice(1) : text;
}

/** The lines of a file, the first of which names the columns. */
export function csv(head: readonly string[], rows: readonly (readonly (string | number | null)[])[]): string {
  return [head, ...rows].map((row) => row.map(cell).join(',')).join('\r\n') + '\r\n';
}

/** Hands a file to the reader, whose name has the day. */
export function save(name: string, text: string): void {
  saveAs(`${name}-${new Date().toISOString().slice(0, 10)}.csv`, text, 'text/csv');
}

/** Hands a file with a name to the reader. */
export function saveAs(name: string, text: string, type: string): void {
  const url = URL.createObjectURL(new Blob([text], { type }));
  Object.assign(document.createElement('a'), { href: url, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}

interface ListPage<T> {
  readonly nodes: readonly T[];
  readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor: string | null };
}

/** Rows of consecutive pages, up to a limit.  */
export async function rowsOf<T>(
  page: (after: string | null) => Promise<ListPage<T>>,
  limit: number,
): Promise<readonly T[]> {
  const rows: T[] = [];
  let after: string | null = null;
  do {
    const at: string | null = after;
    const next: ListPage<T> = await patient(() => page(at));
    rows.push(...next.nodes);
    after = next.pageInfo.hasNextPage ? next.pageInfo.endCursor : null;
  } while (after !== null && rows.length < limit);
  return rows.slice(0, limit);
}

/** A request that is repeated when its time comes if the server limits it. */
export async function patient<T>(send: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await send();
    } catch (error) {
      if (!(error instanceof Fault) || error.kind !== 'rate_limit_exceeded') throw error;
      await new Promise((resolve) => setTimeout(resolve, Math.max(0.05, error.retryAfter ?? 1) * 1000));
    }
  }
}
