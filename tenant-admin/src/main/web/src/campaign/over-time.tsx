/** The results of a campaign over time and by link. */
import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { Bars, type Series } from '../kit/bars';
import { Box, Segments } from '../kit/basics';
import kit from '../kit/kit.module.css';
import { Failed, Loading } from '../kit/page';
import { Table } from '../kit/table';
import { counted, minute, number, percent, utcDay, zoneName } from '../words/formats';
import css from './campaign.module.css';
import { buckets, intervalFor, through } from './progress';
import { resultsQuery, type CampaignView, type Point, type Results } from './queries';

/** Interval in which the results are read again while a campaign runs, and afterwards. */
const RUNNING_INTERVAL_MS = 5000;
const SENT_INTERVAL_MS = 30_000;

type View = 'mails' | 'people';

/** Time from the start in which most opens and clicks are made. */
const FIRST_MS = 48 * 60 * 60 * 1000;

const series: Record<View, readonly Series<Point>[]> = {
  mails: [
    { name: 'Delivered', fill: 'good', value: (point) => point.delivered },
    {
      name: 'Not confirmed',
      fill: 'info',
      value: (point) => Math.max(0, point.sent - point.delivered - point.bounced - point.complained),
    },
    { name: 'Bounced', fill: 'bad', value: (point) => point.bounced + point.failed },
  ],
  people: [
    { name: 'Opened', fill: 'good', value: (point) => point.opened },
    { name: 'Clicked', fill: 'info', value: (point) => point.clicked },
    { name: 'Unsubscribed', fill: 'plum', value: (point) => point.unsubscribed },
  ],
};

export function Over({ campaign }: { campaign: CampaignView }) {
  const [view, setView] = useState<View>('mails');
  const [all, setAll] = useState(false);
  const from = new Date(campaign.startedAt!).getTime();
  const now = Date.now();
  const long = view === 'people' && now - from > FIRST_MS;
  const first = long && !all;
  const over =
    campaign.status === 'SENT' && view === 'mails'
      ? new Date(campaign.updatedAt).getTime()
      : first
        ? from + FIRST_MS - 1
        : now;
  const interval = first ? 'HOUR' : intervalFor(from, over);
  const results = useQuery({
    ...resultsQuery(campaign.id, interval),
    refetchInterval: campaign.status === 'RUNNING' ? RUNNING_INTERVAL_MS : SENT_INTERVAL_MS,
  });
  // The figures of a campaign that runs are read all the time; those of another one after each change.
  const settled = through(campaign);
  useEffect(() => {
    if (campaign.status !== 'RUNNING') void results.refetch({ cancelRefetch: false });
  }, [settled, campaign.status]); // eslint-disable-line react-hooks/exhaustive-deps
  if (!results.data)
    return (
      <Box>
        {results.error ? (
          <Failed error={results.error} retry={() => void results.refetch()} />
        ) : (
          <Loading lines={6} />
        )}
      </Box>
    );
  const unit = interval.toLowerCase();
  const name = (point: Point) => (interval === 'DAY' ? utcDay(point.at.slice(0, 10)) : minute(point.at));
  return (
    <div className={kit.grid}>
      <Bars
        title={view === 'mails' ? `Emails by the ${unit}` : `Opens and clicks by the ${unit}`}
        rows={buckets(results.data.series, interval, from, over)}
        id={(point) => point.at}
        head={interval === 'DAY' ? 'Day' : 'Time'}
        label={(point) => name(point).replace(/^.*, /, '')}
        name={name}
        series={series[view]}
        grouped={view === 'people'}
        partial={over === now}
        note={interval === 'DAY' ? 'Days in UTC' : zoneName()}
      >
        <div className={`${kit.boxBody} ${kit.acts}`}>
          <Segments
            label="Results"
            value={view}
            options={[
              { value: 'mails', text: 'Emails' },
              { value: 'people', text: 'Opens and clicks' },
            ]}
            onChange={setView}
          />
          {long ? (
            <Segments
              label="Time"
              value={first ? 'first' : 'all'}
              options={[
                { value: 'first', text: 'First 48 hours' },
                { value: 'all', text: 'Until now' },
              ]}
              onChange={(value) => setAll(value === 'all')}
            />
          ) : null}
        </div>
      </Bars>
      <Links links={results.data.links} clicked={campaign.clickedCount} />
    </div>
  );
}

function Links({ links, clicked }: { links: Results['links']; clicked: number }) {
  const clicks = links.reduce((sum, link) => sum + link.clicks, 0);
  const known = clicked > 0 && links.every((link) => link.people !== null);
  const share = (link: Results['links'][number]) =>
    known ? Math.min(100, (link.people! / clicked) * 100) : (link.clicks / clicks) * 100;
  return (
    <Box
      title="Links"
      side={
        <span>
          {clicked > 0 ? `${counted(clicked, 'person', 'people')} clicked` : counted(clicks, 'click')}
        </span>
      }
    >
      {links.length === 0 ? (
        <p className={`${kit.boxBody} ${kit.quiet}`}>
          No link was clicked so far. Clicks are counted if the domain counts them.
        </p>
      ) : (
        <Table
          label="Links"
          rows={links}
          id={(link) => link.url}
          columns={[
            {
              head: 'Leads to',
              grow: true,
              narrow: 1,
              cell: (link) => (
                <a href={link.url} target="_blank" rel="noreferrer" title={link.url} className={kit.row}>
                  {link.url.replace(/^https?:\/\//, '')}
                </a>
              ),
            },
            {
              head: 'People',
              right: true,
              narrow: 2,
              cell: (link) =>
                link.people === null ? (
                  <span className={kit.quiet} title="They were not counted when the link was clicked first.">
                    not counted
                  </span>
                ) : (
                  <>
                    {number(link.people)}
                    <span className={kit.narrowOnly}> {link.people === 1 ? 'person' : 'people'}</span>
                  </>
                ),
            },
            {
              head: 'Clicks',
              right: true,
              narrow: 3,
              cell: (link) => (
                <>
                  {number(link.clicks)}
                  <span className={kit.narrowOnly}> {link.clicks === 1 ? 'click' : 'clicks'}</span>
                </>
              ),
            },
            {
              head: known ? 'Share of people' : 'Share of clicks',
              right: true,
              cell: (link) => (
                <span className={css.linkBar}>
                  <span className={kit.bar} aria-hidden="true">
                    <i style={{ width: `${share(link)}%` }} />
                  </span>
                  <span>{percent(share(link), 0)}</span>
                </span>
              ),
            },
          ]}
        />
      )}
    </Box>
  );
}
