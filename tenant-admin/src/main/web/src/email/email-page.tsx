import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { useEvents } from '../app/live';
import { useRecent } from '../app/open';
import { Box } from '../kit/basics';
import { Failed, Loading, Page } from '../kit/page';
import { recipients } from '../words/formats';
import { EmailActs, isWaiting } from './acts';
import { EmailFacts, EmailState, EmailTabs, tabOf } from './detail';
import css from './email.module.css';
import { emailQuery } from './queries';

/** Interval in which a mail that is on its way is read again, in case an event is missed. */
const WAITING_INTERVAL_MS = 5000;

export function EmailPage() {
  const { id } = useParams({ from: '/shell/emails/$id' });
  const { tab } = useSearch({ from: '/shell/emails/$id' });
  const navigate = useNavigate();
  const client = useQueryClient();
  const email = useQuery({
    ...emailQuery(id),
    refetchInterval: ({ state }) => (state.data && isWaiting(state.data) ? WAITING_INTERVAL_MS : false),
  });
  useEvents((events) => {
    if (events.some((event) => event.emailId === id))
      void client.invalidateQueries({ queryKey: emailQuery(id).queryKey, exact: true });
  });
  useRecent(
    email.data ? `${email.data.subject || 'No subject'}, ${recipients(email.data.toEmails)}` : undefined,
    `/emails/${id}`,
  );
  const up = { to: '/emails', text: 'Emails' };
  if (!email.data) {
    return (
      <Page title="Email" up={up}>
        <Box>
          {email.error ? (
            <Failed error={email.error} retry={() => void email.refetch()} />
          ) : (
            <Loading lines={6} />
          )}
        </Box>
      </Page>
    );
  }
  return (
    <Page title={email.data.subject || 'No subject'} up={up} after={<EmailState email={email.data} />}>
      <EmailFacts email={email.data} />
      <EmailActs email={email.data} />
      <EmailTabs
        email={email.data}
        tab={tabOf(tab)}
        onTab={(name) =>
          void navigate({
            to: '/emails/$id',
            params: { id },
            search: { tab: name === 'timeline' ? undefined : name },
            replace: true,
          })
        }
      />
      <span className={css.columns} />
    </Page>
  );
}
