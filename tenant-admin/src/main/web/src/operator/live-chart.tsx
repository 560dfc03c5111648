import { useElementSize } from '@mantine/hooks';
import { useState, type ReactNode } from 'react';
import { Box } from '../kit/basics';
import kit from '../kit/kit.module.css';
import { Table } from '../kit/table';
import { minute, number, time } from '../words/formats';
import css from './live-chart.module.css';
import { steps, type Bucket } from './series';

const HEIGHT = 132;
const LEFT = 40;
const TOP = 8;
const BOTTOM = 22;

export interface LiveChartProps {
  readonly title: string;
  readonly unit: string;
  readonly kind: 'bars' | 'line';
  readonly buckets: readonly Bucket[];
  readonly value: (bucket: Bucket) => number | null;
  /** A dashed line with its name. */
  readonly threshold?: { readonly at: number; readonly name: string };
}

/** Values of the last minutes as bars or as a line, or the same values as a table. */
export function LiveChart(props: LiveChartProps) {
  const [table, setTable] = useState(false);
  const known = props.buckets.filter((bucket) => props.value(bucket) !== null);
  return (
    <Box
      title={props.title}
      side={
        <button
          type="button"
          className={kit.linkish}
          aria-label={`${table ? 'Chart' : 'Table'} of ${props.title}`}
          onClick={() => setTable(!table)}
        >
          {table ? 'Chart' : 'Table'}
        </button>
      }
    >
      {table ? (
        <div className={css.table}>
          <Table
            label={props.title}
            rows={known.toReversed()}
            id={(bucket) => String(bucket.at)}
            columns={[
              {
                head: 'From',
                grow: true,
                narrow: 1,
                cell: (bucket) => time(new Date(bucket.at).toISOString()),
              },
              {
                head: props.unit,
                right: true,
                narrow: 2,
                cell: (bucket) => number(Math.round(props.value(bucket) ?? 0)),
              },
            ]}
          />
        </div>
      ) : (
        <Plot {...props} />
      )}
    </Box>
  );
}

function Plot({ title, unit, kind, buckets, value, threshold }: LiveChartProps) {
  const { ref, width } = useElementSize<HTMLDivElement>();
  const [at, setAt] = useState<number>();
  const values = buckets.map(value);
  const max = Math.max(0, ...values.map((each) => each ?? 0));
  const levels = steps(Math.max(max, threshold?.at ?? 0));
  const top = levels.at(-1)!;
  const slot = Math.max(0, width - LEFT) / Math.max(1, buckets.length);
  const x = (index: number) => LEFT + slot * index;
  const y = (each: number) => TOP + (HEIGHT - TOP - BOTTOM) * (1 - each / top);
  const read = at === undefined ? undefined : buckets[at];
  const last = buckets.length - 1;
  const move = (event: React.KeyboardEvent) => {
    const by = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0;
    if (by !== 0) setAt(Math.min(last, Math.max(0, (at ?? last + 1) + by)));
  };
  const shown = read ? value(read) : null;
  return (
    <div className={css.chart}>
      <div ref={ref}>
        <svg
          width={width}
          height={HEIGHT}
          role="img"
          tabIndex={0}
          onKeyDown={move}
          aria-label={`${title} in the last 10 minutes, ${unit}, at most ${number(Math.round(max))}`}
          onPointerMove={(event) =>
            setAt(Math.min(last, Math.max(0, Math.floor((event.nativeEvent.offsetX - LEFT) / slot))))
          }
          onPointerLeave={() => setAt(undefined)}
        >
          {levels.map((level) => (
            <g key={level}>
              <line className={css.rule} x1={LEFT} x2={width} y1={y(level)} y2={y(level)} />
              <text x={LEFT - 8} y={y(level) + 4} textAnchor="end">
                {number(level)}
              </text>
            </g>
          ))}
          {kind === 'bars'
            ? values.map((each, index) =>
                each === null || each === 0 ? null : (
                  <rect
                    key={buckets[index]!.at}
                    className={css.bar}
                    opacity={at === undefined || at === index ? 1 : 0.55}
                    x={x(index) + slot * 0.1}
                    width={Math.max(1, slot * 0.8)}
                    y={y(each)}
                    height={Math.max(1, y(0) - y(each))}
                  />
                ),
              )
            : lines(values, x, y, slot)}
          {threshold ? (
            <>
              <line
                className={css.threshold}
                x1={LEFT}
                x2={width}
                y1={y(threshold.at)}
                y2={y(threshold.at)}
              />
              <text
                className={css.name}
                x={width}
                y={y(threshold.at) + (y(threshold.at) < TOP + 16 ? 14 : -5)}
                textAnchor="end"
              >
                {threshold.name}
              </text>
            </>
          ) : null}
          {read && kind === 'line' ? (
            <line className={css.rule} x1={x(at!) + slot / 2} x2={x(at!) + slot / 2} y1={TOP} y2={y(0)} />
          ) : null}
          {[0, 0.5, 1].map((part) => {
            const index = Math.round(last * part);
            const bucket = buckets[index];
            return bucket ? (
              <text
                key={part}
                x={part === 1 ? width : x(index)}
                y={HEIGHT - 6}
                textAnchor={part === 0 ? 'start' : part === 1 ? 'end' : 'middle'}
              >
                {minute(new Date(bucket.at).toISOString())}
              </text>
            ) : null;
          })}
        </svg>
        <p className={css.read} role="status">
          {read
            ? `${time(new Date(read.at).toISOString())}: ${shown === null ? 'not known' : `${number(Math.round(shown))} ${unit}`}`
            : `10 minutes, ${unit}, since this page was opened`}
        </p>
      </div>
    </div>
  );
}

/** The known parts of a level, each with the area under it. */
function lines(
  values: readonly (number | null)[],
  x: (index: number) => number,
  y: (value: number) => number,
  slot: number,
): ReactNode {
  const parts: { from: number; values: number[] }[] = [];
  values.forEach((value, index) => {
    if (value === null) return;
    const last = parts.at(-1);
    if (last && last.from + last.values.length === index) last.values.push(value);
    else parts.push({ from: index, values: [value] });
  });
  return parts.map((part) => {
    const points = part.values.map((value, index) => `${x(part.from + index) + slot / 2},${y(value)}`);
    const left = x(part.from) + slot / 2;
    const right = x(part.from + part.values.length - 1) + slot / 2;
    return (
      <g key={part.from}>
        <polygon className={css.area} points={`${left},${y(0)} ${points.join(' ')} ${right},${y(0)}`} />
        <polyline
          className={css.line}
          points={
            points.length === 1
              ? `${left - slot / 2},${y(part.values[0]!)} ${left + slot / 2},${y(part.values[0]!)}`
              : points.join(' ')
          }
        />
      </g>
    );
  });
}
