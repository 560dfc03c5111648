/** Mails as a file for spreadsheets. */
import { csv } from '../kit/csv';
import { emailWord } from '../words/status';
import type { EmailRow } from './queries';

export function emailsCsv(rows: readonly EmailRow[]): string {
  return csv(
    ['Accepted (UTC)', 'Status', 'To', 'Subject', 'Opens', 'Clicks', 'Scheduled (UTC)', 'Id'],
    rows.map((row) => [
      row.createdAt,
      emailWord(row.status, row.lastEvent).text,
      row.toEmails.join(', '),
      row.subject,
      row.openCount,
      row.clickCount,
      row.scheduledAt,
      row.id,
    ]),
  );
}
