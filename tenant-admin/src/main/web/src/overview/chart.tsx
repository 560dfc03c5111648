import { Bars } from '../kit/bars';
import { date } from '../words/formats';
import type { Day } from './queries';

/** Mails of each day as bars, or the same figures as a table. */
export function Chart({ days }: { days: readonly Day[] }) {
  const name = (day: Day) => date(`${day.day}T12:00:00`);
  return (
    <Bars title="Mails of each day" rows={days} id={(day) => day.day} head="Day (UTC)" label={name} name={name} note="Days of UTC" series={[
      { name: 'Delivered', fill: 'good', value: (day) => day.delivered },
      { name: 'Bounced', fill: 'bad', value: (day) => day.hardBounced },
      { name: 'Sent', fill: 'info', value: (day) => day.sent },
    ]} />
  );
}
