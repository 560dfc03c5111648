/** Charts of counts: stacked bars of even buckets, or the same figures as a table. */
import { useElementSize } from '@mantine/hooks';
import { useState, type KeyboardEvent, type ReactNode } from 'react';
import { number } from '../words/formats';
import css from './bars.module.css';
import { Box } from './basics';
import { Key, type Fill } from './key';
import kit from './kit.module.css';
import { ticks } from './scale';
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
  /** A limit, drawn as a dashed line with its name. */
  readonly threshold?: { readonly value: number; readonly name: string } | undefined;
  readonly children?: ReactNode;
}

export function Bars<T>(props: BarsProps<T>) {
  const { title, rows, id, head, name, series, children } = props;
  const [table, setTable] = useState(false);
  const legend = series.map((part) => (
    <Key key={part.name} fill={part.fill}>
      {part.name}
    </Key>
  ));
  return (
    <Box
      title={title}
      side={
        <>
          {table ? null : legend}
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
        <Plot {...props} />
      )}
      {children}
    </Box>
  );
}

function Plot<T>({ title, rows, id, label, name, series, note, threshold }: BarsProps<T>) {
  const { ref, width } = useElementSize<HTMLDivElement>();
  const [at, setAt] = useState<number>();
  const total = (row: T) => series.reduce((sum, part) => sum + part.value(row), 0);
  const most = Math.max(0, ...rows.map(total));
  const steps = ticks(Math.max(most, threshold && threshold.value <= most * 2 ? threshold.value : 0));
  const top = steps.at(-1)!;
  const plot = Math.max(0, width - LEFT);
  const slot = plot / Math.max(1, rows.length);
  const y = (value: number) => (HEIGHT - BOTTOM) * (1 - value / top) + 8;
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
  return (
    <div className={css.chart}>
      <div ref={ref}>
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
          {steps.map((step) => (
            <g key={step}>
              <line className={css.rule} x1={LEFT} x2={width} y1={y(step)} y2={y(step)} />
              <text x={LEFT - 8} y={y(step) + 4} textAnchor="end">
                {short(step)}
              </text>
            </g>
          ))}
          {rows.map((row, index) => {
            let base = 0;
            return (
              <g key={id(row)} opacity={at === undefined || at === index ? 1 : 0.55}>
                {series.map((part) => {
                  const from = base;
                  base += part.value(row);
                  return base > from ? (
                    <rect
                      key={part.name}
                      data-fill={part.fill}
                      x={LEFT + slot * index + slot * 0.08}
                      width={Math.max(1, slot * 0.84)}
                      y={Math.min(y(base), y(from) - 1)}
                      height={Math.max(1, y(from) - y(base))}
                    />
                  ) : null;
                })}
                {index % every === 0 && LEFT + slot * index + LABEL <= width + slot ? (
                  <text x={LEFT + slot * index + slot * 0.08} y={HEIGHT + 8}>
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
        <p className={css.read} role="status">
          {read
            ? `${name(read)}: ${series.map((part) => `${number(part.value(read))} ${part.name.toLowerCase()}`).join(', ')}`
            : note}
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
