/** Campaigns that run, wait or were sent lately. */
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useEffect, useState, type ReactNode } from 'react';
import { Box, Time } from '../kit/basics';
import kit from '../kit/kit.module.css';
import { number, percent } from '../words/formats';
import { expectedEnd, sampled, speed, type Sample } from '../words/speed';
import { delayedUntil } from '../words/warmup';
import css from './overview.module.css';
import { campaignsQuery, type Campaigns } from './queries';

type Row = Campaigns['running']['nodes'][number] | Campaigns['sent']['nodes'][number];

/** Largest number of campaigns that are shown. */
const MAX_SHOWN = 5;

/** Interval in which the campaigns are read again while one runs. */
const RUNNING_INTERVAL_MS = 5000;

export function CampaignsBox() {
  const { data, dataUpdatedAt } = useQuery({
    ...campaignsQuery,
    refetchInterval: ({ state }) => (state.data?.running.nodes.length ? RUNNING_INTERVAL_MS : false),
  });
  const rows = data
    ? [...data.running.nodes, ...data.paused.nodes, ...data.scheduled.nodes, ...data.sent.nodes].slice(
        0,
        MAX_SHOWN,
      )
    : [];
  if (rows.length === 0) return null;
  return (
    <Box title="Campaigns" side={<Link to="/campaigns">All campaigns</Link>}>
      <ul className={css.campaigns}>
        {rows.map((row) => (
          <li key={row.id}>
            {row.status === 'RUNNING' ? (
              <Running row={row} at={dataUpdatedAt} />
            ) : (
              <Line row={row}>{when(row)}</Line>
            )}
          </li>
        ))}
      </ul>
    </Box>
  );
}

function Running({ row, at }: { row: Row; at: number }) {
  const through = row.sentCount + row.failedCount;
  const [samples, setSamples] = useState<readonly Sample[]>([]);
  useEffect(() => setSamples((old) => sampled(old, { at, through })), [at]); // eslint-disable-line react-hooks/exhaustive-deps
  const remaining = row.totalContacts - through;
  const day = delayedUntil(remaining, 'warmup' in row ? row.warmup : null);
  const end = expectedEnd(remaining, speed(samples), row.pace);
  const share = row.totalContacts === 0 ? 0 : Math.min(100, (through / row.totalContacts) * 100);
  return (
    <>
      <Line row={row}>
        <span className={kit.num}>{percent(Math.floor(share), 0)}</span>
      </Line>
      <span className={kit.bar} data-glide>
        <i style={{ width: `${share}%` }} />
      </span>
      <p>
        {number(through)} of {number(row.totalContacts)} people
        {day !== null
          ? `, with the warm-up of its domain done on about ${day}`
          : end === null
            ? ''
            : `, done at about ${end}`}
      </p>
    </>
  );
}

function Line({ row, children }: { row: Row; children: ReactNode }) {
  return (
    <div>
      <Link to="/campaigns/$id" params={{ id: row.id }} className={kit.row}>
        <bdi>{row.name}</bdi>
      </Link>
      <span className={kit.quiet}>{children}</span>
    </div>
  );
}

function when(row: Row): ReactNode {
  switch (row.status) {
    case 'PAUSED':
      return 'paused';
    case 'SCHEDULED':
      return row.sendAt ? (
        <>
          starts <Time at={row.sendAt} />
        </>
      ) : (
        'scheduled'
      );
    case 'SENT':
      return (
        <>
          sent <Time at={row.updatedAt} />
        </>
      );
    default:
      return null;
  }
}
