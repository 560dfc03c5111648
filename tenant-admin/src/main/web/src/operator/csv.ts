/** The audit log as a file for spreadsheets (RFC 4180). */
import { actName, actor } from './acts';
import type { AuditRow } from './queries';

/** A cell. Texts that a spreadsheet would take for a formula begin with an apostrophe. */
export function cell(value: string | null): string {
  const text = /^[=+\-@\t\r]/.test(value ?? '') ? `'${value}` : value ?? '';
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

export function csv(rows: readonly AuditRow[]): string {
  const lines = rows.map((row) => [
    row.createdAt, actor(row), row.actorKind.toLowerCase().replace('_', ' '), actName(row.act), row.accountEmail ?? row.accountId, row.target, row.reason, JSON.stringify(row.details ?? {}), row.id,
  ]);
  return [['When (UTC)', 'Who', 'Kind', 'Act', 'Whom', 'Target', 'Reason', 'Values', 'Id'], ...lines].map((line) => line.map(cell).join(',')).join('\r\n') + '\r\n';
}
