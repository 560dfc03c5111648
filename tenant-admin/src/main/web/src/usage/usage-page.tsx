import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useRef } from 'react';
import { SettingsNav } from '../account/settings-nav';
import { useEvents, useLiveSince } from '../app/live';
import { Bars } from '../kit/bars';
import { Box, cx, Note } from '../kit/basics';
import kit from '../kit/kit.module.css';
import { Failed, Live, Loading, Page } from '../kit/page';
import { lastDays } from '../kit/scale';
import { counted, duration, number, percent, utcDay, zoned } from '../words/formats';
import { usageQuery, type Day, type HeldUsage, type MailUsage, type UsageView } from './queries';
import { level, share } from './usage';
import css from './usage.module.css';

const DAYS = 30;

/** Time in which events cause at most one reading of the figures. */
const RELOAD_MS = 3000;

export function UsagePage() {
  const client = useQueryClient();
  const query = useQuery(usageQuery);
  const timer = useRef<number>(undefined);
  const reload = () => {
    timer.current ??= window.setTimeout(() => {
      timer.current = undefined;
      void client.invalidateQueries({ queryKey: ['account', 'one'] });
    }, RELOAD_MS);
  };
  useEvents((events) => {
    if (events.some((event) => event.emailId !== null || event.kind.startsWith('quota.'))) reload();
  }, reload);
  return (
    <Page title="Usage" after={<Live since={useLiveSince()} />}>
      <SettingsNav />
      {query.data ? (
        <Shown view={query.data} />
      ) : (
        <Box>
          {query.error ? (
            <Failed error={query.error} retry={() => void query.refetch()} />
          ) : (
            <Loading lines={6} />
          )}
        </Box>
      )}
    </Page>
  );
}

function Shown({ view: { usage, dailyFigures } }: { view: UsageView }) {
  const byDay = new Map(dailyFigures.map((day) => [day.day, day]));
  const days = lastDays(DAYS).map(
    (day): Day => byDay.get(day) ?? { day, delivered: 0, sent: 0, bounced: 0, complained: 0 },
  );
  return (
    <div className={kit.grid}>
      <Sentence view={usage} />
      <div className={css.quotas}>
        <Quota title="Emails today" usage={usage.daily} />
        <Quota title="Emails this month" usage={usage.monthly} />
      </div>
      <Bars
        title="Emails per day"
        rows={days}
        id={(day) => day.day}
        head="Day (UTC)"
        label={(day) => utcDay(day.day)}
        name={(day) => utcDay(day.day)}
        note="Days in UTC, by result"
        partial
        threshold={
          usage.daily.limit === null
            ? undefined
            : { value: usage.daily.limit, name: `limit of a day, ${number(usage.daily.limit)}` }
        }
        series={[
          { name: 'Delivered', fill: 'good', value: (day) => day.delivered },
          { name: 'Sent', fill: 'info', value: (day) => day.sent },
          { name: 'Bounced', fill: 'bad', value: (day) => day.bounced },
        ]}
      />
      <Box title="Plan limits" side={<span className={css.plan}>{usage.plan}</span>}>
        <ul className={css.limits}>
          <Limit name="Domains" usage={usage.domains} />
          <Limit name="Contact books" usage={usage.contactBooks} />
          <Limit name="Contacts" usage={usage.contacts} />
        </ul>
      </Box>
    </div>
  );
}

function Sentence({ view: { daily, monthly } }: { view: UsageView['usage'] }) {
  const worst =
    share(daily) > share(monthly) ? { usage: daily, name: 'day' } : { usage: monthly, name: 'month' };
  const { usage, name } = worst;
  switch (level(usage)) {
    case 'reached':
      return (
        <Note tone="bad">
          <strong>The emails of this {name} are used up.</strong> Mail is refused until{' '}
          {zoned(usage.resetsAt)}. A larger plan takes effect at once.
        </Note>
      );
    case 'near':
      return (
        <Note tone="warn">
          <strong>
            {percent(Math.floor(share(usage) * 100), 0)} of the emails of this {name} are used.
          </strong>{' '}
          {counted(usage.remaining ?? 0, 'email')} left until {zoned(usage.resetsAt)}.
        </Note>
      );
    case 'fine':
      return (
        <p className={kit.say}>
          <strong>
            {daily.remaining === null && monthly.remaining === null
              ? 'The plan has no limit on emails.'
              : left(daily.remaining ?? Infinity, monthly.remaining ?? Infinity)}
          </strong>{' '}
          {monthly.used === 0
            ? 'None was sent this month.'
            : `${counted(monthly.used, 'email')} sent this month.`}
        </p>
      );
  }
}

/** The smaller remainder, with the time that it is for. */
function left(today: number, month: number): string {
  return `${counted(Math.min(today, month), 'email')} left ${today === Infinity ? 'this month' : 'today'}.`;
}

function Quota({ title, usage }: { title: string; usage: MailUsage }) {
  const left = new Date(usage.resetsAt).getTime() - Date.now();
  return (
    <Box
      title={title}
      padded
      side={
        usage.limit === null ? undefined : (
          <b className={css.share} data-level={level(usage)}>
            {percent(Math.floor(share(usage) * 100), 0)}
          </b>
        )
      }
    >
      <div className={css.quota}>
        <p>
          <b>{number(usage.used)}</b> {usage.limit === null ? 'sent, no limit' : `of ${number(usage.limit)}`}
        </p>
        {usage.limit === null ? null : <Meter usage={usage} name={title} />}
        <p className={kit.quiet}>
          {usage.limit === null ? 'Counts' : 'Resets'} {usage.limit === null ? 'from zero again' : ''} at{' '}
          {zoned(usage.resetsAt)}, which is midnight UTC
          {left > 0 ? `, in ${duration(left)}` : ''}.
        </p>
      </div>
    </Box>
  );
}

function Meter({
  usage,
  name,
}: {
  usage: { readonly used: number; readonly limit: number | null };
  name: string;
}) {
  const state = level(usage);
  return (
    <div
      className={cx(kit.bar, css.meter)}
      role="img"
      aria-label={`${name}: ${percent(Math.floor(share(usage) * 100), 0)} used`}
    >
      <i
        className={state === 'reached' ? kit.wrongTone : state === 'near' ? kit.warn : undefined}
        style={{ width: `${Math.min(100, share(usage) * 100)}%` }}
      />
    </div>
  );
}

function Limit({ name, usage }: { name: string; usage: HeldUsage }) {
  return (
    <li>
      <span>{name}</span>
      {usage.limit === null ? <span /> : <Meter usage={usage} name={name} />}
      <span className={kit.num}>
        {number(usage.used)}
        {usage.limit === null ? (
          <span className={kit.narrowOnly}>, no limit</span>
        ) : (
          ` of ${number(usage.limit)}`
        )}
      </span>
      <span className={kit.quiet}>
        {usage.limit === null
          ? 'Unlimited'
          : level(usage) === 'reached'
            ? 'none left'
            : `${number(usage.remaining ?? 0)} left`}
      </span>
    </li>
  );
}
