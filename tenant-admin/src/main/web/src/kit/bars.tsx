/** Charts of counts: bars of even buckets, stacked or side by side, or the same figures as a table. */
import { useElementSize } from '@mantine/hooks';
import { useId, useState, type KeyboardEvent, type ReactNode } from 'react';
import { number } from '../words/formats';
import css from './bars.module.css';
import { Box } from './basics';
import { Key, type Fill } from './key';
import kit from './kit.module.css';
import { isUneven, ticks } from './scale';
import { Table } from './table';

const HEIGHT = 216;
const LEFT = 46;
const BOTTOM = 24;

/** Smallest width of a label of the horizontal axis. */
const LABEL = 72;

export interface Series<T> {
  readonly name: string;
  readonly fill: Fill;
  readonly value: (row: T) => number;
}

export interface BarsProps<T> {
  /** The title names the unit. */
  readonly title: string;
  readonly rows: readonly T[];
  readonly id: (row: T) => string;
  /** Head of the column of buckets. */
  readonly head: string;
  /** Short name of a bucket, for the axis. */
  readonly label: (row: T) => string;
  /** Full name of a bucket. */
  readonly name: (row: T) => string;
  readonly series: readonly Series<T>[];
  /** Meaning of the buckets, such as days of UTC. */
  readonly note: string;
  /** Whether the bars of a bucket stand side by side, because their sum is no quantity. */
  readonly grouped?: boolean;
  /** Whether the last bucket is not over: it is hatched. */
  readonly partial?: boolean;
  /** A limit, drawn as a dashed line with its name. */
  readonly threshold?: { readonly value: number; readonly name: string } | undefined;
  readonly children?: ReactNode;
}

export function Bars<T>(props: BarsProps<T>) {
  const { title, rows, id, head, name, series, grouped = false, children } = props;
  const [table, setTable] = useState(false);
  const [root, setRoot] = useState(false);
  const uneven = isUneven(rows.map((row) => height(row, series, grouped)));
  return (
    <Box
      title={title}
      side={
        <>
          {table
            ? null
            : series.map((part) => (
                <Key key={part.name} fill={part.fill}>
                  {part.name}
                </Key>
              ))}
          {table || !uneven ? null : (
            <button
              type="button"
              className={kit.linkish}
              title={
                root
                  ? 'Bars as high as their numbers'
                  : 'The square root of each number is drawn, so that small bars show beside large ones'
              }
              onClick={() => setRoot(!root)}
            >
              {root ? 'Linear' : 'Square root'}
            </button>
          )}
          <button
            type="button"
            className={kit.linkish}
            title={table ? `${title} as a chart` : `${title} as a table`}
            onClick={() => setTable(!table)}
          >
            {table ? 'Chart' : 'Table'}
          </button>
        </>
      }
    >
      {table ? (
        <div className={css.scroll}>
          <Table
            label={title}
            rows={rows.toReversed()}
            id={id}
            columns={[
              { head, grow: true, narrow: 1, cell: (row) => name(row) },
              ...series
                .map((part, index) => ({
                  head: part.name,
                  right: true,
                  narrow: index === 0 ? (2 as const) : index === 1 ? (4 as const) : undefined,
                  cell: (row: T) => number(part.value(row)),
                }))
                .map(({ narrow, ...column }) => (narrow ? { ...column, narrow } : column)),
            ]}
          />
        </div>
      ) : (
        <Plot {...props} root={root && uneven} />
      )}
      {children}
    </Box>
  );
}

/** The largest number that the bars of a bucket reach. */
function height<T>(row: T, series: readonly Series<T>[], grouped: boolean): number {
  const values = series.map((part) => part.value(row));
  return grouped ? Math.max(0, ...values) : values.reduce((sum, value) => sum + value, 0);
}

function Plot<T>({
  title,
  rows,
  id,
  label,
  name,
  series,
  note,
  grouped = false,
  partial = false,
  threshold,
  root,
}: BarsProps<T> & { readonly root: boolean }) {
  const { ref, width } = useElementSize<HTMLDivElement>();
  const hatch = useId();
  const [at, setAt] = useState<number>();
  const most = Math.max(0, ...rows.map((row) => height(row, series, grouped)));
  const steps = ticks(Math.max(most, threshold && threshold.value <= most * 2 ? threshold.value : 0));
  const top = steps.at(-1)!;
  const plot = Math.max(0, width - LEFT);
  const slot = plot / Math.max(1, rows.length);
  const part = (value: number) => (root ? Math.sqrt(value / top) : value / top);
  const y = (value: number) => (HEIGHT - BOTTOM) * (1 - part(value)) + 8;
  const every = Math.ceil(rows.length / Math.max(1, Math.floor(plot / LABEL)));
  const read = at === undefined ? undefined : rows[at];
  const inside = (index: number) => Math.min(rows.length - 1, Math.max(0, index));
  const move = (event: KeyboardEvent) => {
    const by = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0;
    if (by !== 0) {
      event.preventDefault();
      setAt(inside((at ?? rows.length) + by));
    }
  };
  const bar = (slot * 0.84) / (grouped ? series.length : 1);
  return (
    <div className={css.chart}>
      <div ref={ref} className={css.plot}>
        <svg
          width={width}
          height={HEIGHT + 12}
          role="img"
          aria-label={`${title}: ${number(rows.length)} bars, at most ${number(most)}`}
          tabIndex={0}
          onKeyDown={move}
          onBlur={() => setAt(undefined)}
          onPointerMove={(event) => setAt(inside(Math.floor((event.nativeEvent.offsetX - LEFT) / slot)))}
          onPointerLeave={() => setAt(undefined)}
        >
          {partial ? (
            <pattern
              id={hatch}
              width="5"
              height="5"
              patternUnits="userSpaceOnUse"
              patternTransform="rotate(45)"
            >
              <line className={css.hatch} x1="0" x2="0" y1="0" y2="5" />
            </pattern>
          ) : null}
          {steps.map((step) => (
            <g key={step}>
              <line className={css.rule} x1={LEFT} x2={width} y1={y(step)} y2={y(step)} />
              <text x={LEFT - 8} y={y(step) + 4} textAnchor="end">
                {short(step)}
              </text>
            </g>
          ))}
          {rows.map((row, index) => {
            const last = index === rows.length - 1;
            const left = LEFT + slot * index + slot * 0.08;
            let base = 0;
            return (
              <g key={id(row)} opacity={at === undefined || at === index ? 1 : 0.55}>
                {series.map(({ name: key, fill, value }, position) => {
                  const from = grouped ? 0 : base;
                  base = from + value(row);
                  if (base <= from) return null;
                  const box = {
                    x: left + (grouped ? bar * position : 0),
                    width: Math.max(1, bar),
                    y: Math.min(y(base), y(from) - 1),
                    height: Math.max(1, y(from) - y(base)),
                  };
                  return (
                    <g key={key}>
                      <rect data-fill={fill} {...box} />
                      {partial && last ? <rect fill={`url(#${hatch})`} {...box} /> : null}
                    </g>
                  );
                })}
                {last ? (
                  <text x={width} y={HEIGHT + 8} textAnchor="end">
                    {label(row)}
                  </text>
                ) : index % every === 0 && left + 2 * LABEL <= width ? (
                  <text x={left} y={HEIGHT + 8}>
                    {label(row)}
                  </text>
                ) : null}
              </g>
            );
          })}
          {threshold && threshold.value <= top ? (
            <g>
              <line
                className={css.threshold}
                x1={LEFT}
                x2={width}
                y1={y(threshold.value)}
                y2={y(threshold.value)}
              />
              <text x={width} y={y(threshold.value) - 4} textAnchor="end">
                {threshold.name}
              </text>
            </g>
          ) : null}
        </svg>
        {read !== undefined && at !== undefined ? (
          <div
            className={css.tip}
            aria-hidden="true"
            style={
              at < rows.length / 2
                ? { left: LEFT + slot * (at + 1) + 6 }
                : { right: width - LEFT - slot * at + 6 }
            }
          >
            <b>{name(read)}</b>
            {series.map((each) => (
              <span key={each.name}>
                <Key fill={each.fill}>{each.name}</Key>
                <span>{number(each.value(read))}</span>
              </span>
            ))}
          </div>
        ) : null}
        <p className={css.read}>
          {note}
          {root ? ' · square root of the numbers' : ''}
          {partial ? ' · the hatched bar is not over yet' : ''}
        </p>
        <p className={kit.hidden} role="status">
          {read === undefined
            ? ''
            : `${name(read)}: ${series.map((each) => `${number(each.value(read))} ${each.name.toLowerCase()}`).join(', ')}`}
        </p>
      </div>
    </div>
  );
}

/** A step of the axis in at most five characters. */
function short(value: number): string {
  if (value < 10_000) return number(value);
  return value < 1_000_000 ? `${value / 1000}k` : `${value / 1_000_000}M`;
}
