/** The audit log as a file for spreadsheets. */
import { csv } from '../kit/csv';
import { actName, actorName, sentenceText } from '../audit/acts';
import type { AuditRow } from './queries';

export function auditCsv(rows: readonly AuditRow[]): string {
  return csv(
    ['When (UTC)', 'Who', 'Kind', 'Act', 'What', 'Whom', 'Target', 'Reason', 'Values', 'Id'],
    rows.map((row) => [
      row.createdAt,
      actorName({ ...row, actor: row.actorEmail }),
      row.actorKind.toLowerCase().replace('_', ' '),
      actName(row.act),
      sentenceText(row),
      row.accountEmail ?? row.accountId,
      row.target,
      row.reason,
      JSON.stringify(row.details ?? {}),
      row.id,
    ]),
  );
}
