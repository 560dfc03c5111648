import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { accepted, request } from '../app/graphql';
import { accountQuery } from '../app/queries';
import { ChooseNoticesDocument, type NoticeKind } from '../gen/graphql';
import { Box, Note, Switch } from '../kit/basics';
import kit from '../kit/kit.module.css';
import { Failed, Loading, Page } from '../kit/page';
import { explained } from '../kit/problems';
import { noticesQuery } from './queries';
import { SettingsNav } from './settings-nav';

const kinds: readonly (readonly [NoticeKind, string, string])[] = [
  ['DOMAIN_LOST', 'A domain lost a record', 'Its mail is refused if the record is not back in time.'],
  ['TRACKING_DOMAIN_FAILED', 'A tracking domain fails', 'New mail no longer has its links.'],
  ['WEBHOOK_DISABLED', 'A webhook was disabled', 'After calls to it had failed for days.'],
  ['API_KEY_EXPIRES', 'An API key expires soon', 'A week and a day before its end.'],
  ['QUOTA_WARNING', '80% of the emails are used', 'Of a day or a month, in UTC.'],
  ['QUOTA_REACHED', 'All emails are used', 'New mail is refused until the next day or month.'],
  ['ACCOUNT_PAUSED', 'Sending was paused', 'For its bounces or complaints, or by an operator.'],
  ['CAMPAIGN_SENT', 'A campaign was sent', 'When its last email has left.'],
];

/** The events of which the person is told by mail. */
export default function NotificationsPage() {
  const client = useQueryClient();
  const notices = useQuery(noticesQuery);
  const account = useQuery(accountQuery);
  const [saved, setSaved] = useState(false);
  const [problem, setProblem] = useState<string>();
  const choose = async (kind: NoticeKind, on: boolean) => {
    const old = notices.data ?? [];
    const next = on ? [...old, kind] : old.filter((each) => each !== kind);
    setSaved(false);
    setProblem(undefined);
    client.setQueryData(noticesQuery.queryKey, next);
    try {
      accepted((await request(ChooseNoticesDocument, { input: { notices: next } })).chooseNotices);
      setSaved(true);
    } catch (error) {
      client.setQueryData(noticesQuery.queryKey, old);
      setProblem(explained(error, []).rest.join(' '));
    }
  };
  return (
    <Page title="Notifications" up={{ to: '/settings', text: 'Settings' }} needs="OWN_SIGN_IN">
      <SettingsNav />
      <div className={kit.grid}>
        <p className={kit.say}>
          Events of the account that are mailed to <strong>{account.data?.member.email ?? 'you'}</strong>,
          each at most once a day. <span role="status">{saved ? 'Saved.' : ''}</span>
        </p>
        {problem ? (
          <Note tone="bad" alert>
            {problem}
          </Note>
        ) : null}
        <Box label="Notifications">
          {!notices.data ? (
            notices.error ? (
              <Failed error={notices.error} retry={() => void notices.refetch()} />
            ) : (
              <Loading lines={8} />
            )
          ) : (
            kinds.map(([kind, name, text]) => (
              <div key={kind} className={kit.opt}>
                <div>
                  <b>{name}</b>
                  <span>{text}</span>
                </div>
                <Switch
                  on={notices.data.includes(kind)}
                  label={name}
                  needs="OWN_SIGN_IN"
                  onChange={(on) => void choose(kind, on)}
                />
              </div>
            ))
          )}
        </Box>
      </div>
    </Page>
  );
}
