import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { Copy, Ellipsis, Save, Send, Trash2, Upload } from 'lucide-react';
import { lazy, Suspense, useEffect, useMemo, useRef, useState } from 'react';
import { useActs } from '../app/open';
import { previewUrl } from '../app/queries';
import { toLetter, type Letter } from '../composer/letter';
import { Button, cx, Note, Segments, Time } from '../kit/basics';
import { draftOf } from '../kit/drafts';
import { TextArea, TextField } from '../kit/fields';
import kit from '../kit/kit.module.css';
import { Confirm, MenuButton } from '../kit/layers';
import { MailFrame } from '../kit/mail-frame';
import { Failed, Loading, Page } from '../kit/page';
import { explained, Rest } from '../kit/problems';
import { useRights } from '../kit/rights';
import { useUnsaved } from '../kit/unsaved';
import { capital } from '../words/formats';
import { frameViews, type FrameView } from '../kit/views';
import { Checks } from './checks';
import { parsed, sampleOf, withMissing } from './sample';
import {
  deleteTemplate,
  discardDraft,
  draftQuery,
  publishTemplate,
  saveTemplate,
  type Problem,
  type TemplateDetail,
  type Version,
  type VersionContent,
} from './queries';
import css from './template.module.css';

const CodeEditor = lazy(() => import('../kit/code-editor'));
const BlockEditor = lazy(() => import('../composer/editor'));
const History = lazy(() => import('./history'));
const SendTest = lazy(() => import('./send-test'));

/** Time without a key after which the draft is checked. */
const CHECK_MS = 350;

const STARTER = '<h1>Hello {{name|there}}</h1>\n<p>It works.</p>\n';

/** The samples of this tab, by the id of their template. */
const samples = new Map<string | undefined, string>();

/** The sample of a template if it has values. */
function keptSample(id: string | undefined): string | undefined {
  const sample = samples.get(id);
  return sample !== undefined && Object.keys(parsed(sample).values).length > 0 ? sample : undefined;
}

interface Values {
  readonly name: string;
  readonly subject: string;
  readonly htmlContent: string;
  readonly textContent: string;
  /** Blocks from which the HTML and the text follow; null for HTML that is written by hand. */
  readonly letter: Letter | null;
}

type Part = 'blocks' | 'htmlContent' | 'textContent';

/** The values that are compared: the HTML and the text follow from the blocks. */
function compared({ letter, ...rest }: Values): string {
  return JSON.stringify({ ...rest, blocks: letter !== null });
}

function valuesOf(content: Omit<VersionContent, 'variables'>): Values {
  return {
    name: content.name,
    subject: content.subject ?? '',
    htmlContent: content.htmlContent ?? '',
    textContent: content.textContent ?? '',
    letter: toLetter(content.blocks) ?? null,
  };
}

/** Edits a template, beside what a mail made with it looks like. */
export function Editor({ template }: { template: TemplateDetail | undefined }) {
  const client = useQueryClient();
  const navigate = useNavigate();
  const id = template?.id;
  const stored = useMemo<Values>(
    () =>
      template
        ? valuesOf(template.draft ?? template)
        : { name: '', subject: '', htmlContent: STARTER, textContent: '', letter: null },
    [template],
  );
  const base = compared(stored);
  const key = `template ${id ?? 'new'}`;
  const [restored] = useState(() => draftOf<Values>(key, base));
  const [values, setValues] = useState<Values>(restored ?? stored);
  const [part, setPart] = useState<Part>(
    values.letter ? 'blocks' : template && !template.htmlContent ? 'textContent' : 'htmlContent',
  );
  const [sample, setSample] = useState(() => keptSample(id) ?? sampleOf(template?.variables ?? []));
  useEffect(() => {
    samples.set(id, sample);
  }, [id, sample]);
  const [errors, setErrors] = useState<Partial<Record<keyof Values, string>>>({});
  const [rest, setRest] = useState<string[]>([]);
  const [busy, setBusy] = useState(false);
  const [asking, setAsking] = useState<'delete' | 'send' | 'html' | 'blocks' | 'history' | 'discard'>();
  const [edition, setEdition] = useState(0);
  const [goTo, setGoTo] = useState<{ line: number }>();
  const dirty = compared(values) !== base;
  const guard = useUnsaved({ key, dirty, values, base });
  const variables = parsed(sample);
  const [settled] = useDebouncedValue(
    {
      subject: values.subject,
      htmlContent: values.htmlContent,
      textContent: values.textContent,
      variables: variables.values,
    },
    CHECK_MS,
  );
  const draft = useQuery({ ...draftQuery(settled), placeholderData: keepPreviousData });
  const rendered = useLast(draft.data?.rendered ?? undefined);
  const problems = draft.data?.problems ?? [];
  const set = (change: Partial<Values>) => {
    setValues((old) => ({ ...old, ...change }));
    setErrors((old) => Object.fromEntries(Object.entries(old).filter(([name]) => !(name in change))));
  };
  /** Puts other content into the editor. */
  const replace = (content: Values) => {
    setValues(content);
    setEdition((old) => old + 1);
    setPart(content.letter ? 'blocks' : content.htmlContent ? 'htmlContent' : 'textContent');
  };
  const duplicate = async () => {
    setRest([]);
    try {
      const copy = await saveTemplate(client, undefined, {
        name: `${values.name.trim().slice(0, 190)} copy`,
        subject: values.subject || null,
        htmlContent: values.htmlContent || null,
        textContent: values.textContent || null,
        ...(values.letter ? { blocks: values.letter } : {}),
      });
      await navigate({ to: '/templates/$id', params: { id: copy } });
    } catch (error) {
      const divided = explained(error, []);
      setRest([...Object.values(divided.fields), ...divided.rest]);
    }
  };
  const save = async (publish = false): Promise<string | undefined> => {
    if (busy) return undefined;
    if (id && !dirty && !(publish && template?.draft)) return id;
    if (!values.name.trim()) {
      setErrors({ name: 'Enter a name.' });
      document.querySelector<HTMLElement>('[data-template-name]')?.focus();
      return undefined;
    }
    setBusy(true);
    setRest([]);
    try {
      const name = values.name.trim();
      const saved =
        id && !dirty
          ? id
          : await saveTemplate(client, id, {
              name,
              subject: values.subject || null,
              htmlContent: values.htmlContent || null,
              textContent: values.textContent || null,
              ...(values.letter ? { blocks: values.letter } : {}),
            });
      if (publish) await publishTemplate(client, saved);
      setErrors({});
      set({ name });
      if (id === undefined) {
        guard.pass();
        samples.set(saved, sample);
        samples.delete(undefined);
        await navigate({ to: '/templates/$id', params: { id: saved }, replace: true });
      }
      return saved;
    } catch (error) {
      const divided = explained(error, Object.keys(stored));
      setErrors(divided.fields);
      setRest(divided.rest);
      if (divided.fields.name) document.querySelector<HTMLElement>('[data-template-name]')?.focus();
      return undefined;
    } finally {
      setBusy(false);
    }
  };
  const readOnly = !useRights().may('TEMPLATES');
  useSaveKey(() => {
    if (!readOnly) void save();
  });
  useActs([
    { text: 'Save the template', needs: 'TEMPLATES', act: () => void save() },
    ...(id
      ? [{ text: 'Publish the template', needs: 'TEMPLATES' as const, act: () => void save(true) }]
      : []),
    ...(id ? [{ text: 'Send test email', needs: 'TEMPLATES' as const, act: () => setAsking('send') }] : []),
  ]);
  const show = (problem: Problem) => {
    if (problem.field === 'subject') document.querySelector<HTMLElement>('[data-template-subject]')?.focus();
    else if (problem.line) {
      setPart(values.letter ? 'blocks' : problem.field === 'html_content' ? 'htmlContent' : 'textContent');
      setGoTo({ line: problem.line });
    }
  };
  const field = part === 'htmlContent' ? 'html_content' : 'text_content';
  const wrong = problems.filter((problem) => problem.field === field);
  const partError = part === 'blocks' ? (errors.htmlContent ?? errors.textContent) : errors[part];
  const subjectProblem = problems.find((problem) => problem.field === 'subject');
  return (
    <Page
      title={template?.name ?? 'New template'}
      up={{ to: '/templates', text: 'Templates' }}
      after={
        id ? (
          <span className={kit.quiet}>
            {dirty ? 'not saved' : template?.draft ? 'draft, not published' : 'published'}
          </span>
        ) : null
      }
      needs="TEMPLATES"
      acts={
        <>
          {id ? (
            <Button icon={Send} needs="TEMPLATES" onClick={() => setAsking('send')}>
              Send test
            </Button>
          ) : null}
          {id ? (
            <MenuButton
              label="Acts for the template"
              trigger={{ icon: Ellipsis, iconOnly: true }}
              entries={[
                {
                  kind: 'item',
                  text: 'Duplicate',
                  icon: Copy,
                  needs: 'TEMPLATES',
                  act: () => void duplicate(),
                },
                {
                  kind: 'item',
                  text: 'Delete',
                  icon: Trash2,
                  tone: 'bad',
                  needs: 'TEMPLATES',
                  act: () => setAsking('delete'),
                },
              ]}
            />
          ) : null}
          {id ? (
            <>
              <Button icon={Save} needs="TEMPLATES" title="Save (Ctrl-S)" onClick={() => void save()}>
                Save draft
              </Button>
              <Button
                kind="main"
                icon={Upload}
                needs="TEMPLATES"
                busy={busy}
                title="Emails use it from then on"
                onClick={() => void save(true)}
              >
                Publish
              </Button>
            </>
          ) : (
            <Button kind="main" icon={Save} needs="TEMPLATES" busy={busy} onClick={() => void save()}>
              Create template
            </Button>
          )}
        </>
      }
    >
      <div className={css.form}>
        <p className={kit.say} role="status">
          {sentence(problems, rendered?.missing ?? [], variables.error)}
        </p>
        {template ? (
          <Standing
            template={template}
            onHistory={() => setAsking('history')}
            onDiscard={readOnly ? undefined : () => setAsking('discard')}
          />
        ) : null}
        {restored ? (
          <Note tone="info">
            Your changes that were not saved are here again.{' '}
            <button type="button" className={kit.linkish} onClick={() => replace(stored)}>
              Drop them
            </button>
          </Note>
        ) : null}
        <div className={css.names}>
          <TextField
            label="Name"
            readOnly={readOnly}
            placeholder="welcome"
            autoComplete="off"
            maxLength={200}
            data-template-name
            value={values.name}
            error={errors.name}
            onChange={(event) => set({ name: event.target.value })}
          />
          <TextField
            label="Subject"
            readOnly={readOnly}
            optional
            placeholder="Hello {{name}}"
            autoComplete="off"
            data-template-subject
            value={values.subject}
            error={errors.subject ?? (subjectProblem ? `${capital(subjectProblem.message)}.` : undefined)}
            onChange={(event) => set({ subject: event.target.value })}
          />
        </div>
        <div className={css.panes}>
          <section className={cx(css.pane, part === 'blocks' && css.tall)} aria-label="Content">
            <div className={css.paneHead}>
              <Segments
                label="Part"
                value={part}
                options={[
                  ...(readOnly && !values.letter ? [] : [{ value: 'blocks' as const, text: 'Blocks' }]),
                  { value: 'htmlContent', text: 'HTML' },
                  { value: 'textContent', text: 'Text' },
                ]}
                onChange={(next) => {
                  if (readOnly) setPart(next);
                  else if (next === 'blocks' && !values.letter) setAsking('blocks');
                  else if (next !== 'blocks' && values.letter) setAsking('html');
                  else setPart(next);
                }}
              />
              <span className={kit.quiet}>{'{{name}} or {{name|fallback}}'}</span>
            </div>
            <div className={part === 'blocks' ? css.blocks : css.code}>
              <Suspense fallback={<Loading lines={6} />}>
                {part === 'blocks' && values.letter ? (
                  <BlockEditor
                    key={edition}
                    letter={values.letter}
                    variables={draft.data?.variables ?? []}
                    readOnly={readOnly}
                    onChange={(letter, content) => set({ letter, ...content })}
                  />
                ) : (
                  <CodeEditor
                    key={part}
                    label={part === 'htmlContent' ? 'HTML of the email' : 'Text of the email'}
                    language={part === 'htmlContent' ? 'html' : 'text'}
                    value={values[part === 'blocks' ? 'htmlContent' : part]}
                    onChange={(value) => set({ [part]: value })}
                    wrongLines={wrong.flatMap((problem) => problem.line ?? [])}
                    describedBy={wrong.length > 0 || partError ? 'code-error' : undefined}
                    goTo={goTo}
                    readOnly={readOnly}
                  />
                )}
              </Suspense>
            </div>
            {wrong.length > 0 || partError ? (
              <p className={css.wrong} id="code-error" role="alert">
                {wrong.length > 0
                  ? wrong.map((problem) => `${capital(problem.message)}.`).join(' ')
                  : partError}
              </p>
            ) : null}
          </section>
          <Preview
            part={part}
            html={rendered?.html ?? null}
            text={rendered?.text ?? null}
            subject={rendered?.subject ?? null}
            error={draft.error}
            stale={problems.length > 0 || draft.isPlaceholderData}
            retry={() => void draft.refetch()}
          />
        </div>
        <div className={css.below}>
          <TextArea
            label="Sample values, JSON"
            className={kit.mono!}
            rows={7}
            spellCheck={false}
            value={sample}
            error={variables.error}
            help="Used by the preview and by test emails. Not saved with the template."
            onChange={(event) => setSample(event.target.value)}
          />
          <Checks
            problems={problems}
            findings={draft.data?.findings}
            missing={rendered?.missing ?? []}
            variables={draft.data?.variables ?? []}
            empty={!values.htmlContent && !values.textContent}
            onShow={show}
            onFill={() => setSample(withMissing(sample, rendered?.missing ?? []))}
          />
        </div>
        <Rest of={rest} />
      </div>
      {asking === 'delete' && template ? (
        <Confirm
          title={`Delete ${template.name}?`}
          verb="Delete"
          onClose={() => setAsking(undefined)}
          act={async () => {
            guard.pass();
            await deleteTemplate(client, template.id);
            await navigate({ to: '/templates' });
          }}
        >
          <p>
            Programs that send with <strong>{template.name}</strong> are refused at once. Emails that were
            sent with it keep their content. It cannot be taken back.
          </p>
        </Confirm>
      ) : null}
      {asking === 'html' ? (
        <Confirm
          title="Continue in HTML?"
          verb="Convert to HTML"
          keep="Stay in blocks"
          mild
          onClose={() => setAsking(undefined)}
          act={async () => {
            set({ letter: null });
            setPart('htmlContent');
          }}
        >
          <p>
            The blocks become HTML and a text part. HTML does not become blocks again: once the template is
            saved, it is edited as HTML.
          </p>
        </Confirm>
      ) : null}
      {asking === 'blocks' ? (
        <Confirm
          title="Begin with blocks?"
          verb="Begin with blocks"
          keep="Stay in HTML"
          mild
          onClose={() => setAsking(undefined)}
          act={async () => {
            set(await (await import('../composer/begin')).begin(client));
            setPart('blocks');
          }}
        >
          <p>HTML does not become blocks: they begin empty, and replace the HTML and the text here.</p>
        </Confirm>
      ) : null}
      {asking === 'discard' && template ? (
        <Confirm
          title="Discard the draft?"
          verb="Discard draft"
          onClose={() => setAsking(undefined)}
          act={async () => {
            replace(valuesOf(await discardDraft(client, template.id)));
          }}
        >
          <p>The editor shows the published content again. The changes of the draft are lost.</p>
        </Confirm>
      ) : null}
      <Suspense fallback={null}>
        {asking === 'history' && template ? (
          <History
            id={template.id}
            versions={template.versions}
            editor={{ ...values, variables: draft.data?.variables ?? [] }}
            onRestore={(content) => {
              replace({ ...valuesOf(content), name: values.name });
              setAsking(undefined);
            }}
            onClose={() => setAsking(undefined)}
          />
        ) : null}
        {asking === 'send' && id ? (
          <SendTest
            id={id}
            name={values.name}
            dirty={dirty}
            save={save}
            variables={variables.values}
            onClose={() => setAsking(undefined)}
          />
        ) : null}
      </Suspense>
      {guard.question}
    </Page>
  );
}

/** States what emails are sent with, and whether a draft waits. */
function Standing({
  template,
  onHistory,
  onDiscard,
}: {
  template: TemplateDetail;
  onHistory: () => void;
  onDiscard: (() => void) | undefined;
}) {
  const draft = template.versions.find(({ number }) => number === null);
  const published = template.versions.find(({ number }) => number !== null);
  return (
    <p className={css.standing}>
      {draft ? (
        <>
          Draft saved <Time at={draft.changedAt} />
          {by(draft)}. Emails use {published ? `version ${published.number}` : 'the published content'} until
          you publish.
          {template.updatedAt > draft.changedAt ? ' That version is newer than the draft.' : ''}
        </>
      ) : (
        <>
          {published ? `Version ${published.number}, published ` : 'Published '}
          <Time at={published?.changedAt ?? template.updatedAt} />
          {published ? by(published) : ''}.
        </>
      )}{' '}
      <button type="button" className={kit.linkish} onClick={onHistory}>
        History
      </button>
      {draft && onDiscard ? (
        <button type="button" className={kit.linkish} onClick={onDiscard}>
          Discard draft
        </button>
      ) : null}
    </p>
  );
}

/** By whom a version was saved or published. */
function by({ author, byApiKey }: Version): string {
  return author ? ` ${byApiKey ? 'with API key' : 'by'} ${author}` : '';
}

/** Preview of the mail, or the last one before the content got a problem. */
function Preview({
  part,
  html,
  text,
  subject,
  error,
  stale,
  retry,
}: {
  part: Part;
  html: string | null;
  text: string | null;
  subject: string | null;
  error: unknown;
  stale: boolean;
  retry: () => void;
}) {
  const [width, setWidth] = useState<FrameView>('desktop');
  return (
    <section className={css.pane} aria-label="Preview">
      <div className={css.paneHead}>
        {part !== 'textContent' ? (
          <Segments label="View" value={width} options={frameViews} onChange={setWidth} />
        ) : (
          <b>Text part</b>
        )}
        <span className={kit.quiet}>{stale ? 'as before the last change' : 'with the sample values'}</span>
      </div>
      {subject ? (
        <p className={css.subject}>
          <span>Subject</span>
          <bdi>{subject}</bdi>
        </p>
      ) : null}
      <div className={css.mail}>
        {error ? (
          <Failed error={error} retry={retry} />
        ) : part === 'textContent' ? (
          text ? (
            <pre tabIndex={0} aria-label="The text" role="region">
              {text}
            </pre>
          ) : (
            <p className={kit.quiet}>The email has no text part.</p>
          )
        ) : html === null ? (
          <p className={kit.quiet}>The email has no HTML.</p>
        ) : (
          <MailFrame html={html} url={previewUrl} title="The email" view={width} />
        )}
      </div>
    </section>
  );
}

function sentence(problems: readonly Problem[], missing: readonly string[], sampleError: string | undefined) {
  const broken = problems.find((problem) => problem.line);
  if (broken)
    return (
      <>
        <strong>
          {part(broken.field)} has a broken placeholder in line {broken.line}.
        </strong>{' '}
        It cannot be saved like this.
      </>
    );
  if (problems[0])
    return (
      <>
        <strong>
          {part(problems[0].field)} {problems[0].message}.
        </strong>
      </>
    );
  if (sampleError) return <strong>The sample values are not JSON.</strong>;
  if (missing.length > 0)
    return (
      <>
        <strong>
          {missing.length === 1 ? 'One placeholder has' : `${missing.length} placeholders have`} no value in
          the sample.
        </strong>{' '}
        In an email without the value {missing.length === 1 ? 'it is' : 'they are'} empty.
      </>
    );
  return (
    <>
      <strong>No template errors.</strong> The preview shows an email with the sample values.
    </>
  );
}

function part(field: string): string {
  if (field.startsWith('variables')) return `The sample value ${field.slice('variables.'.length)}`;
  return field === 'subject' ? 'The subject' : field === 'html_content' ? 'The HTML' : 'The text';
}

/** The last value that was there. */
function useLast<T>(value: T | undefined): T | undefined {
  const last = useRef(value);
  if (value !== undefined) last.current = value;
  return last.current;
}

/** Ctrl-S saves, in fields too. */
function useSaveKey(save: () => void): void {
  const latest = useRef(save);
  latest.current = save;
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (
        !(event.ctrlKey || event.metaKey)
        || event.key.toLowerCase() !== 's'
        || document.querySelector('[role=dialog]')
      )
        return;
      event.preventDefault();
      latest.current();
    };
    window.addEventListener('keydown', press);
    return () => window.removeEventListener('keydown', press);
  }, []);
}
