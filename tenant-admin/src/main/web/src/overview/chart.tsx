import { Bars } from '../kit/bars';
import { minute, utcDay, zoneName } from '../words/formats';
import type { Day, Hour } from './queries';

/** Mails of each day as bars, or the same figures as a table. */
export function Chart({ days }: { days: readonly Day[] }) {
  const name = (day: Day) => utcDay(day.day);
  return (
    <Bars
      title="Emails per day"
      rows={days}
      id={(day) => day.day}
      head="Day (UTC)"
      label={name}
      name={name}
      note="Days in UTC"
      partial
      series={[
        { name: 'Delivered', fill: 'good', value: (day) => day.delivered },
        { name: 'Sent', fill: 'info', value: (day) => day.sent },
        { name: 'Bounced', fill: 'bad', value: (day) => day.bounced },
      ]}
    />
  );
}

/** Mails by the hour of their acceptance. */
export function HourChart({ hours }: { hours: readonly Hour[] }) {
  const name = (hour: Hour) => minute(hour.at);
  return (
    <Bars
      title="Emails per hour"
      rows={hours}
      id={(hour) => hour.at}
      head="From"
      label={(hour) => name(hour).replace(/^.*, /, '')}
      name={name}
      partial
      note={`By time accepted · ${zoneName()}`}
      series={[
        { name: 'Delivered', fill: 'good', value: (hour) => hour.delivered + hour.complained },
        { name: 'In progress', fill: 'info', value: (hour) => hour.waiting + hour.scheduled + hour.sent },
        { name: 'Bounced', fill: 'bad', value: (hour) => hour.bounced },
        { name: 'Failed', fill: 'mute', value: (hour) => hour.failed },
      ]}
    />
  );
}
