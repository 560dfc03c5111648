import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import { lazy, Suspense, useRef, useState } from 'react';
import { Box, Button, buttonClass, cx } from '../kit/basics';
import kit from '../kit/kit.module.css';
import { Failed, Loading, Page, Refused } from '../kit/page';
import { Rest } from '../kit/problems';
import { useRights } from '../kit/rights';
import { useUnsaved } from '../kit/unsaved';
import { number } from '../words/formats';
import css from './contact.module.css';
import { guessed, hasHeader, linesOf, type Line, type Meaning } from './csv';
import type { Check, Saved } from './import-run';
import { bookQuery } from './queries';

const later = () => import('./import-steps');
const ColumnsStep = lazy(() => later().then((module) => ({ default: module.ColumnsStep })));
const CheckStep = lazy(() => later().then((module) => ({ default: module.CheckStep })));
const DoneStep = lazy(() => later().then((module) => ({ default: module.DoneStep })));

const steps = ['File', 'Columns', 'Check', 'Import'] as const;

/** Largest file, which the browser reads as a whole. */
const MAX_BYTES = 50_000_000;

/** State of an import: its lines, the meaning of their columns, and the result of the check. */
export interface Import {
  readonly name: string;
  readonly lines: readonly Line[];
  readonly header: boolean;
  readonly meanings: readonly Meaning[];
  readonly resubscribe: boolean;
  readonly consentStated: boolean;
}

export function ImportPage() {
  const { id } = useParams({ from: '/shell/contacts/$id/import' });
  const book = useQuery(bookQuery(id));
  const { refusal } = useRights();
  const [step, setStep] = useState(0);
  const [source, setSource] = useState<Import>();
  const [checked, setChecked] = useState<Check>();
  const [saved, setSaved] = useState<Saved>();
  const [running, setRunning] = useState(false);
  const guard = useUnsaved({
    key: `import ${id}`,
    dirty: running,
    values: undefined,
    base: '',
    words: {
      title: 'Stop the import?',
      text: 'What is saved so far stays. The rest is not imported.',
      verb: 'Stop it',
    },
  });
  const up = { to: `/contacts/${id}`, text: book.data?.name ?? 'Contacts' };
  if (!book.data) {
    return (
      <Page title="Import contacts" up={{ to: '/contacts', text: 'Contacts' }}>
        <Box>
          {book.error ? (
            <Failed error={book.error} retry={() => void book.refetch()} />
          ) : (
            <Loading lines={6} />
          )}
        </Box>
      </Page>
    );
  }
  if (refusal('CONTACTS'))
    return (
      <Page title="Import contacts" up={up}>
        <Box>
          <Refused right="CONTACTS" />
        </Box>
      </Page>
    );
  const take = (next: Import) => {
    setSource(next);
    setChecked(undefined);
    setStep(1);
  };
  const again = () => {
    setSource(undefined);
    setChecked(undefined);
    setSaved(undefined);
    setStep(0);
  };
  return (
    <Page title="Import contacts" up={up}>
      <div className={css.import}>
        <ol className={css.steps} aria-label="Steps">
          {steps.map((name, index) => (
            <li
              key={name}
              data-done={index < step || undefined}
              aria-current={index === step ? 'step' : undefined}
            >
              <span>{index + 1}</span>
              {name}
            </li>
          ))}
        </ol>
        {step === 0 ? <FileStep book={book.data.name} onRead={take} /> : null}
        <Suspense fallback={<Loading lines={6} />}>
          {step === 1 && source ? (
            <ColumnsStep
              source={source}
              doubleOptIn={book.data.doubleOptIn}
              onChange={setSource}
              back={again}
              next={() => setStep(2)}
            />
          ) : null}
          {step === 2 && source ? (
            <CheckStep
              book={book.data}
              source={source}
              checked={checked}
              onChecked={setChecked}
              back={() => {
                setChecked(undefined);
                setStep(1);
              }}
              onRun={setRunning}
              onSaved={(result) => {
                setSaved(result);
                setStep(3);
              }}
            />
          ) : null}
          {step === 3 && saved && checked ? (
            <DoneStep
              saved={saved}
              checked={checked}
              acts={
                <>
                  <Link to="/contacts/$id" params={{ id }} className={buttonClass({ kind: 'main' })}>
                    Show {book.data.name}
                  </Link>
                  <Button onClick={again}>Import another file</Button>
                </>
              }
            />
          ) : null}
        </Suspense>
        {guard.question}
      </div>
    </Page>
  );
}

/** Takes a file or a text. */
function FileStep({ book, onRead }: { book: string; onRead: (source: Import) => void }) {
  const [text, setText] = useState('');
  const [busy, setBusy] = useState(false);
  const [over, setOver] = useState(false);
  const [rest, setRest] = useState<string[]>([]);
  const input = useRef<HTMLInputElement>(null);
  const read = async (name: string, load: () => Promise<string>) => {
    setBusy(true);
    setRest([]);
    try {
      const lines = await linesOf(await load());
      const header = hasHeader(lines);
      if (lines.length <= (header ? 1 : 0))
        throw new Error(lines.length === 0 ? 'The file is empty.' : 'There is no address in it.');
      onRead({
        name,
        lines,
        header,
        meanings: guessed(lines, header),
        resubscribe: false,
        consentStated: false,
      });
    } catch (error) {
      setRest([(error as Error).message]);
      setBusy(false);
    }
  };
  const take = (file: File | undefined) => {
    if (file) void read(file.name, () => textOf(file));
  };
  return (
    <>
      <p className={kit.say}>
        <strong>Choose a CSV, or paste addresses.</strong> You see the check before anything is imported to{' '}
        {book}.
      </p>
      <div className={css.source}>
        <div
          className={cx(css.drop, over && css.over)}
          onDragOver={(event) => {
            event.preventDefault();
            setOver(true);
          }}
          onDragLeave={() => setOver(false)}
          onDrop={(event) => {
            event.preventDefault();
            setOver(false);
            take(event.dataTransfer.files[0]);
          }}
        >
          <strong>Drop a file here</strong>
          <p>CSV in UTF-8, separated by comma, semicolon or tab, up to {number(MAX_BYTES / 1_000_000)} MB</p>
          <Button busy={busy} onClick={() => input.current?.click()}>
            Choose a file
          </Button>
          <input
            ref={input}
            type="file"
            accept=".csv,.tsv,.txt,text/csv,text/plain"
            className={kit.hidden}
            aria-label="File"
            tabIndex={-1}
            onChange={(event) => {
              take(event.target.files?.[0]);
              event.target.value = '';
            }}
          />
        </div>
        <div className={css.paste}>
          <label className={kit.label} htmlFor="paste">
            Or paste here
          </label>
          <textarea
            id="paste"
            className={`${kit.input} ${kit.mono}`}
            spellCheck={false}
            placeholder={'email,first_name,city\nines@postbox.example,Ines,Graz'}
            value={text}
            onChange={(event) => setText(event.target.value)}
          />
        </div>
      </div>
      <Rest of={rest} />
      {text.trim() ? (
        <div className={kit.acts}>
          <Button kind="main" busy={busy} onClick={() => void read('The text', () => Promise.resolve(text))}>
            Read the text
          </Button>
        </div>
      ) : null}
    </>
  );
}

/** The text of a file, which must be UTF-8. */
async function textOf(file: File): Promise<string> {
  if (file.size > MAX_BYTES)
    throw new Error(
      `The file has ${number(Math.ceil(file.size / 1_000_000))} MB; at most ${MAX_BYTES / 1_000_000} MB can be read here. Split it, or use the API.`,
    );
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(await file.arrayBuffer());
  } catch {
    throw new Error('The file is not text in UTF-8. Save it as “CSV UTF-8” and choose it again.');
  }
}
