import { Facts, Note, Time } from '../kit/basics';
import kit from '../kit/kit.module.css';
import { counted, duration, number } from '../words/formats';
import { delayedUntil, usedText } from '../words/warmup';
import { useAudience } from './audience';
import css from './compose.module.css';
import { describeFilter, toFilter } from './filter';
import type { Choices } from './queries';
import { mailbox, type Values } from './values';

const MINUTE_MS = 60_000;

/** Summary before the start: content, number of recipients, quota left. */
export function Review({ values, choices }: { values: Values; choices: Choices }) {
  const audience = useAudience(values);
  const { daily, monthly } = choices.usage;
  const people = values.contactBookId ? audience.data?.recipients : undefined;
  const mails = Math.max(0, (people ?? 0) - (audience.data?.suppressed ?? 0));
  const book = choices.contactBooks.nodes.find(({ id }) => id === values.contactBookId);
  const left = Math.min(daily.remaining ?? Infinity, monthly.remaining ?? Infinity);
  const filter = values.nested ?? toFilter(values.filter);
  const pace = Number(values.pace);
  const warmup =
    choices.domains.nodes.find(({ name }) => values.from.toLowerCase().endsWith(`@${name}`))?.warmup ?? null;
  const delayed = delayedUntil(mails, warmup);
  return (
    <div className={kit.grid}>
      <p className={css.reach}>
        {people === undefined ? (
          'Choose a contact book to see whom it reaches.'
        ) : (
          <>
            <b>{counted(mails, 'email')}</b> to <bdi>{book?.name}</bdi>
            {audience.data!.suppressed > 0
              ? `; ${counted(audience.data!.suppressed, 'suppressed address is', 'suppressed addresses are')} skipped`
              : ''}
            .
          </>
        )}
      </p>
      <Facts
        items={[
          ['From', <bdi key="from">{values.from ? mailbox(values.fromName, values.from) : 'none'}</bdi>],
          ['Subject', <bdi key="subject">{values.subject || 'none'}</bdi>],
          filter !== null && ['Only', describeFilter(filter)],
          pace > 0
            ? [
                'Pace',
                `${number(pace)} a minute${mails > 0 ? `, about ${duration((mails / pace) * MINUTE_MS)} in all` : ''}`,
              ]
            : null,
          warmup && [
            'Warm-up',
            `${usedText(warmup)}${delayed === null ? '' : `; the last ones on about ${delayed}`}`,
          ],
          [
            'Quota',
            left === Infinity ? (
              'Unlimited'
            ) : (
              <span key="quota" className={kit.num}>
                {daily.remaining === null ? (
                  ''
                ) : (
                  <>
                    {counted(daily.remaining, 'email')} left until <Time at={daily.resetsAt} />
                  </>
                )}
                {daily.remaining !== null && monthly.remaining !== null ? '; ' : ''}
                {monthly.remaining === null ? (
                  ''
                ) : (
                  <>
                    {counted(monthly.remaining, 'email')} left until <Time at={monthly.resetsAt} />
                  </>
                )}
              </span>
            ),
          ],
        ]}
      />
      {people === 0 ? (
        <Note tone="warn">
          <strong>It reaches no contact.</strong>{' '}
          {audience.data!.contacts === 0
            ? 'The book is empty.'
            : 'No subscribed contact satisfies the condition.'}
        </Note>
      ) : null}
      {mails > left ? (
        <Note tone="warn">
          <strong>The quota is smaller by {counted(mails - left, 'email')}.</strong> The campaign pauses when
          it is used up; resume it after the reset.
        </Note>
      ) : null}
    </div>
  );
}
