/** The steps that set up a second factor: the secret, a first code, the recovery codes. */
import { useEffect, useRef, useState } from 'react';
import { accepted, request } from '../app/graphql';
import { BeginSecondFactorDocument, ConfirmSecondFactorDocument } from '../gen/graphql';
import { Button, Code, CopyText, Note } from '../kit/basics';
import { PasswordField, TextField } from '../kit/fields';
import { Form, rules, useFields } from '../kit/form';
import kit from '../kit/kit.module.css';
import { Failed, Loading } from '../kit/page';
import { Rest } from '../kit/problems';
import { QrCode } from './qr-code';
import { Fault } from '../words/errors';
import css from './second-factor.module.css';

/** A secret that is not confirmed yet; it is not kept in the cache of queries. */
interface Enrolment {
  readonly secret: string;
  readonly url: string;
}

export function SecondFactorSetup({ onDone, onCancel }: { onDone: () => void; onCancel?: () => void }) {
  const [enrolment, setEnrolment] = useState<Enrolment>();
  const [error, setError] = useState<unknown>();
  const [asksPassword, setAsksPassword] = useState(false);
  const [codes, setCodes] = useState<readonly string[]>();
  const begun = useRef(false);
  const begin = async (password?: string) => {
    const input = password === undefined ? null : { password };
    const { secret, url } = accepted((await request(BeginSecondFactorDocument, { input })).beginSecondFactor);
    setEnrolment({ secret: secret!, url: url! });
  };
  // A sign-in a few minutes ago is enough. An older session needs the password.
  const tryWithoutPassword = async () => {
    setError(undefined);
    try {
      await begin();
    } catch (fault) {
      if (fault instanceof Fault && fault.problems.some((problem) => problem.field === 'password'))
        setAsksPassword(true);
      else setError(fault);
    }
  };
  useEffect(() => {
    if (!begun.current) void tryWithoutPassword();
    begun.current = true;
  });
  if (error) return <Failed error={error} retry={() => void tryWithoutPassword()} />;
  if (codes) return <RecoveryCodes codes={codes} onStored={onDone} />;
  if (!enrolment && asksPassword) return <AskPassword onEntered={begin} onCancel={onCancel} />;
  if (!enrolment) return <Loading lines={4} />;
  return (
    <div className={css.steps}>
      <div className={css.code}>
        <QrCode text={enrolment.url} label="QR code with the secret" />
        <div>
          <p>Scan the code with an authenticator app, or type the secret into it:</p>
          <p className={css.secret} data-totp>
            <CopyText text={enrolment.secret} shown={enrolment.secret.match(/.{4}/g)!.join(' ')} />
          </p>
        </div>
      </div>
      <ConfirmCode onConfirmed={setCodes} onCancel={onCancel} />
    </div>
  );
}

function AskPassword({
  onEntered,
  onCancel,
}: {
  onEntered: (password: string) => Promise<void>;
  onCancel: (() => void) | undefined;
}) {
  const fields = useFields(
    { password: '' },
    { password: rules.required('the password') },
    async ({ password }) => onEntered(password),
  );
  return (
    <Form fields={fields} label="Two-factor authentication">
      <PasswordField
        label="Your password"
        autoComplete="current-password"
        help="You signed in some time ago, so enter it again."
        {...fields.form.getInputProps('password')}
      />
      <Rest of={fields.rest} />
      <div className={kit.acts}>
        <Button type="submit" kind="main" busy={fields.busy}>
          Continue
        </Button>
        {onCancel ? <Button onClick={onCancel}>Cancel</Button> : null}
      </div>
    </Form>
  );
}

function ConfirmCode({
  onConfirmed,
  onCancel,
}: {
  onConfirmed: (codes: readonly string[]) => void;
  onCancel: (() => void) | undefined;
}) {
  const fields = useFields({ code: '' }, { code: rules.required('the code') }, async ({ code }) => {
    onConfirmed(
      accepted(
        (await request(ConfirmSecondFactorDocument, { input: { code: code.trim() } })).confirmSecondFactor,
      ).recoveryCodes ?? [],
    );
  });
  return (
    <Form fields={fields} label="Two-factor authentication">
      <TextField
        label="Verification code"
        autoComplete="one-time-code"
        inputMode="numeric"
        spellCheck={false}
        help="Six digits, to confirm that the app has the secret."
        {...fields.form.getInputProps('code')}
      />
      <Rest of={fields.rest} />
      <div className={kit.acts}>
        <Button type="submit" kind="main" busy={fields.busy}>
          Turn on
        </Button>
        {onCancel ? <Button onClick={onCancel}>Cancel</Button> : null}
      </div>
    </Form>
  );
}

function RecoveryCodes({ codes, onStored }: { codes: readonly string[]; onStored: () => void }) {
  return (
    <div className={css.steps}>
      <Note tone="warn">
        <strong>Store these recovery codes.</strong> They are not displayed again. Each replaces a code of the
        app once, if you lose it.
      </Note>
      <Code text={codes.join('\n')} label="the recovery codes" />
      <div className={kit.acts}>
        <Button kind="main" onClick={onStored}>
          I have stored them
        </Button>
      </div>
    </div>
  );
}
