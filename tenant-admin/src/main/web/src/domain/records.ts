/** Values that the page of a domain derives from its records. */
import { foundValue, isNeeded } from '../words/status';
import type { DnsRecord } from './queries';

const purposes: Record<DnsRecord['purpose'], readonly [string, string]> = {
  OWNERSHIP: ['Ownership', 'Shows that the domain is yours. Required.'],
  DKIM: ['DKIM', 'Signs each email. Required.'],
  RETURN_PATH: ['Return path', 'Brings bounces back to us. Recommended.'],
  SPF: ['SPF of the return path', 'Lets us send for it. Recommended.'],
  DMARC: ['DMARC', 'Your policy for mail that fails. Recommended.'],
};

/** Name and use of a record. */
export function described(record: DnsRecord): readonly [string, string] {
  const [name, use] = purposes[record.purpose];
  if (record.purpose !== 'DKIM') return [name, use];
  return /k=ed25519/.test(record.value)
    ? ['DKIM, Ed25519', 'The shorter signature. Recommended.']
    : ['DKIM, RSA', use];
}

/** Advice on a record that differs. */
export function fix(record: DnsRecord): string {
  const found = foundValue(record.error);
  if (found === null) return record.error ?? '';
  if (record.purpose === 'SPF' && found)
    return 'Replace the value, or add our include to it. Keep one SPF record at this name.';
  if (record.purpose === 'DKIM' && isNeeded(record) && !found)
    return 'Some DNS hosts split long values into quoted parts of 255 characters. That is fine.';
  if (record.purpose === 'RETURN_PATH') return 'Without it bounces that arrive later do not reach us.';
  return found
    ? 'Replace the value at your DNS host.'
    : 'Publish the record at your DNS host. Changes can take minutes to show.';
}

/** The value of a record as DNS hosts show it. */
export function written(record: DnsRecord): string {
  return record.priority === null ? record.value : `${record.priority} ${record.value}`;
}

/** The name of a record as DNS hosts ask for it: whole, or without the domain. */
export function nameOf({ host }: DnsRecord, domain: string, relative: boolean): string {
  if (!relative) return host;
  return host === domain ? '@' : host.replace(new RegExp(`\\.${domain.replaceAll('.', '\\.')}$`), '');
}

/** A message with the records for a person who can change DNS. */
export function letterTo(domain: string, records: readonly DnsRecord[]): string {
  const list = records.map((record) =>
    [
      `${described(record)[0]} (${isNeeded(record) ? 'required' : 'recommended'})`,
      `Type: ${record.type}`,
      `Name: ${record.host}`,
      ...(record.priority === null ? [] : [`Priority: ${record.priority}`]),
      `Value: ${record.value}`,
    ].join('\n'),
  );
  const body = [
    `Please publish these DNS records for ${domain}, so that we can send email from it.`,
    ...list,
  ];
  return `mailto:?subject=${encodeURIComponent(`DNS records for ${domain}`)}&body=${encodeURIComponent(body.join('\n\n'))}`;
}

/** A part of a value: equal in both values, or not. */
export interface Part {
  readonly text: string;
  readonly differs: boolean;
}

/** The parts of two values, by words. */
export function difference(expected: string, found: string): { expected: Part[]; found: Part[] } {
  const left = expected.split(/(\s+|:)/);
  const right = found.split(/(\s+|:)/);
  const both = new Set(left.filter((word) => right.includes(word)));
  const parts = (words: string[]) =>
    words.filter(Boolean).map((text) => ({ text, differs: !both.has(text) && /\S/.test(text) }));
  return { expected: parts(left), found: parts(right) };
}

/** Records as lines of a zone file. */
export function zone(records: readonly DnsRecord[]): string {
  return (
    records
      .map((record) => {
        const value = record.type === 'TXT' ? quoted(record.value) : `${written(record)}.`;
        return `${record.host}. 3600 IN ${record.type} ${value}`;
      })
      .join('\n') + '\n'
  );
}

/** A TXT value in strings of at most 255 characters (RFC 1035 3.3). */
function quoted(value: string): string {
  return (value.match(/.{1,255}/g) ?? ['']).map((text) => `"${text.replace(/(["\\])/g, '\\$1')}"`).join(' ');
}

/** Needed records that are missing come first, then advised ones, then those that were found. */
export function sorted(records: readonly DnsRecord[]): readonly DnsRecord[] {
  const rank = (record: DnsRecord) =>
    record.status === 'FAILED' || record.status === 'TEMPORARY_FAILURE' ? (isNeeded(record) ? 0 : 1) : 2;
  return records.toSorted((a, b) => rank(a) - rank(b));
}

export function foundCount(records: readonly { status: DnsRecord['status'] }[]): number {
  return records.filter((record) => record.status === 'VERIFIED').length;
}
