import { useElementSize } from '@mantine/hooks';
import { useState } from 'react';
import { Box } from '../kit/basics';
import kit from '../kit/kit.module.css';
import { Table } from '../kit/table';
import { date, number } from '../words/formats';
import css from './overview.module.css';
import type { Day } from './queries';
import { ticks } from './series';

const HEIGHT = 240;
const LEFT = 46;
const BOTTOM = 24;

const parts = [['delivered', 'Delivered', css.delivered], ['sent', 'Sent', css.sent], ['hardBounced', 'Bounced', css.bounced]] as const;

/** Mails of each day as bars, or the same figures as a table. */
export function Chart({ days }: { days: readonly Day[] }) {
  const [table, setTable] = useState(false);
  const legend = parts.map(([field, name, style]) => <span key={field} className={css.key}><i className={style} />{name}</span>);
  return (
    <Box title="Mails of each day" side={<>{table ? null : legend}<button type="button" className={kit.linkish} onClick={() => setTable(!table)}>{table ? 'Chart' : 'Table'}</button></>}>
      {table ? (
        <Table label="Mails of each day" rows={days.toReversed()} id={(day) => day.day} columns={[
          { head: 'Day (UTC)', grow: true, narrow: 1, cell: (day) => date(`${day.day}T12:00:00`) },
          { head: 'Delivered', right: true, narrow: 2, cell: (day) => number(day.delivered) },
          { head: 'Sent', right: true, cell: (day) => number(day.sent) },
          { head: 'Bounced', right: true, narrow: 4, cell: (day) => number(day.hardBounced) },
        ]} />
      ) : <Bars days={days} />}
    </Box>
  );
}

function Bars({ days }: { days: readonly Day[] }) {
  const { ref, width } = useElementSize<HTMLDivElement>();
  const [at, setAt] = useState<number>();
  const total = (day: Day) => day.delivered + day.sent + day.hardBounced;
  const steps = ticks(Math.max(...days.map(total)));
  const top = steps.at(-1)!;
  const plot = Math.max(0, width - LEFT);
  const slot = plot / days.length;
  const y = (value: number) => (HEIGHT - BOTTOM) * (1 - value / top) + 6;
  const every = Math.ceil(days.length / Math.max(1, Math.floor(plot / 64)));
  const read = at === undefined ? undefined : days[at];
  const move = (event: React.KeyboardEvent) => {
    const by = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0;
    if (by !== 0) setAt(Math.min(days.length - 1, Math.max(0, (at ?? days.length) + by)));
  };
  return (
    <div className={css.chart}><div ref={ref}>
      <svg width={width} height={HEIGHT + 12} role="img" aria-label={`Bars of ${days.length} days, at most ${number(Math.max(...days.map(total)))} mails on one`} tabIndex={0} onKeyDown={move}
        onPointerMove={(event) => setAt(Math.min(days.length - 1, Math.max(0, Math.floor((event.nativeEvent.offsetX - LEFT) / slot))))} onPointerLeave={() => setAt(undefined)}>
        {steps.map((step) => <g key={step}><line className={css.rule} x1={LEFT} x2={width} y1={y(step)} y2={y(step)} /><text x={LEFT - 8} y={y(step) + 4} textAnchor="end">{number(step)}</text></g>)}
        {days.map((day, index) => {
          let base = 0;
          return (
            <g key={day.day} opacity={at === undefined || at === index ? 1 : 0.55}>
              {parts.map(([field, , style]) => {
                const from = base;
                base += day[field];
                return day[field] > 0 ? <rect key={field} className={style} x={LEFT + slot * index + slot * 0.1} width={Math.max(1, slot * 0.8)} y={y(base)} height={Math.max(1, y(from) - y(base))} /> : null;
              })}
              {index % every === 0 ? <text x={LEFT + slot * (index + 0.5)} y={HEIGHT + 8} textAnchor="middle">{date(`${day.day}T12:00:00`)}</text> : null}
            </g>
          );
        })}
      </svg>
      <p className={css.read} role="status">{read ? `${date(`${read.day}T12:00:00`)}: ${number(read.delivered)} delivered, ${number(read.sent)} sent, ${number(read.hardBounced)} bounced` : 'Days of UTC'}</p>
    </div></div>
  );
}
