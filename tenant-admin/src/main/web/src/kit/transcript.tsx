/** The SMTP dialogue of an attempt. */
import type { LineOrigin } from '../gen/graphql';
import { CopyButton, cx } from './basics';
import css from './transcript.module.css';

export interface Dialogue {
  readonly host: string;
  readonly address: string;
  readonly tls: string;
  /** The reply that decided the attempt. */
  readonly reply: string | null;
  readonly conversation: readonly {
    readonly atMs: number;
    readonly from: LineOrigin;
    readonly text: string;
  }[];
}

export function Transcript({ attempt }: { attempt: Dialogue }) {
  const lines = attempt.conversation;
  const decided = lines.findLastIndex((line) => line.from === 'SERVER' && line.text === attempt.reply);
  const last = decided >= 0 ? decided : lines.findLastIndex((line) => line.from === 'SERVER');
  const good = /^2/.test(lines[last]?.text ?? '');
  const letter = (from: LineOrigin) => (from === 'CLIENT' ? 'C' : from === 'SERVER' ? 'S' : '');
  const text = lines
    .map((line) => `${String(line.atMs).padStart(6)} ${letter(line.from).padEnd(1)} ${line.text}`)
    .join('\n');
  return (
    <div className={css.smtp}>
      <div className={css.smtpHead}>
        <span>{[attempt.host, attempt.address, attempt.tls || 'no TLS'].filter(Boolean).join(', ')}</span>
        <CopyButton text={text} label="Copy the dialogue">
          Copy
        </CopyButton>
      </div>
      <ol tabIndex={0} aria-label="SMTP dialogue">
        {lines.map((line, index) => (
          <li
            key={index}
            className={cx(
              line.from === 'CLIENT' && css.client,
              index === last && (good ? css.fine : css.refused),
            )}
          >
            <span>{line.atMs}</span>
            <span>{letter(line.from)}</span>
            <span>{line.text}</span>
          </li>
        ))}
      </ol>
    </div>
  );
}
