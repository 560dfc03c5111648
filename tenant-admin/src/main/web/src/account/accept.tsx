import { useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { accepted, send } from '../app/graphql';
import { session } from '../app/session';
import { AcceptInvitationDocument, CheckInvitationDocument } from '../gen/graphql';
import { Button } from '../kit/basics';
import { PasswordField, TextField } from '../kit/fields';
import { Form, rules, useFields } from '../kit/form';
import { Rest } from '../kit/problems';
import { Fault } from '../words/errors';
import { Frame, Text } from './frame';
import { takeToken } from './token';

/** The page behind the link of an invitation: a name and a password, then the person is signed in. */
export function AcceptPage() {
  const navigate = useNavigate();
  const client = useQueryClient();
  const [token] = useState(takeToken);
  const [refused, setRefused] = useState(token === null);
  useEffect(() => {
    if (token === null) return;
    send(CheckInvitationDocument, { input: { token } }, null)
      .then(({ checkInvitation }) => accepted(checkInvitation))
      .catch((error: unknown) => {
        if (concernsToken(error)) setRefused(true);
      });
  }, [token]);
  const fields = useFields(
    { name: '', password: '' },
    { password: rules.password },
    async ({ name, password }) => {
      try {
        const { member } = accepted(
          (
            await send(
              AcceptInvitationDocument,
              { input: { token: token!, password, name: name.trim() } },
              null,
            )
          ).acceptInvitation,
        );
        await session.signIn(member!.email, password);
      } catch (error) {
        if (concernsToken(error)) {
          setRefused(true);
          return;
        }
        throw error;
      }
      client.clear();
      await navigate({ to: '/' });
    },
  );
  if (refused) {
    return (
      <Frame title="This invitation no longer works" foot={<Link to="/login">Sign in</Link>}>
        <Text>
          <p>It was accepted or withdrawn, or it is older than a week. Ask for another one.</p>
        </Text>
      </Frame>
    );
  }
  return (
    <Frame title="Join the account">
      <Text>
        <p>Choose a password. You sign in with the address that the invitation was sent to.</p>
      </Text>
      <Form fields={fields} label="Join the account">
        <TextField label="Name" optional autoComplete="name" {...fields.form.getInputProps('name')} />
        <PasswordField
          label="Password"
          autoComplete="new-password"
          help="At least 12 characters."
          {...fields.form.getInputProps('password')}
        />
        <Rest of={fields.rest} />
        <Button type="submit" kind="main" wide busy={fields.busy}>
          Join
        </Button>
      </Form>
    </Frame>
  );
}

function concernsToken(error: unknown): boolean {
  return error instanceof Fault && error.problems.some((problem) => problem.field === 'token');
}
