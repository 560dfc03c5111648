/** The later steps of an import. */
import { useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Download } from 'lucide-react';
import { useEffect, useRef, useState, type ReactNode } from 'react';
import { Box, Button, Note } from '../kit/basics';
import kit from '../kit/kit.module.css';
import { explained, Rest } from '../kit/problems';
import { Table } from '../kit/table';
import { counted, number } from '../words/formats';
import css from './contact.module.css';
import { contactsOf, csvOf, guessed, type Meaning, type Refused } from './csv';
import type { Import } from './import-page';
import { check, save, type Check, type Saved } from './import-run';

/** Refused lines that are shown; all are in the file that can be saved. */
const MAX_SHOWN = 100;

const fields: readonly (readonly [Meaning['kind'], string])[] = [
  ['email', 'Address'],
  ['firstName', 'First name'],
  ['lastName', 'Last name'],
  ['subscribed', 'Subscribed, true or false'],
  ['properties', 'Properties as JSON'],
];

/** Chooses the meaning of each column. */
export function ColumnsStep({
  source,
  doubleOptIn,
  onChange,
  back,
  next,
}: {
  source: Import;
  doubleOptIn: boolean;
  onChange: (source: Import) => void;
  back: () => void;
  next: () => void;
}) {
  const { lines, header, meanings } = source;
  const rows = header ? lines.slice(1) : lines;
  const hasEmail = meanings.some((meaning) => meaning.kind === 'email');
  const head = (column: number) => (header ? lines[0]!.cells[column]?.trim() : '') || `Column ${column + 1}`;
  const set = (column: number, kind: Meaning['kind']) =>
    onChange({
      ...source,
      meanings: meanings.map((meaning, at) => {
        if (at === column) return kind === 'property' ? { kind, name: head(column) } : { kind };
        return kind !== 'none' && kind !== 'property' && meaning.kind === kind ? { kind: 'none' } : meaning;
      }),
    });
  return (
    <>
      <p className={kit.say}>
        <strong>
          {source.name} has {counted(rows.length, 'line')}.
        </strong>{' '}
        {hasEmail ? 'Map your columns.' : 'Say which column holds the address.'}
      </p>
      <Box label="Columns">
        <ul className={css.columns}>
          {meanings.map((meaning, column) => (
            <li key={column}>
              <div className={css.sample}>
                <b title={head(column)}>{head(column)}</b>
                <span>
                  {rows
                    .slice(0, 3)
                    .map((row) => row.cells[column]?.trim())
                    .filter(Boolean)
                    .join(', ') || 'empty in the first lines'}
                </span>
              </div>
              <select
                className={kit.input}
                aria-label={`Meaning of ${head(column)}`}
                value={meaning.kind}
                onChange={(event) => set(column, event.target.value as Meaning['kind'])}
              >
                {fields.map(([kind, text]) => (
                  <option key={kind} value={kind}>
                    {text}
                  </option>
                ))}
                <option value="property">
                  Property {meaning.kind === 'property' ? meaning.name : head(column)}
                </option>
                <option value="none">Leave out</option>
              </select>
            </li>
          ))}
        </ul>
      </Box>
      <label className={kit.check}>
        <input
          type="checkbox"
          checked={header}
          onChange={(event) =>
            onChange({
              ...source,
              header: event.target.checked,
              meanings: guessed(lines, event.target.checked),
            })
          }
        />
        <div>The first line names the columns</div>
      </label>
      <label className={kit.check}>
        <input
          type="checkbox"
          checked={source.resubscribe}
          onChange={(event) => onChange({ ...source, resubscribe: event.target.checked })}
        />
        <div>
          Subscribe people who have unsubscribed<span>Only if these people asked for your mail again.</span>
        </div>
      </label>
      {doubleOptIn ? (
        <label className={kit.check}>
          <input
            type="checkbox"
            checked={source.consentStated}
            onChange={(event) => onChange({ ...source, consentStated: event.target.checked })}
          />
          <div>
            These people have confirmed already
            <span>They are subscribed at once. The others are asked by an email each.</span>
          </div>
        </label>
      ) : null}
      {hasEmail ? null : (
        <Note tone="warn">No column holds the address. Choose Address for the one that does.</Note>
      )}
      <div className={kit.acts}>
        <Button onClick={back}>Choose another file</Button>
        {hasEmail ? (
          <Button kind="main" onClick={next}>
            Check {counted(rows.length, 'line')}
          </Button>
        ) : null}
      </div>
    </>
  );
}

/** Shows the result that the import would have, and runs it. */
export function CheckStep({
  book,
  source,
  checked,
  onChecked,
  back,
  onRun,
  onSaved,
}: {
  book: { id: string; name: string };
  source: Import;
  checked: Check | undefined;
  onChecked: (check: Check) => void;
  back: () => void;
  onRun: (running: boolean) => void;
  onSaved: (saved: Saved) => void;
}) {
  const client = useQueryClient();
  const [done, setDone] = useState(0);
  const [saving, setSaving] = useState<Saved>();
  const [busy, setBusy] = useState(false);
  const [rest, setRest] = useState<string[]>([]);
  const alive = useRef(true);
  const rows = source.header ? source.lines.slice(1) : source.lines;
  const look = () => {
    setRest([]);
    check(client, book.id, contactsOf(rows, source.meanings, source.resubscribe), setDone)
      .then((result) => {
        if (alive.current) onChecked(result);
      })
      .catch((error: unknown) => setRest(explained(error, []).rest));
  };
  useEffect(() => {
    alive.current = true;
    if (!checked) look();
    return () => {
      alive.current = false;
    };
  }, []); // eslint-disable-line react-hooks/exhaustive-deps
  if (!checked) {
    return (
      <>
        {rest.length > 0 ? null : (
          <Progress text={`Checking ${counted(rows.length, 'line')}`} done={done} total={rows.length} />
        )}
        <Rest of={rest} />
        <div className={kit.acts}>
          <Button onClick={back}>Back to the columns</Button>
          {rest.length > 0 ? (
            <Button kind="main" onClick={look}>
              Try again
            </Button>
          ) : null}
        </div>
      </>
    );
  }
  const total = checked.rows.length;
  const run = () => {
    setBusy(true);
    setRest([]);
    onRun(true);
    save(
      client,
      book.id,
      { rows: checked.rows, consentStated: source.consentStated },
      saving ?? { done: 0, added: 0, updated: 0 },
      setSaving,
    )
      .then((saved) => {
        onRun(false);
        onSaved(saved);
      })
      .catch((error: unknown) => {
        onRun(false);
        setBusy(false);
        setRest(explained(error, []).rest);
      });
  };
  return (
    <>
      <p className={kit.say}>
        <strong>
          {total === 0
            ? 'No line can be imported.'
            : `${number(total)} of ${counted(rows.length, 'line')} can be imported to ${book.name}.`}
        </strong>{' '}
        {checked.refused.length > 0
          ? `${counted(checked.refused.length, 'line')} ${checked.refused.length === 1 ? 'is' : 'are'} refused, with the reason below.`
          : ''}
      </p>
      <Figures
        figures={[
          ['Added', checked.added],
          ['Updated', checked.updated],
          ['Skipped', checked.refused.length],
          ['Repeated addresses', checked.repeated],
        ]}
      />
      {checked.stayUnsubscribed > 0 ? (
        <Note tone="info">
          <strong>
            {counted(checked.stayUnsubscribed, 'contact')} {checked.stayUnsubscribed === 1 ? 'has' : 'have'}{' '}
            unsubscribed and {checked.stayUnsubscribed === 1 ? 'stays' : 'stay'} so.
          </strong>{' '}
          Their names and properties are updated.
        </Note>
      ) : null}
      {checked.tooMany > 0 ? (
        <Note tone="bad" alert>
          <strong>Contact limit reached.</strong> The plan allows {number(checked.limit!)} contacts and{' '}
          {number(checked.used)} are used, so {number(checked.tooMany)} of these do not fit. Delete contacts,
          or import fewer. <Link to="/usage">See the limits</Link>
        </Note>
      ) : null}
      <RefusedLines refused={checked.refused} />
      {busy || saving ? (
        <Progress
          text={`${number(saving?.done ?? 0)} of ${number(total)} saved`}
          done={saving?.done ?? 0}
          total={total}
        />
      ) : null}
      <Rest of={rest} />
      {busy ? null : (
        <div className={kit.acts}>
          <Button onClick={back}>Back to the columns</Button>
          {total > 0 && checked.tooMany === 0 ? (
            <Button kind="main" onClick={run}>
              {saving ? `Import the other ${number(total - saving.done)}` : `Import ${number(total)}`}
            </Button>
          ) : null}
        </div>
      )}
    </>
  );
}

export function DoneStep({ saved, checked, acts }: { saved: Saved; checked: Check; acts: ReactNode }) {
  return (
    <>
      <p className={kit.say}>
        <strong>The import is done.</strong>{' '}
        {checked.refused.length > 0
          ? 'The refused lines can be saved, corrected and imported again.'
          : 'Every line was imported.'}
      </p>
      <Figures
        figures={[
          ['Added', saved.added],
          ['Updated', saved.updated],
          ['Skipped', checked.refused.length],
        ]}
      />
      <div className={kit.acts}>{acts}</div>
      <RefusedLines refused={checked.refused} />
    </>
  );
}

function Figures({ figures }: { figures: readonly (readonly [string, number])[] }) {
  return (
    <dl className={css.figures}>
      {figures.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{number(value)}</dd>
        </div>
      ))}
    </dl>
  );
}

function Progress({ text, done, total }: { text: string; done: number; total: number }) {
  const share = total === 0 ? 0 : Math.round((done / total) * 100);
  return (
    <div className={css.progress}>
      <p>{text}</p>
      <div
        className={kit.bar}
        role="progressbar"
        aria-label={text}
        aria-valuemin={0}
        aria-valuemax={100}
        aria-valuenow={share}
      >
        <i style={{ width: `${share}%` }} />
      </div>
    </div>
  );
}

/** The first refused lines, and a file with all of them. */
function RefusedLines({ refused }: { refused: readonly Refused[] }) {
  if (refused.length === 0) return null;
  const store = () => {
    const link = document.createElement('a');
    link.href = URL.createObjectURL(new Blob([csvOf(refused)], { type: 'text/csv' }));
    link.download = 'refused.csv';
    link.click();
    URL.revokeObjectURL(link.href);
  };
  return (
    <Box
      title="Refused lines"
      side={
        <>
          {refused.length > MAX_SHOWN ? `the first ${MAX_SHOWN} of ${number(refused.length)}` : null}
          <Button small icon={Download} onClick={store}>
            Save as CSV
          </Button>
        </>
      }
    >
      <div className={css.refused}>
        <Table
          label="Refused lines"
          rows={refused.slice(0, MAX_SHOWN)}
          id={(row) => String(row.line)}
          columns={[
            {
              head: 'Line',
              right: true,
              narrow: 2,
              cell: (row) => (
                <>
                  <span className={kit.narrowOnly}>line </span>
                  {number(row.line)}
                </>
              ),
            },
            {
              head: 'Address',
              upTo: true,
              narrow: 1,
              cell: (row) =>
                row.email ? (
                  <bdi title={row.email}>{row.email}</bdi>
                ) : (
                  <span className={kit.quiet}>none</span>
                ),
            },
            {
              head: 'Reason',
              grow: true,
              narrow: 3,
              cell: (row) => (
                <span className={kit.second} title={row.message}>
                  {row.message}
                </span>
              ),
            },
          ]}
        />
      </div>
    </Box>
  );
}
