import { CopyButton, cx, Status } from '../kit/basics';
import { foundValue, recordWord } from '../words/status';
import css from './domain.module.css';
import type { DnsRecord } from './queries';
import { described, difference, fix, type Part } from './records';

/** A DNS record: what to publish, and what was found instead. */
export function RecordView({ record, host }: { record: DnsRecord; host: string }) {
  const [name, use] = described(record);
  const word = recordWord(record);
  const off = record.status === 'FAILED' || record.status === 'TEMPORARY_FAILURE';
  const found = off ? foundValue(record.error) : null;
  const parts = found ? difference(record.value, found) : null;
  return (
    <div
      className={cx(css.record, off && (word.tone === 'bad' ? css.bad : css.warn))}
      data-record={record.purpose}
    >
      <div className={css.name}>
        <b>{name}</b>
        <span>{use}</span>
        <div className={css.state}>
          <Status word={word} />
        </div>
      </div>
      <dl>
        <dt>{record.type}</dt>
        <dd>
          <span>{host}</span>
          <CopyButton text={host} label={`Copy the host of ${name}`} />
        </dd>
        {record.priority === null ? null : (
          <>
            <dt>Priority</dt>
            <dd>
              <span>{record.priority}</span>
            </dd>
          </>
        )}
        <dt>{off ? 'Expected' : 'Value'}</dt>
        <dd>
          <span>{parts ? <Marked parts={parts.expected} of="ins" /> : shortened(record.value)}</span>
          <CopyButton text={record.value} label={`Copy the value of ${name}`} />
        </dd>
        {found === null ? null : (
          <>
            <dt>Found</dt>
            <dd>
              <span>
                {found === '' ? <del>nothing at this name</del> : <Marked parts={parts!.found} of="del" />}
              </span>
            </dd>
          </>
        )}
      </dl>
      {off ? <p className={css.fix}>{fix(record)}</p> : null}
    </div>
  );
}

function Marked({ parts, of: Mark }: { parts: readonly Part[]; of: 'ins' | 'del' }) {
  return parts.map((part, index) =>
    part.differs ? <Mark key={index}>{shortened(part.text)}</Mark> : part.text,
  );
}

/** A long value by its beginning and its end; the button copies all of it. */
function shortened(value: string): string {
  return value.length > 90 ? `${value.slice(0, 62)}…${value.slice(-8)}` : value;
}
