import { useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { CalendarClock, Play, Send } from 'lucide-react';
import { lazy, Suspense, useId, useRef, useState, type ReactNode } from 'react';
import { useRecent } from '../app/open';
import { Box, Button, Note, Segments } from '../kit/basics';
import { isEmpty, toLetter } from '../composer/letter';
import { SelectField, TextArea, TextField } from '../kit/fields';
import { Form, useFields, type Fields } from '../kit/form';
import kit from '../kit/kit.module.css';
import { Confirm } from '../kit/layers';
import { Loading, Page } from '../kit/page';
import { Rest } from '../kit/problems';
import { useUnsaved } from '../kit/unsaved';
import { counted, time, zoneName } from '../words/formats';
import { fromInput } from '../words/inputs';
import { Audience, useAudience } from './audience';
import { Checks } from './checks';
import css from './compose.module.css';
import { Preview } from './content';
import { hasErrors, saveCampaign, scheduleCampaign, templateContent, type Choices } from './queries';
import { toFilter } from './filter';
import { Review } from './review';
import { useSaving, type Saving } from './saving';
import { Start } from './start';
import { asHtml, checks, mailbox, missing, toInput, withLink, type Values } from './values';

const SendTest = lazy(() => import('./send-test'));
const CodeEditor = lazy(() => import('../kit/code-editor'));
const BlockEditor = lazy(() => import('../composer/editor'));

/** Placeholders that every contact has. */
const contactFields = ['first_name', 'last_name', 'email'];

const unsaved = {
  title: 'Leave without saving?',
  text: 'The last changes of this campaign are not saved.',
  verb: 'Leave',
};

/** A draft that the server has not got is kept in this tab. */
const incomplete = {
  title: 'Leave an incomplete campaign?',
  text: 'It is not saved yet, because something is missing. It is kept in this tab only, until the tab is closed.',
  verb: 'Leave',
};

interface Props {
  readonly id: string | undefined;
  readonly initial: Values;
  readonly scheduled: boolean;
  readonly choices: Choices;
  /** Names of the domains that may send. */
  readonly senders: readonly string[];
  readonly onSaved: (id: string) => void;
}

/** Content, audience and review of a campaign on one page. */
export default function Compose({ id: opened, initial, scheduled, choices, senders, onSaved }: Props) {
  const client = useQueryClient();
  const navigate = useNavigate();
  const [testing, setTesting] = useState(false);
  const [starting, setStarting] = useState(false);
  const flush = useRef<Saving['flush']>(undefined);
  const leave = useRef(() => {});
  const [edition, setEdition] = useState(0);
  const replaced = () => setEdition((old) => old + 1);
  const shown = async (id: string) => {
    leave.current();
    await navigate({ to: '/campaigns/$id', params: { id } });
  };
  const fields: Fields<Values> = useFields<Values>(initial, checks, async (values) => {
    const id = await flush.current!(values);
    if (values.start === 'now' || (await hasErrors(id))) {
      setStarting(true);
      return;
    }
    if (scheduled)
      await saveCampaign(client, id, { ...toInput(values), sendAt: fromInput(values.sendAt).toISOString() });
    else await scheduleCampaign(client, id, fromInput(values.sendAt).toISOString());
    await shown(id);
  });
  const { form } = fields;
  const { values } = form;
  const saving = useSaving(opened, fields, initial, onSaved);
  flush.current = saving.flush;
  useRecent(saving.id ? values.name || values.subject : undefined, `/campaigns/${saving.id}`);
  const changed = useRef(false);
  if (values !== initial && JSON.stringify(values) !== JSON.stringify(initial)) changed.current = true;
  const guard = useUnsaved({
    key: `campaign ${opened ?? 'new'}`,
    dirty: changed.current && saving.state !== 'saved',
    values: undefined,
    base: '',
    words: saving.id === undefined ? incomplete : unsaved,
  });
  leave.current = guard.pass;
  const lacks = missing(values);
  return (
    <Page
      title={values.name || values.subject || 'New campaign'}
      up={{ to: '/campaigns', text: 'Campaigns' }}
      after={<State saving={saving} lacks={lacks} />}
      acts={
        <Button
          icon={Send}
          aria-disabled={saving.id === undefined || undefined}
          title={saving.id === undefined ? `A test needs ${listed(lacks) || 'a saved draft'}` : undefined}
          onClick={() => {
            if (saving.id !== undefined) setTesting(true);
          }}
        >
          Send test email
        </Button>
      }
    >
      <Ready values={values} lacks={lacks} />
      {saving.state === 'failed' && saving.rest.length > 0 ? (
        <div className={css.ready}>
          <Rest of={saving.rest} />
        </div>
      ) : null}
      <div className={css.columns}>
        <Form fields={fields} label="Compose">
          <Box title="Content" padded>
            <Content
              fields={fields}
              choices={choices}
              senders={senders}
              edition={edition}
              onReplaced={replaced}
            />
          </Box>
          <Box title="Audience" padded>
            <Audience fields={fields} choices={choices} />
          </Box>
          <Box title="Review" padded>
            <Review values={values} choices={choices} />
            <div className={css.when}>
              <Segments
                label="Start"
                value={values.start}
                options={[
                  { value: 'now', text: 'Send now' },
                  { value: 'later', text: 'Schedule for later' },
                ]}
                onChange={(start) => form.setFieldValue('start', start)}
              />
              {values.start === 'later' ? (
                <TextField
                  label="Start at"
                  type="datetime-local"
                  help={`In the time zone of the account, ${zoneName()}, within 30 days.`}
                  {...form.getInputProps('sendAt')}
                />
              ) : null}
            </div>
            <Rest of={fields.rest} />
            <div className={css.go}>
              <Button
                kind="main"
                icon={values.start === 'later' ? CalendarClock : Play}
                busy={fields.busy}
                onClick={() => fields.submit()}
              >
                {values.start === 'now' ? 'Send campaign' : scheduled ? 'Save the time' : 'Schedule'}
              </Button>
              <span className={kit.quiet}>
                {values.start === 'now'
                  ? 'You confirm it first. Content and recipients are locked once sending starts.'
                  : 'Until then it can be changed and taken back.'}
              </span>
            </div>
          </Box>
        </Form>
        <aside className={css.side} aria-label="Preview">
          <Shown saving={saving} values={values} lacks={lacks} />
          {saving.id === undefined ? null : (
            <Checks
              id={saving.id}
              version={saving.version}
              act={({ check, level }) =>
                check === 'UNSUBSCRIBE' && level !== 'PASSED' && values.source !== 'template' ? (
                  <Button
                    small
                    onClick={() => {
                      form.setValues(withLink(values));
                      replaced();
                    }}
                  >
                    Add the link
                  </Button>
                ) : null
              }
            />
          )}
        </aside>
      </div>
      {guard.question}
      <Suspense fallback={null}>
        {testing && saving.id !== undefined ? (
          <SendTest id={saving.id} onClose={() => setTesting(false)} />
        ) : null}
        {starting && saving.id !== undefined ? (
          <Start
            id={saving.id}
            version={saving.version}
            audience={{ book: values.contactBookId, filter: values.nested ?? toFilter(values.filter) }}
            scheduled={scheduled}
            onClose={() => setStarting(false)}
            onStarted={() => shown(saving.id!)}
          >
            <Review values={values} choices={choices} />
          </Start>
        ) : null}
      </Suspense>
    </Page>
  );
}

/** Whether the campaign can be started. */
function Ready({ values, lacks }: { values: Values; lacks: readonly string[] }) {
  const { data } = useAudience(values);
  if (lacks.length > 0)
    return (
      <p className={`${kit.say} ${css.ready}`}>
        <strong>It needs {listed(lacks)}.</strong> The draft is saved as soon as it has them.
      </p>
    );
  if (!data) return <p className={`${kit.say} ${css.ready}`}>{'\u00a0'}</p>;
  const mails = data.recipients - data.suppressed;
  return (
    <p className={`${kit.say} ${css.ready}`}>
      {mails === 0 ? (
        <>
          <strong>It reaches no contact.</strong> Choose another book or another condition.
        </>
      ) : (
        <>
          <strong>
            Ready for {data.estimated ? 'about ' : ''}
            {counted(mails, 'person', 'people')}.
          </strong>{' '}
          Look at the preview, send yourself a test, then {values.start === 'now' ? 'start' : 'schedule'} it
          below.
        </>
      )}
    </p>
  );
}

function listed(nouns: readonly string[]): string {
  return nouns.length > 1 ? `${nouns.slice(0, -1).join(', ')} and ${nouns.at(-1)}` : (nouns[0] ?? '');
}

/** Whether the draft is stored. */
function State({ saving, lacks }: { saving: Saving; lacks: readonly string[] }) {
  const text =
    lacks.length > 0 && saving.state !== 'saved'
      ? 'Not saved yet'
      : {
          saved: saving.at ? `Saved at ${time(saving.at.toISOString())}` : 'Saved',
          unsaved: 'Not saved yet',
          saving: 'Saving',
          failed: 'Not saved: see the errors below',
        }[saving.state];
  return (
    <span className={kit.live} role="status">
      {text}
    </span>
  );
}

function Content({
  fields: { form },
  choices,
  senders,
  edition,
  onReplaced,
}: {
  fields: Fields<Values>;
  choices: Choices;
  senders: readonly string[];
  /** Another number loads the blocks into the editor again. */
  edition: number;
  onReplaced: () => void;
}) {
  const { values } = form;
  const audience = useAudience(values);
  const [converting, setConverting] = useState<'own' | 'blocks'>();
  const [copying, setCopying] = useState(false);
  const copy = async (id: string) => {
    setCopying(true);
    try {
      const { blocks, htmlContent, textContent, subject } = await templateContent(id);
      const letter = toLetter(blocks);
      form.setValues({
        ...values,
        source: letter ? 'blocks' : 'own',
        letter: letter ?? values.letter,
        htmlContent: letter ? '' : (htmlContent ?? ''),
        textContent: letter ? '' : (textContent ?? ''),
        subject: values.subject || (subject ?? ''),
      });
      onReplaced();
    } finally {
      setCopying(false);
    }
  };
  const choose = (id: string) => {
    form.setFieldValue('templateId', id);
    const subject = choices.templates.nodes.find((template) => template.id === id)?.subject;
    if (subject && !values.subject.trim()) form.setFieldValue('subject', subject);
  };
  return (
    <div className={kit.grid}>
      {senders.length === 0 ? (
        <Note tone="warn">
          <strong>No domain is verified.</strong> A campaign is sent from an address of a verified domain.{' '}
          <Link to="/domains">Go to Domains</Link>
        </Note>
      ) : null}
      <TextField label="Subject" autoComplete="off" {...form.getInputProps('subject')} />
      <TextField
        label="Name"
        optional
        help="Shown in this app only. Without one, the subject is used."
        autoComplete="off"
        maxLength={200}
        {...form.getInputProps('name')}
      />
      <div className={css.pair}>
        <TextField label="From name" optional autoComplete="off" {...form.getInputProps('fromName')} />
        <TextField
          label="From"
          type="email"
          autoComplete="off"
          spellCheck={false}
          help={
            senders.length > 0
              ? `An address of ${senders.slice(0, 3).join(', ')}${senders.length > 3 ? ` or ${counted(senders.length - 3, 'other domain')}` : ''}.`
              : undefined
          }
          {...form.getInputProps('from')}
        />
      </div>
      <TextField
        label="Reply to"
        optional
        autoComplete="off"
        spellCheck={false}
        {...form.getInputProps('replyTo')}
      />
      <div>
        <Segments
          label="Content"
          value={values.source}
          options={[
            { value: 'blocks', text: 'Blocks' },
            { value: 'own', text: 'HTML' },
            { value: 'template', text: 'Template' },
          ]}
          onChange={(source) => {
            if (values.source === 'blocks' && source === 'own' && !isEmpty(values.letter))
              setConverting('own');
            else if (source === 'blocks' && values.source === 'own' && values.htmlContent.trim())
              setConverting('blocks');
            else form.setFieldValue('source', source);
          }}
        />
      </div>
      {converting === 'own' ? (
        <Confirm
          title="Continue in HTML?"
          verb="Convert to HTML"
          keep="Stay in blocks"
          mild
          onClose={() => setConverting(undefined)}
          act={async () => form.setValues(asHtml(values))}
        >
          <p>
            The blocks become HTML and a text part. HTML does not become blocks again: what you change in it
            is not in the blocks.
          </p>
        </Confirm>
      ) : null}
      {converting === 'blocks' ? (
        <Confirm
          title="Continue in blocks?"
          verb="Continue in blocks"
          keep="Stay in HTML"
          mild
          onClose={() => setConverting(undefined)}
          act={async () => form.setValues({ ...values, source: 'blocks', htmlContent: '', textContent: '' })}
        >
          <p>HTML does not become blocks. The blocks are as you left them, and the HTML is dropped.</p>
        </Confirm>
      ) : null}
      {values.source === 'blocks' ? (
        <div>
          <Suspense fallback={<Loading lines={8} />}>
            <BlockEditor
              key={edition}
              letter={values.letter}
              variables={[...contactFields, ...Object.keys((audience.data?.samples ?? {}) as object)]}
              onChange={(letter) => form.setFieldValue('letter', letter)}
            />
          </Suspense>
          {form.errors.letter ? <p className={kit.wrong}>{form.errors.letter}</p> : null}
        </div>
      ) : values.source === 'template' ? (
        <>
          <SelectField
            label="Template"
            help="Template edits apply until you send."
            {...form.getInputProps('templateId')}
            onChange={(event) => choose(event.target.value)}
          >
            <option value="">Choose one</option>
            {choices.templates.nodes.map((template) => (
              <option key={template.id} value={template.id}>
                {template.name}
              </option>
            ))}
          </SelectField>
          {values.templateId ? (
            <div className={kit.acts}>
              <Button small busy={copying} onClick={() => void copy(values.templateId)}>
                Copy it into this campaign
              </Button>
              <span className={kit.quiet}>
                The copy can be edited here and no longer follows the template.
              </span>
            </div>
          ) : null}
        </>
      ) : (
        <>
          <Html {...form.getInputProps('htmlContent')} />
          <TextArea
            label="Text"
            optional
            rows={4}
            className={css.source!}
            help="For mail programs that show no HTML."
            {...form.getInputProps('textContent')}
          />
        </>
      )}
    </div>
  );
}

/** The HTML of the campaign in the editor of the templates. */
function Html({
  value,
  error,
  onChange,
  onBlur,
}: {
  value?: string;
  error?: ReactNode;
  onChange: (value: string) => void;
  onBlur?: () => void;
}) {
  const id = useId();
  return (
    <div className={kit.field} onBlur={onBlur}>
      <span className={kit.label}>HTML</span>
      <div className={css.code}>
        <Suspense fallback={<Loading lines={8} />}>
          <CodeEditor
            label="HTML"
            language="html"
            path="htmlContent"
            value={value ?? ''}
            onChange={onChange}
            wrongLines={[]}
            describedBy={error ? id : undefined}
          />
        </Suspense>
      </div>
      {error ? (
        <p className={kit.wrong} id={id}>
          {error}
        </p>
      ) : (
        <p className={kit.help}>
          Placeholders such as {'{{first_name|friend}}'} take the data of the contact; {'{{unsubscribe_url}}'}{' '}
          is its link to unsubscribe.
        </p>
      )}
    </div>
  );
}

/** The preview of the stored draft. */
function Shown({ saving, values, lacks }: { saving: Saving; values: Values; lacks: readonly string[] }) {
  if (saving.id === undefined) {
    return (
      <Box title="Preview">
        <div className={`${kit.boxBody} ${kit.quiet}`}>
          {lacks.length > 0
            ? `It appears once the draft has ${listed(lacks)}.`
            : 'It appears once the draft is saved.'}
        </div>
      </Box>
    );
  }
  return <Preview id={saving.id} version={saving.version} sender={mailbox(values.fromName, values.from)} />;
}
