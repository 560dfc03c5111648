import { Check, CircleAlert, Info, TriangleAlert, type LucideIcon } from 'lucide-react';
import { Box, Button, ICON } from '../kit/basics';
import kit from '../kit/kit.module.css';
import { size } from '../words/formats';
import type { Problem } from './queries';
import css from './template.module.css';

/** Size of the HTML from which Gmail cuts a mail. */
const GMAIL_BYTES = 102_000;

type Tone = 'good' | 'info' | 'warn' | 'bad';

const icons: Record<Tone, LucideIcon> = { good: Check, info: Info, warn: TriangleAlert, bad: CircleAlert };

/** Results of the checks of the content. */
export function Checks({
  problems,
  missing,
  variables,
  values,
  onShow,
  onFill,
  pending,
}: {
  problems: readonly Problem[];
  missing: readonly string[];
  variables: readonly string[];
  values: { subject: string; htmlContent: string; textContent: string };
  onShow: (problem: Problem) => void;
  onFill: () => void;
  pending: boolean;
}) {
  const bytes = new TextEncoder().encode(values.htmlContent).length;
  const empty = !values.htmlContent && !values.textContent;
  return (
    <Box title="Checks" side={pending ? 'checking' : undefined}>
      <ul className={css.checks} aria-label="Checks">
        {problems.map((problem) => (
          <Item
            key={problem.field}
            tone="bad"
            act={
              problem.line ? (
                <Button small onClick={() => onShow(problem)}>
                  Go to line {problem.line}
                </Button>
              ) : null
            }
          >
            <b>{nouns[problem.field] ?? problem.field.replace('variables.', 'Sample value ')}</b>{' '}
            {problem.message}.
          </Item>
        ))}
        {empty ? (
          <Item tone="bad">
            <b>Content</b> is missing: write HTML or text.
          </Item>
        ) : null}
        {problems.length === 0 ? (
          <Item tone={variables.length === 0 ? 'info' : 'good'}>
            <b>{variables.length === 0 ? 'No placeholders' : 'Placeholders'}</b>{' '}
            {variables.length === 0 ? 'Every email is the same.' : variables.join(', ')}
          </Item>
        ) : null}
        {missing.length > 0 && problems.length === 0 ? (
          <Item
            tone="warn"
            act={
              <Button small onClick={onFill}>
                Add to the sample
              </Button>
            }
          >
            <b>No value</b> for {missing.join(', ')}. A fallback avoids a gap, as in{' '}
            {`{{${missing[0]}|friend}}`}.
          </Item>
        ) : null}
        {values.subject ? null : (
          <Item tone="info">
            <b>No subject</b> Each email has to bring its own.
          </Item>
        )}
        {values.htmlContent && !values.textContent ? (
          <Item tone="warn">
            <b>No text part</b> Readers without HTML see nothing, and some filters count it against the email.
          </Item>
        ) : null}
        {bytes > GMAIL_BYTES ? (
          <Item tone="warn">
            <b>{size(bytes)} of HTML</b> Gmail cuts an email above {size(GMAIL_BYTES)}.
          </Item>
        ) : null}
      </ul>
    </Box>
  );
}

const nouns: Record<string, string> = {
  subject: 'The subject',
  html_content: 'The HTML',
  text_content: 'The text',
};

function Item({ tone, act, children }: { tone: Tone; act?: React.ReactNode; children: React.ReactNode }) {
  const Icon = icons[tone];
  return (
    <li data-tone={tone}>
      <Icon {...ICON} strokeWidth={2} />
      <p className={kit.second}>{children}</p>
      {act}
    </li>
  );
}
