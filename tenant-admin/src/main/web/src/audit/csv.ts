/** The audit log as a file for spreadsheets; for operators it names the accounts. */
import { csv } from '../kit/csv';
import { actName, actorName, sentenceText } from './acts';
import type { Row } from './table';

export function auditCsv(rows: readonly Row[]): string {
  const whole = rows.some((row) => row.accountId !== undefined);
  return csv(
    [
      'When (UTC)',
      'Who',
      'Kind',
      'Act',
      'What',
      ...(whole ? ['Account'] : []),
      'Object',
      'Reason',
      'Values',
      'IP address',
      'Device',
      'Id',
    ],
    rows.map((row) => [
      row.createdAt,
      actorName(row),
      row.actorKind.toLowerCase().replace('_', ' '),
      actName(row.act),
      sentenceText(row),
      ...(whole ? [row.accountEmail ?? row.accountId ?? null] : []),
      row.target,
      row.reason,
      JSON.stringify(row.details ?? {}),
      row.ip,
      row.device,
      row.id,
    ]),
  );
}
