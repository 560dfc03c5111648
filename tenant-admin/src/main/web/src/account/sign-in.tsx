import { useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate, useRouter, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { session } from '../app/session';
import { Button, Note } from '../kit/basics';
import { PasswordField, TextField } from '../kit/fields';
import { Form, rules, useFields } from '../kit/form';
import { Fault } from '../words/errors';
import { Rest } from '../kit/problems';
import { Frame, Text } from './frame';

export function SignInPage() {
  const navigate = useNavigate();
  const router = useRouter();
  const client = useQueryClient();
  const { next } = useSearch({ from: '/login' });
  const [challenge, setChallenge] = useState<string | null>(null);
  const [ended, setEnded] = useState(false);
  const proceed = async () => {
    client.clear();
    await (next && next.startsWith('/') && !next.startsWith('//')
      ? Promise.resolve(router.history.push(next))
      : navigate({ to: '/' }));
  };
  if (challenge !== null) {
    return (
      <CodeStep
        challenge={challenge}
        proceed={proceed}
        back={(over) => {
          setEnded(over);
          setChallenge(null);
        }}
      />
    );
  }
  return (
    <PasswordStep
      ended={ended}
      done={async (required) => {
        if (required === null) await proceed();
        else setChallenge(required);
      }}
    />
  );
}

function PasswordStep({
  ended,
  done,
}: {
  ended: boolean;
  done: (challenge: string | null) => Promise<void>;
}) {
  const fields = useFields(
    { email: '', password: '' },
    { email: rules.email, password: rules.required('the password') },
    async ({ email, password }) => {
      const challenge = await session.signIn(email.trim(), password).catch((error: unknown) => {
        if (error instanceof Fault && error.kind === 'unauthorized')
          throw new Fault('sign_in', 'Wrong email address or password.', 400);
        if (error instanceof Fault && error.kind === 'misdirected') return goElsewhere(error);
        throw error;
      });
      await done(challenge);
    },
  );
  const { form } = fields;
  return (
    <Frame
      title="Sign in"
      foot={
        <>
          <span>
            No account? <Link to="/sign-up">Sign up</Link>
          </span>
          <Link to="/forgot-password">Forgot password?</Link>
        </>
      }
    >
      {ended ? (
        <Note tone="warn" alert>
          This sign-in has ended, after five codes or five minutes. Sign in again.
        </Note>
      ) : null}
      <Form fields={fields} label="Sign in">
        <TextField
          label="Email address"
          type="email"
          autoComplete="username"
          autoFocus
          {...form.getInputProps('email')}
        />
        <PasswordField label="Password" autoComplete="current-password" {...form.getInputProps('password')} />
        <Rest of={fields.rest} />
        <Button type="submit" kind="main" wide busy={fields.busy}>
          Sign in
        </Button>
      </Form>
    </Frame>
  );
}

/** Goes to the web app of the cell that has the address; the message ends with its URL. */
function goElsewhere(fault: Fault): Promise<never> {
  const url = /https?:\S+$/.exec(fault.message)?.[0];
  if (url === undefined) throw fault;
  location.assign(`${url}/login`);
  return new Promise(() => {});
}

/** The second step of accounts with a second factor. */
function CodeStep({
  challenge,
  proceed,
  back,
}: {
  challenge: string;
  proceed: () => Promise<void>;
  back: (ended: boolean) => void;
}) {
  const fields = useFields({ code: '' }, { code: rules.required('the code') }, async ({ code }) => {
    try {
      await session.signInWithCode(challenge, code.trim());
    } catch (error) {
      if (error instanceof Fault && error.kind === 'unauthorized') {
        throw new Fault('invalid_request_data', error.message, 400, null, null, [
          { name: 'invalid_request_data', field: 'code', message: error.message },
        ]);
      }
      if (error instanceof Fault && error.problems.some((problem) => problem.field === 'challenge')) {
        back(true);
        return;
      }
      throw error;
    }
    await proceed();
  });
  return (
    <Frame
      title="Enter the code"
      foot={
        <Button kind="bare" onClick={() => back(false)}>
          Back to sign in
        </Button>
      }
    >
      <Text>
        <p>The account has a second factor. Open your authenticator app, or use a recovery code.</p>
      </Text>
      <Form fields={fields} label="Enter the code">
        <TextField
          label="Code"
          autoComplete="one-time-code"
          autoFocus
          spellCheck={false}
          help="Six digits. Each code works once."
          {...fields.form.getInputProps('code')}
        />
        <Rest of={fields.rest} />
        <Button type="submit" kind="main" wide busy={fields.busy}>
          Sign in
        </Button>
      </Form>
    </Frame>
  );
}
