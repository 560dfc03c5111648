import { Hourglass } from 'lucide-react';
import { Status, Time } from '../kit/basics';
import kit from '../kit/kit.module.css';
import { Table } from '../kit/table';
import { count, number } from '../words/formats';
import type { Destination } from './queries';

/** Recipient domains whose mail was put off. */
export function DestinationsTable({ rows }: { rows: readonly Destination[] | undefined }) {
  return (
    <Table label="Destinations that put mail off" rows={rows} id={(row) => row.domain} columns={[
      { head: 'Host', upTo: true, narrow: 1, cell: (row) => <bdi className={kit.label}>{row.domain}</bdi> },
      { head: 'Put off', right: true, narrow: 2, cell: (row) => <Status word={{ tone: 'warn', text: number(row.putOff), icon: Hourglass }} /> },
      { head: 'Waiting', right: true, cell: (row) => number(row.waiting) },
      { head: 'In hand', right: true, cell: (row) => <span className={row.inHand ? undefined : kit.quiet}>{count(row.inHand)}</span> },
      { head: 'Attempts', right: true, cell: (row) => number(row.attempts) },
      { head: 'Last answer', grow: true, narrow: 3, cell: (row) => row.reply ? <span className={`${kit.mono} ${kit.second}`} title={row.reply}>{row.reply}</span> : <span className={kit.quiet}>none</span> },
      { head: 'Next attempt', right: true, narrow: 4, cell: (row) => <span className={kit.quiet}><Time at={row.nextAt} /></span> },
    ]} />
  );
}
