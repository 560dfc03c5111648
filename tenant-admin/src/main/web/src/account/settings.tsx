import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Monitor, Moon, Sun } from 'lucide-react';
import { lazy, Suspense, useState } from 'react';
import { accepted, request } from '../app/graphql';
import { accountQuery } from '../app/queries';
import { setShortcuts, shortcutsOn } from '../app/shortcuts';
import { setTheme, useTheme, type Theme } from '../app/theme';
import { UpdateAccountDocument } from '../gen/graphql';
import { Box, Button, Facts, Id, Segments, Switch, Time } from '../kit/basics';
import { TextField } from '../kit/fields';
import { Form, useFields } from '../kit/form';
import kit from '../kit/kit.module.css';
import { Failed, Loading, Page } from '../kit/page';
import { ResendLink } from './resend';
import { Rest } from '../kit/problems';
import { useRights } from '../kit/rights';
import { Part } from './part';
import { SettingsNav } from './settings-nav';
import css from './settings.module.css';

const TimeZone = lazy(() => import('./time-zone'));
const Archive = lazy(() => import('../closure/archive'));
const Deletion = lazy(() => import('../closure/deletion'));

export function SettingsPage() {
  const account = useQuery(accountQuery);
  const { may } = useRights();
  const own = may('OWN_SIGN_IN');
  return (
    <Page title="Settings" needs="OWN_SIGN_IN">
      <SettingsNav />
      {!account.data ? (
        <Box>
          {account.error ? (
            <Failed error={account.error} retry={() => void account.refetch()} />
          ) : (
            <Loading lines={6} />
          )}
        </Box>
      ) : (
        <div className={css.column}>
          {own ? (
            <p className={kit.say}>
              You are signed in as <strong>{account.data.member.email}</strong>, with the role{' '}
              {account.data.member.role.toLowerCase()}.
            </p>
          ) : null}
          <Part title="Account" text="How the account is named in this app.">
            {own ? <Name name={account.data.member.name} /> : null}
            {may('SETTINGS') ? (
              <Suspense fallback={<Loading lines={2} />}>
                <TimeZone zone={account.data.account.timeZone} />
              </Suspense>
            ) : null}
            <Facts
              items={[
                ['Time zone', account.data.account.timeZone.replaceAll('_', ' ')],
                ['Address', account.data.member.email],
                ['Verified', account.data.account.emailVerified ? 'yes' : 'not yet'],
                ['Plan', account.data.account.plan],
                ['Since', <Time key="since" at={account.data.account.createdAt} />],
                ['Id', <Id key="id" id={account.data.account.id} />],
              ]}
            />
            {account.data.account.emailVerified || !own ? null : (
              <ResendLink email={account.data.account.email} />
            )}
          </Part>
          <Part title="This browser" text="Kept in this browser only.">
            <Browser />
          </Part>
          {may('ACCOUNT') ? (
            <Part title="Export" text="A ZIP file with lines of JSON: emails, events, contacts and all else.">
              <Suspense fallback={<Loading lines={2} />}>
                <Archive />
              </Suspense>
            </Part>
          ) : null}
          {may('ACCOUNT') ? (
            <Part title="Delete the account" text="With all its data. It can be cancelled for some days.">
              <Suspense fallback={<Loading lines={2} />}>
                <Deletion name={account.data.account.name || account.data.account.email} />
              </Suspense>
            </Part>
          ) : null}
        </div>
      )}
    </Page>
  );
}

function Name({ name }: { name: string }) {
  const client = useQueryClient();
  const [saved, setSaved] = useState(false);
  const fields = useFields({ name }, {}, async (values) => {
    setSaved(false);
    accepted((await request(UpdateAccountDocument, { input: { name: values.name.trim() } })).updateAccount);
    await client.invalidateQueries({ queryKey: accountQuery.queryKey });
    setSaved(true);
  });
  return (
    <Form fields={fields} label="Name">
      <TextField
        label="Name"
        maxLength={200}
        autoComplete="organization"
        {...fields.form.getInputProps('name')}
      />
      <Rest of={fields.rest} />
      <div className={kit.acts}>
        <Button type="submit" busy={fields.busy}>
          Save
        </Button>
        {saved ? (
          <span className={kit.quiet} role="status">
            Saved.
          </span>
        ) : null}
      </div>
    </Form>
  );
}

const themes: readonly { value: Theme; text: string; icon: typeof Sun }[] = [
  { value: 'system', text: 'System', icon: Monitor },
  { value: 'light', text: 'Light', icon: Sun },
  { value: 'dark', text: 'Dark', icon: Moon },
];

function Browser() {
  const theme = useTheme();
  const [on, setOn] = useState(shortcutsOn);
  return (
    <>
      <div className={css.line}>
        <span>Theme</span>
        <Segments label="Theme" value={theme} options={themes} onChange={setTheme} />
      </div>
      <div className={css.line}>
        <span>
          Keyboard shortcuts<small>Ctrl K works in any case.</small>
        </span>
        <Switch
          on={on}
          label="Keyboard shortcuts"
          onChange={(value) => {
            setShortcuts(value);
            setOn(value);
          }}
        />
      </div>
    </>
  );
}
