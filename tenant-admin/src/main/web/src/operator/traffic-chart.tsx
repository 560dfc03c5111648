/** Mail that the platform accepted and handed over, by the minute, the hour or the day. */
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { TrafficInterval } from '../gen/graphql';
import { Bars, type Series } from '../kit/bars';
import { Box, Segments } from '../kit/basics';
import kit from '../kit/kit.module.css';
import { Failed, Loading } from '../kit/page';
import { date, minute, utcDay, zoneName } from '../words/formats';
import { trafficQuery, type TrafficPoint } from './queries';
import { grouped } from './series';

type View = 'accepted' | 'outcome';

/** Times that the page of the queue can show. */
export type Period = '1h' | '6h' | '24h' | '7d';

/** The interval of a time, the number of intervals, and how many of them a bar has. */
const bars: Record<
  Period,
  { readonly interval: TrafficInterval; readonly last: number; readonly each: number; readonly unit: string }
> = {
  '1h': { interval: 'MINUTE', last: 60, each: 1, unit: 'minute' },
  '6h': { interval: 'MINUTE', last: 360, each: 5, unit: 'five minutes' },
  '24h': { interval: 'HOUR', last: 24, each: 1, unit: 'hour' },
  '7d': { interval: 'HOUR', last: 168, each: 3, unit: 'three hours' },
};

/** Attempts of a time that ends now. */
export function PeriodChart({ period }: { period: Period }) {
  const { interval, last, each, unit } = bars[period];
  const query = useQuery(trafficQuery(interval, last));
  if (!query.data)
    return (
      <Box>
        {query.error ? (
          <Failed error={query.error} retry={() => void query.refetch()} />
        ) : (
          <Loading lines={6} />
        )}
      </Box>
    );
  const name = (point: TrafficPoint) => minute(point.at);
  return (
    <Bars
      title={`Attempts by ${unit === 'minute' || unit === 'hour' ? `the ${unit}` : unit}`}
      rows={grouped(query.data, each)}
      id={(point) => point.at}
      head="From"
      label={(point) => (period === '7d' ? date(point.at) : name(point).replace(/^.*, /, ''))}
      name={name}
      series={outcome}
      partial
      note={zoneName()}
    />
  );
}

const outcome: readonly Series<TrafficPoint>[] = [
  { name: 'Delivered', fill: 'good', value: (point) => point.delivered },
  { name: 'Deferred', fill: 'warn', value: (point) => point.deferred },
  { name: 'Bounced', fill: 'bad', value: (point) => point.bounced },
  { name: 'Expired', fill: 'mute', value: (point) => point.failed },
];

const accepted: readonly Series<TrafficPoint>[] = [
  { name: 'Accepted', fill: 'info', value: (point) => point.accepted },
];

const spans: Record<
  TrafficInterval,
  { readonly last: number; readonly text: string; readonly unit: string }
> = {
  MINUTE: { last: 60, text: '1 h', unit: 'minute' },
  HOUR: { last: 48, text: '2 d', unit: 'hour' },
  DAY: { last: 30, text: '30 d', unit: 'day' },
};

const intervals: readonly TrafficInterval[] = ['MINUTE', 'HOUR', 'DAY'];

/** With accepted mail, if it is wanted; otherwise attempts only. */
export function TrafficChart({ withAccepted = false }: { withAccepted?: boolean }) {
  const [interval, setInterval] = useState<TrafficInterval>('HOUR');
  const [view, setView] = useState<View>('outcome');
  const { last, unit } = spans[interval];
  const query = useQuery(trafficQuery(interval, last));
  if (!query.data)
    return (
      <Box>
        {query.error ? (
          <Failed error={query.error} retry={() => void query.refetch()} />
        ) : (
          <Loading lines={6} />
        )}
      </Box>
    );
  const name = (point: TrafficPoint) =>
    interval === 'DAY' ? utcDay(point.at.slice(0, 10)) : minute(point.at);
  return (
    <Bars
      title={view === 'accepted' ? `Emails accepted by the ${unit}` : `Attempts by the ${unit}`}
      rows={query.data}
      id={(point) => point.at}
      head={interval === 'DAY' ? 'Day' : 'Time'}
      label={(point) => name(point).replace(/^.*, /, '')}
      name={name}
      series={view === 'accepted' ? accepted : outcome}
      partial
      note={interval === 'DAY' ? 'Days in UTC' : zoneName()}
    >
      <div className={`${kit.boxBody} ${kit.acts}`}>
        <Segments
          label="Time"
          value={interval}
          options={intervals.map((value) => ({ value, text: spans[value].text }))}
          onChange={setInterval}
        />
        {withAccepted ? (
          <Segments
            label="Shown"
            value={view}
            options={[
              { value: 'outcome', text: 'Attempts' },
              { value: 'accepted', text: 'Accepted' },
            ]}
            onChange={setView}
          />
        ) : null}
      </div>
    </Bars>
  );
}
