import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { accepted, send } from '../app/graphql';
import { SignUpDocument } from '../gen/graphql';
import { Button } from '../kit/basics';
import { PasswordField, TextField } from '../kit/fields';
import { Form, rules, useFields } from '../kit/form';
import { Frame, Text } from './frame';
import { Rest } from '../kit/problems';
import { zoneName } from '../words/formats';
import { ResendLink } from './resend';

export function SignUpPage() {
  const [sentTo, setSentTo] = useState<string>();
  const fields = useFields(
    { name: '', email: '', password: '' },
    { email: rules.email, password: rules.password },
    async ({ name, email, password }) => {
      accepted(
        (
          await send(
            SignUpDocument,
            { input: { email: email.trim(), password, name: name.trim(), timeZone: zoneName() } },
            null,
          )
        ).signUp,
      );
      setSentTo(email.trim());
    },
  );
  const { form } = fields;
  if (sentTo) {
    return (
      <Frame
        title="Check your inbox"
        foot={
          <>
            <span>
              Verified? <Link to="/login">Sign in</Link>
            </span>
          </>
        }
      >
        <Text>
          <p>
            An email is on its way to <strong>{sentTo}</strong>. The link in it shows that the address is
            yours; it works for a day.
          </p>
        </Text>
        <ResendLink email={sentTo} />
      </Frame>
    );
  }
  return (
    <Frame
      title="Sign up"
      foot={
        <span>
          Have an account? <Link to="/login">Sign in</Link>
        </span>
      }
    >
      <Form fields={fields} label="Sign up">
        <TextField
          label="Name"
          optional
          autoComplete="organization"
          help="Your company or team, as it is shown to you."
          {...form.getInputProps('name')}
        />
        <TextField
          label="Email address"
          type="email"
          autoComplete="username"
          {...form.getInputProps('email')}
        />
        <PasswordField
          label="Password"
          autoComplete="new-password"
          help="At least 12 characters."
          {...form.getInputProps('password')}
        />
        <Rest of={fields.rest} />
        <Button type="submit" kind="main" wide busy={fields.busy}>
          Sign up
        </Button>
      </Form>
    </Frame>
  );
}
