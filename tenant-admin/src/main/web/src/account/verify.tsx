import { useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';
import { accepted, send } from '../app/graphql';
import { session } from '../app/session';
import { VerifyEmailDocument } from '../gen/graphql';
import { Button, buttonClass, Note } from '../kit/basics';
import { PasswordField, TextField } from '../kit/fields';
import { Form, rules, useFields } from '../kit/form';
import { Loading } from '../kit/page';
import { Fault, shown } from '../words/errors';
import { Frame, Text } from './frame';
import { Rest } from '../kit/problems';
import { resend } from './resend';
import { takeToken } from './token';

type State =
  | { kind: 'busy' }
  | { kind: 'password' }
  | { kind: 'done'; email: string; changed: boolean }
  | { kind: 'refused' }
  | { kind: 'failed'; error: Fault };

/** The passwords that a request may have besides the token. */
interface Passwords {
  readonly password?: string;
  readonly newPassword?: string;
}

/**
 * The page behind the link in the mail. Without a session of the account it asks for the password or a new one, with which
 * it also signs in.
 */
export function VerifyPage() {
  const [state, setState] = useState<State>({ kind: 'busy' });
  const client = useQueryClient();
  const [token] = useState(takeToken);
  const begun = useRef(false);
  const verify = async (passwords: Passwords) => {
    const caller = await session.token();
    const { account } = accepted(
      (await send(VerifyEmailDocument, { input: { token: token!, ...passwords } }, caller)).verifyEmail,
    );
    const password = passwords.newPassword ?? passwords.password;
    if (passwords.newPassword) session.ended();
    if (account && password) {
      // The address is verified in any case: without a session, Continue leads to the sign-in.
      await session.signIn(account.email, password).catch(() => null);
      client.clear();
    }
    setState({
      kind: 'done',
      email: account?.email ?? 'Your address',
      changed: passwords.newPassword !== undefined,
    });
    void client.invalidateQueries();
  };
  const open = async () => {
    setState({ kind: 'busy' });
    if (!token) {
      setState({ kind: 'refused' });
      return;
    }
    try {
      await verify({});
    } catch (error) {
      if (!(error instanceof Fault)) throw error;
      setState(
        concerns(error, 'password')
          ? { kind: 'password' }
          : error.status === 400
            ? { kind: 'refused' }
            : { kind: 'failed', error },
      );
    }
  };
  useEffect(() => {
    if (!begun.current) void open();
    begun.current = true;
  });
  switch (state.kind) {
    case 'busy':
      return (
        <Frame title="Verifying your email address">
          <Loading lines={2} />
        </Frame>
      );
    case 'password':
      return (
        <PasswordStep
          verify={(passwords) =>
            verify(passwords).catch((error: unknown) => {
              if (!(error instanceof Fault) || !concerns(error, 'token')) throw error;
              setState({ kind: 'refused' });
            })
          }
        />
      );
    case 'done':
      return (
        <Frame title="Email verified">
          <Text>
            <p>
              <strong>{state.email}</strong> is yours.{' '}
              {state.changed ? 'The new password is set.' : 'Next, add a sending domain.'}
            </p>
          </Text>
          <Link to="/" className={buttonClass({ kind: 'main', wide: true })}>
            Continue
          </Link>
        </Frame>
      );
    case 'refused':
      return (
        <Frame title="This link no longer works" foot={<Link to="/login">Sign in</Link>}>
          <Text>
            <p>It was used, or it is older than a day. Get another one:</p>
          </Text>
          <ResendForm />
        </Frame>
      );
    case 'failed':
      return (
        <Frame title={shown(state.error).title}>
          <Text>
            <p>{shown(state.error).text}</p>
          </Text>
          <Button onClick={() => void open()}>Try again</Button>
        </Frame>
      );
  }
}

function concerns(error: Fault, field: string): boolean {
  return error.status === 400 && error.problems.some((problem) => problem.field === field);
}

/** Asks whether the reader of the mail chose the password of the registration. */
function PasswordStep({ verify }: { verify: (passwords: Passwords) => Promise<void> }) {
  const [changing, setChanging] = useState(false);
  return changing ? (
    <NewPassword verify={verify} back={() => setChanging(false)} />
  ) : (
    <OldPassword verify={verify} change={() => setChanging(true)} />
  );
}

function OldPassword({
  verify,
  change,
}: {
  verify: (passwords: Passwords) => Promise<void>;
  change: () => void;
}) {
  const fields = useFields({ password: '' }, { password: rules.required('the password') }, ({ password }) =>
    verify({ password }),
  );
  return (
    <Frame title="Enter your password">
      <Text>
        <p>Confirm your password to finish.</p>
      </Text>
      <Form fields={fields} label="Enter your password">
        <PasswordField
          label="Password"
          autoComplete="current-password"
          autoFocus
          help="The one you chose when you signed up."
          {...fields.form.getInputProps('password')}
        />
        <Rest of={fields.rest} />
        <Button type="submit" kind="main" wide busy={fields.busy}>
          Verify email
        </Button>
      </Form>
      <Button wide onClick={change}>
        Choose a new password instead
      </Button>
    </Frame>
  );
}

function NewPassword({
  verify,
  back,
}: {
  verify: (passwords: Passwords) => Promise<void>;
  back: () => void;
}) {
  const fields = useFields({ newPassword: '' }, { newPassword: rules.password }, ({ newPassword }) =>
    verify({ newPassword }),
  );
  return (
    <Frame title="Choose a new password">
      <Text>
        <p>It replaces the password of the registration and ends all sessions of the account.</p>
      </Text>
      <Form fields={fields} label="Choose a new password">
        <PasswordField
          label="New password"
          autoComplete="new-password"
          autoFocus
          help="At least 12 characters."
          {...fields.form.getInputProps('newPassword')}
        />
        <Rest of={fields.rest} />
        <Button type="submit" kind="main" wide busy={fields.busy}>
          Verify email
        </Button>
      </Form>
      <Button wide onClick={back}>
        I know the password
      </Button>
    </Frame>
  );
}

function ResendForm() {
  const [sentTo, setSentTo] = useState<string>();
  const fields = useFields({ email: '' }, { email: rules.email }, async ({ email }) => {
    await resend(email.trim());
    setSentTo(email.trim());
  });
  if (sentTo)
    return <Note tone="good">If {sentTo} waits for its verification, another email is on its way.</Note>;
  return (
    <Form fields={fields} label="Another link">
      <TextField
        label="Email address"
        type="email"
        autoComplete="username"
        {...fields.form.getInputProps('email')}
      />
      <Rest of={fields.rest} />
      <Button type="submit" kind="main" wide busy={fields.busy}>
        Send another link
      </Button>
    </Form>
  );
}
