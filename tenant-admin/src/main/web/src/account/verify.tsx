import { useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';
import { accepted, send } from '../app/graphql';
import { VerifyEmailDocument } from '../gen/graphql';
import { Button, buttonClass, Note } from '../kit/basics';
import { TextField } from '../kit/fields';
import { Form, rules, useFields } from '../kit/form';
import { Loading } from '../kit/page';
import { Fault, shown } from '../words/errors';
import { Frame, Text } from './frame';
import { Rest } from '../kit/problems';
import { resend } from './resend';
import { takeToken } from './token';

type State = { kind: 'busy' } | { kind: 'done'; email: string } | { kind: 'refused' } | { kind: 'failed'; error: Fault };

export function VerifyPage() {
  const [state, setState] = useState<State>({ kind: 'busy' });
  const client = useQueryClient();
  const [token] = useState(takeToken);
  const begun = useRef(false);
  const verify = async () => {
    setState({ kind: 'busy' });
    if (!token) {
      setState({ kind: 'refused' });
      return;
    }
    try {
      const { account } = accepted((await send(VerifyEmailDocument, { input: { token } }, null)).verifyEmail);
      setState({ kind: 'done', email: account?.email ?? 'Your address' });
      void client.invalidateQueries();
    } catch (error) {
      if (!(error instanceof Fault)) throw error;
      setState(error.status === 400 ? { kind: 'refused' } : { kind: 'failed', error });
    }
  };
  useEffect(() => {
    if (!begun.current) void verify();
    begun.current = true;
  });
  switch (state.kind) {
    case 'busy': return <Frame title="Verifying the address"><Loading lines={2} /></Frame>;
    case 'done': return (
      <Frame title="The address is verified">
        <Text><p><strong>{state.email}</strong> is yours. Next: a domain to send from.</p></Text>
        <Link to="/" className={buttonClass({ kind: 'main', wide: true })}>Continue</Link>
      </Frame>
    );
    case 'refused': return (
      <Frame title="This link no longer works" foot={<Link to="/login">Sign in</Link>}>
        <Text><p>It was used, or it is older than a day. Get another one:</p></Text>
        <ResendForm />
      </Frame>
    );
    case 'failed': return (
      <Frame title={shown(state.error).title}>
        <Text><p>{shown(state.error).text}</p></Text>
        <Button onClick={() => void verify()}>Try again</Button>
      </Frame>
    );
  }
}

function ResendForm() {
  const [sentTo, setSentTo] = useState<string>();
  const fields = useFields({ email: '' }, { email: rules.email }, async ({ email }) => {
    await resend(email.trim());
    setSentTo(email.trim());
  });
  if (sentTo) return <Note tone="good">If {sentTo} waits for its verification, another mail is on its way.</Note>;
  return (
    <Form fields={fields} label="Another link">
      <TextField label="Address" type="email" autoComplete="username" {...fields.form.getInputProps('email')} />
      <Rest of={fields.rest} />
      <Button type="submit" kind="main" wide busy={fields.busy}>Send another link</Button>
    </Form>
  );
}
