import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Monitor, Moon, Sun } from 'lucide-react';
import { lazy, Suspense, useState, type ReactNode } from 'react';
import { accepted, request } from '../app/graphql';
import { accountQuery } from '../app/queries';
import { session } from '../app/session';
import { setShortcuts, shortcutsOn } from '../app/shortcuts';
import { setTheme, useTheme, type Theme } from '../app/theme';
import { UpdateAccountDocument } from '../gen/graphql';
import { Box, Button, buttonClass, Facts, Id, Segments, Switch, Time } from '../kit/basics';
import { PasswordField, TextField } from '../kit/fields';
import { Form, rules, useFields } from '../kit/form';
import kit from '../kit/kit.module.css';
import { Failed, Loading, Page } from '../kit/page';
import { ResendLink } from './resend';
import { Rest } from '../kit/problems';
import { useRights } from '../kit/rights';
import css from './settings.module.css';

const Sessions = lazy(() => import('./sessions'));
const TimeZone = lazy(() => import('./time-zone'));
const SecondFactor = lazy(() => import('./second-factor'));

export function SettingsPage() {
  const account = useQuery(accountQuery);
  const { may } = useRights();
  const own = may('OWN_SIGN_IN');
  return (
    <Page title="Settings" needs="OWN_SIGN_IN">
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
            <div className={kit.acts}>
              <Link to="/settings/team" className={buttonClass({})}>
                Team
              </Link>
              <Link to="/settings/brand" className={buttonClass({})}>
                Brand
              </Link>
            </div>
            {account.data.account.emailVerified || !own ? null : (
              <ResendLink email={account.data.account.email} />
            )}
          </Part>
          {own ? (
            <>
              <Part title="Password" text="A new password ends all sessions, this one too.">
                <Password email={account.data.member.email} />
              </Part>
              <Part
                title="Two-factor authentication"
                text="A code of an authenticator app, besides the password."
              >
                <Suspense fallback={<Loading lines={2} />}>
                  <SecondFactor />
                </Suspense>
              </Part>
            </>
          ) : null}
          <Part title="This browser" text="Kept in this browser only.">
            <Browser />
          </Part>
          {own ? (
            <Part title="Sessions" text="Each sign-in is a session. It ends 30 days after its last use.">
              <Suspense fallback={<Loading lines={3} />}>
                <Sessions />
              </Suspense>
            </Part>
          ) : null}
        </div>
      )}
    </Page>
  );
}

function Part({ title, text, children }: { title: string; text: string; children: ReactNode }) {
  return (
    <section className={css.part} aria-label={title}>
      <div>
        <h2>{title}</h2>
        <p className={kit.quiet}>{text}</p>
      </div>
      <div className={css.body}>{children}</div>
    </section>
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

function Password({ email }: { email: string }) {
  const fields = useFields(
    { currentPassword: '', newPassword: '' },
    { currentPassword: rules.required('the present password'), newPassword: rules.password },
    async (values) => {
      accepted((await request(UpdateAccountDocument, { input: values })).updateAccount);
      session.ended();
    },
  );
  const { form } = fields;
  return (
    <Form fields={fields} label="Password">
      <input type="hidden" autoComplete="username" value={email} readOnly />
      <PasswordField
        label="Current password"
        autoComplete="current-password"
        {...form.getInputProps('currentPassword')}
      />
      <PasswordField
        label="New password"
        autoComplete="new-password"
        help="At least 12 characters."
        {...form.getInputProps('newPassword')}
      />
      <Rest of={fields.rest} />
      <div className={kit.acts}>
        <Button type="submit" busy={fields.busy}>
          Change password
        </Button>
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
