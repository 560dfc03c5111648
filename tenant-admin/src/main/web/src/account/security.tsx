import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense } from 'react';
import { accepted, request } from '../app/graphql';
import { accountQuery } from '../app/queries';
import { session } from '../app/session';
import { UpdateAccountDocument } from '../gen/graphql';
import { Button } from '../kit/basics';
import { PasswordField } from '../kit/fields';
import { Form, rules, useFields } from '../kit/form';
import kit from '../kit/kit.module.css';
import { Loading, Page } from '../kit/page';
import { Rest } from '../kit/problems';
import { useRights } from '../kit/rights';
import { Part } from './part';
import { SettingsNav } from './settings-nav';
import css from './settings.module.css';

const Sessions = lazy(() => import('./sessions'));
const SecondFactor = lazy(() => import('./second-factor'));

/** The sign-in of the person: password, second factor and sessions. */
export default function SecurityPage() {
  const own = useRights().may('OWN_SIGN_IN');
  const { data } = useQuery(accountQuery);
  return (
    <Page title="Security" up={{ to: '/settings', text: 'Settings' }} needs="OWN_SIGN_IN">
      <SettingsNav />
      {own && data ? (
        <div className={css.column}>
          <Part title="Password" text="A new password ends all sessions, this one too.">
            <Password email={data.member.email} />
          </Part>
          <Part
            title="Two-factor authentication"
            text="A code of an authenticator app, besides the password."
          >
            <Suspense fallback={<Loading lines={2} />}>
              <SecondFactor />
            </Suspense>
          </Part>
          <Part title="Sessions" text="Each sign-in is a session. It ends 30 days after its last use.">
            <Suspense fallback={<Loading lines={3} />}>
              <Sessions />
            </Suspense>
          </Part>
        </div>
      ) : (
        <p className={kit.say}>Everyone manages the own password, second factor and sessions.</p>
      )}
    </Page>
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
