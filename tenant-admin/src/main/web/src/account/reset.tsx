import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { accepted, send } from '../app/graphql';
import { session } from '../app/session';
import { ForgotPasswordDocument, ResetPasswordDocument } from '../gen/graphql';
import { Button, buttonClass } from '../kit/basics';
import { PasswordField, TextField } from '../kit/fields';
import { Form, rules, useFields } from '../kit/form';
import { Fault } from '../words/errors';
import { Frame, Text } from './frame';
import { Rest } from '../kit/problems';
import { takeToken } from './token';

export function ForgotPage() {
  const [sentTo, setSentTo] = useState<string>();
  const fields = useFields({ email: '' }, { email: rules.email }, async ({ email }) => {
    accepted((await send(ForgotPasswordDocument, { input: { email: email.trim() } }, null)).forgotPassword);
    setSentTo(email.trim());
  });
  const foot = <Link to="/login">Back to sign in</Link>;
  if (sentTo) {
    return (
      <Frame title="Check your inbox" foot={foot}>
        <Text>
          <p>
            If <strong>{sentTo}</strong> has an account, an email with a link is on its way. The link works
            for an hour.
          </p>
        </Text>
      </Frame>
    );
  }
  return (
    <Frame title="Forgot the password" foot={foot}>
      <Text>
        <p>Enter the address of the account. We mail a link that sets a new password.</p>
      </Text>
      <Form fields={fields} label="Forgot the password">
        <TextField
          label="Email address"
          type="email"
          autoComplete="username"
          {...fields.form.getInputProps('email')}
        />
        <Rest of={fields.rest} />
        <Button type="submit" kind="main" wide busy={fields.busy}>
          Send reset link
        </Button>
      </Form>
    </Frame>
  );
}

export function ResetPage() {
  const [token] = useState(takeToken);
  const [state, setState] = useState<'open' | 'done' | 'refused'>(token ? 'open' : 'refused');
  const fields = useFields({ password: '' }, { password: rules.password }, async ({ password }) => {
    try {
      accepted(
        (await send(ResetPasswordDocument, { input: { token: token!, password } }, null)).resetPassword,
      );
    } catch (error) {
      if (
        error instanceof Fault
        && error.status === 400
        && !error.problems.some((problem) => problem.field === 'password')
      ) {
        setState('refused');
        return;
      }
      throw error;
    }
    session.ended();
    setState('done');
  });
  if (state === 'done') {
    return (
      <Frame title="The password is changed">
        <Text>
          <p>All sessions of the account have ended. Sign in with the new password.</p>
        </Text>
        <Link to="/login" className={buttonClass({ kind: 'main', wide: true })}>
          Sign in
        </Link>
      </Frame>
    );
  }
  if (state === 'refused') {
    return (
      <Frame title="This link no longer works" foot={<Link to="/login">Back to sign in</Link>}>
        <Text>
          <p>It was used, or it is older than an hour.</p>
        </Text>
        <Link to="/forgot-password" className={buttonClass({ kind: 'main', wide: true })}>
          Get another link
        </Link>
      </Frame>
    );
  }
  return (
    <Frame title="Choose a new password">
      <Form fields={fields} label="Choose a new password">
        <PasswordField
          label="New password"
          autoComplete="new-password"
          help="At least 12 characters. It ends all sessions of the account."
          {...fields.form.getInputProps('password')}
        />
        <Rest of={fields.rest} />
        <Button type="submit" kind="main" wide busy={fields.busy}>
          Change password
        </Button>
      </Form>
    </Frame>
  );
}
