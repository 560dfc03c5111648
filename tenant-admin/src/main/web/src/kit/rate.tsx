import type { Standing } from '../gen/graphql';
import { standingWord } from '../words/status';
import { Status } from './basics';
import { percent } from '../words/formats';
import css from './rate.module.css';

/** A rate in percent against its two thresholds. */
export function Rate({
  name,
  value,
  digits,
  standing,
  limits,
  text,
}: {
  name: string;
  value: number;
  digits: number;
  standing: Standing;
  limits: readonly [number, number];
  text: string;
}) {
  const [warning, risky] = limits;
  const end = risky * 1.6;
  const place = (rate: number) => `${Math.min(100, (rate / end) * 100)}%`;
  return (
    <div className={css.rate}>
      <div className={css.head}>
        <span>{name}</span>
        <b>{percent(value, digits)}</b>
        <Status chip word={standingWord(standing)} />
      </div>
      <div className={css.scale} aria-hidden="true">
        <div
          className={css.track}
          style={{
            gridTemplateColumns: [warning, risky - warning, end - risky]
              .map((part) => `${part / warning}fr`)
              .join(' '),
          }}
        >
          <i className={css.fine} />
          <i className={css.watch} />
          <i className={css.risk} />
        </div>
        <div className={css.mark} style={{ left: place(value) }} />
        <span style={{ left: place(warning) }}>{warning}%</span>
        <span style={{ left: place(risky) }}>{risky}%</span>
      </div>
      <p>{text}</p>
    </div>
  );
}
