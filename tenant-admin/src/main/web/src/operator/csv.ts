/** The audit log as a file for spreadsheets. */
import { csv } from '../kit/csv';
import { actName, actor } from './acts';
import type { AuditRow } from './queries';

export function auditCsv(rows: readonly AuditRow[]): string {
  return csv(
    ['When (UTC)', 'Who', 'Kind', 'Act', 'Whom', 'Target', 'Reason', 'Values', 'Id'],
    rows.map((row) => [
      row.createdAt,
      actor(row),
      row.actorKind.toLowerCase().replace('_', ' '),
      actName(row.act),
      row.accountEmail ?? row.accountId,
      row.target,
      row.reason,
      JSON.stringify(row.details ?? {}),
      row.id,
    ]),
  );
}
