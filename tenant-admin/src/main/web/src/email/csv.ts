/** Mails as a file for spreadsheets. */
import { csv, rowsOf, save } from '../kit/csv';
import { emailWord } from '../words/status';
import { page, type EmailFilters, type EmailRow } from './queries';

export function emailsCsv(rows: readonly EmailRow[]): string {
  return csv(
    ['Accepted (UTC)', 'Status', 'From', 'To', 'Subject', 'Opens', 'Clicks', 'Scheduled (UTC)', 'Id'],
    rows.map((row) => [
      row.createdAt,
      emailWord(row.status, row.lastEvent).text,
      row.sender,
      row.toEmails.join(', '),
      row.subject,
      row.openCount,
      row.clickCount,
      row.scheduledAt,
      row.id,
    ]),
  );
}

/** Saves the emails of a view as a file, up to a limit. */
export async function exportEmails(filters: EmailFilters, limit: number): Promise<void> {
  save('emails', emailsCsv(await rowsOf((after) => page({ ...filters, after }, 100), limit)));
}
