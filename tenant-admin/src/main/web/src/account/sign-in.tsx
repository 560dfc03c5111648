import { useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate, useRouter, useSearch } from '@tanstack/react-router';
import { session } from '../app/session';
import { Button } from '../kit/basics';
import { PasswordField, TextField } from '../kit/fields';
import { Form, rules, useFields } from '../kit/form';
import { Fault } from '../words/errors';
import { Rest } from '../kit/problems';
import { Frame } from './frame';

export function SignInPage() {
  const navigate = useNavigate();
  const router = useRouter();
  const client = useQueryClient();
  const { next } = useSearch({ from: '/login' });
  const fields = useFields({ email: '', password: '' }, { email: rules.email, password: rules.required('the password') }, async ({ email, password }) => {
    await session.signIn(email.trim(), password).catch((error: unknown) => {
      if (error instanceof Fault && error.kind === 'unauthorized') throw new Fault('sign_in', 'The address or the password is wrong.', 400);
      throw error;
    });
    client.clear();
    await (next && next.startsWith('/') && !next.startsWith('//') ? Promise.resolve(router.history.push(next)) : navigate({ to: '/' }));
  });
  const { form } = fields;
  return (
    <Frame title="Sign in" foot={<><span>No account? <Link to="/sign-up">Sign up</Link></span><Link to="/forgot-password">Forgot the password?</Link></>}>
      <Form fields={fields} label="Sign in">
        <TextField label="Address" type="email" autoComplete="username" autoFocus {...form.getInputProps('email')} />
        <PasswordField label="Password" autoComplete="current-password" {...form.getInputProps('password')} />
        <Rest of={fields.rest} />
        <Button type="submit" kind="main" wide busy={fields.busy}>Sign in</Button>
      </Form>
    </Frame>
  );
}
