import { useQuery, useQueryClient } from '@tanstack/react-query';
import { lazy, Suspense, useState } from 'react';
import { accepted, request } from '../app/graphql';
import { RemoveSecondFactorDocument } from '../gen/graphql';
import { Button, Note } from '../kit/basics';
import { PasswordField } from '../kit/fields';
import { Form, rules, useFields } from '../kit/form';
import kit from '../kit/kit.module.css';
import { Failed, Loading } from '../kit/page';
import { Rest } from '../kit/problems';
import { counted } from '../words/formats';
import { secondFactorQuery } from './queries';

const Setup = lazy(() =>
  import('./second-factor-setup').then((module) => ({ default: module.SecondFactorSetup })),
);

/** The second factor of the person who signed in. */
export default function SecondFactor() {
  const client = useQueryClient();
  const state = useQuery(secondFactorQuery);
  const [act, setAct] = useState<'none' | 'setup' | 'removal'>('none');
  const changed = () => {
    setAct('none');
    void client.invalidateQueries({ queryKey: secondFactorQuery.queryKey });
  };
  if (state.error && !state.data) return <Failed error={state.error} retry={() => void state.refetch()} />;
  if (!state.data) return <Loading lines={2} />;
  if (act === 'setup')
    return (
      <Suspense fallback={<Loading lines={4} />}>
        <Setup onDone={changed} onCancel={() => setAct('none')} />
      </Suspense>
    );
  if (act === 'removal') return <Removal onDone={changed} onCancel={() => setAct('none')} />;
  if (!state.data.active) {
    return (
      <>
        <p>Off. Only the password is asked for.</p>
        <div className={kit.acts}>
          <Button onClick={() => setAct('setup')}>Set up a second factor</Button>
        </div>
      </>
    );
  }
  return (
    <>
      <p>
        On. Signing in needs a code of your authenticator app, or one of{' '}
        {counted(state.data.recoveryCodes, 'recovery code')} left.
      </p>
      {state.data.recoveryCodes < 3 ? (
        <Note tone="warn">
          Few recovery codes are left. Turn the second factor off and on again to get new ones.
        </Note>
      ) : null}
      <div className={kit.acts}>
        <Button kind="bad" onClick={() => setAct('removal')}>
          Turn off
        </Button>
      </div>
    </>
  );
}

function Removal({ onDone, onCancel }: { onDone: () => void; onCancel: () => void }) {
  const fields = useFields(
    { password: '' },
    { password: rules.required('the password') },
    async ({ password }) => {
      accepted((await request(RemoveSecondFactorDocument, { input: { password } })).removeSecondFactor);
      onDone();
    },
  );
  return (
    <Form fields={fields} label="Turn off the second factor">
      <PasswordField
        label="Your password"
        autoComplete="current-password"
        help="Afterwards the password alone signs in, and the recovery codes no longer work."
        {...fields.form.getInputProps('password')}
      />
      <Rest of={fields.rest} />
      <div className={kit.acts}>
        <Button type="submit" kind="badMain" busy={fields.busy}>
          Turn off
        </Button>
        <Button onClick={onCancel}>Keep it</Button>
      </div>
    </Form>
  );
}
