/** Dialogs that change profiles, pause sites and explain the way of a mail. */
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { EmailStream, LeastTls } from '../gen/graphql';
import { Facts } from '../kit/basics';
import { SelectField, TextArea, TextField } from '../kit/fields';
import { rules, useFields } from '../kit/form';
import kit from '../kit/kit.module.css';
import { FormDialog, NameField } from './form-dialog';
import { explain, pauseSite, saveProfile, type ExplainedStep, type Profile } from './queries';
import { linesOf, rulesOf } from './reply-rules';
import { zoneName } from '../words/formats';
import { fromInput, future } from '../words/inputs';

const digits = (value: string) => (/^\d*$/.test(value.trim()) ? null : 'Enter a number, or nothing.');
const numberOf = (value: string) => (value.trim() === '' ? null : Number(value.trim()));
const textOf = (value: number | null | undefined) =>
  value === null || value === undefined ? '' : `${value}`;

/** Changes a profile, or adds one if there is none. */
export function EditProfile({ profile, onClose }: { profile: Profile | null; onClose: () => void }) {
  const client = useQueryClient();
  const known = profile?.rules ?? null;
  const fields = useFields(
    {
      name: profile?.name ?? '',
      suffixes: profile?.suffixes?.join(' ') ?? '',
      sessions: textOf(profile?.sessions),
      mailsPerSession: textOf(profile?.mailsPerSession),
      mailsPerMinute: textOf(profile?.mailsPerMinute),
      connectionsPerMinute: textOf(profile?.connectionsPerMinute),
      greylistSeconds: textOf(profile?.greylistSeconds),
      leastTls: (profile?.leastTls ?? '') as string,
      rules: linesOf(known),
    },
    {
      name: rules.required('a name'),
      sessions: digits,
      mailsPerSession: digits,
      mailsPerMinute: digits,
      connectionsPerMinute: digits,
      greylistSeconds: digits,
      rules: (value) => {
        const parsed = rulesOf(value, known);
        return typeof parsed === 'string' ? parsed : null;
      },
    },
    async (values) => {
      const parsed = rulesOf(values.rules, known);
      const suffixes = values.suffixes.split(/[\s,]+/).filter((one) => one !== '');
      await saveProfile(client, {
        name: values.name.trim(),
        suffixes: suffixes.length > 0 ? suffixes : null,
        sessions: numberOf(values.sessions),
        mailsPerSession: numberOf(values.mailsPerSession),
        mailsPerMinute: numberOf(values.mailsPerMinute),
        connectionsPerMinute: numberOf(values.connectionsPerMinute),
        greylistSeconds: numberOf(values.greylistSeconds),
        leastTls: values.leastTls === '' ? null : (values.leastTls as LeastTls),
        rules: typeof parsed === 'string' ? null : parsed,
      });
      onClose();
    },
  );
  return (
    <FormDialog
      title={profile ? `Profile ${profile.name}` : 'Add a profile'}
      label="Profile"
      text="Workers follow it within ten seconds and share its limits. An empty field is as shipped."
      fields={fields}
      verb="Save"
      onClose={onClose}
    >
      {profile ? null : <NameField label="Name" data-autofocus {...fields.form.getInputProps('name')} />}
      <NameField
        label="MX hosts end as"
        help="Domain names, separated by blanks."
        {...fields.form.getInputProps('suffixes')}
      />
      <TextField label="Sessions" inputMode="numeric" {...fields.form.getInputProps('sessions')} />
      <TextField
        label="Mails a session"
        inputMode="numeric"
        {...fields.form.getInputProps('mailsPerSession')}
      />
      <TextField
        label="Mails a minute"
        inputMode="numeric"
        {...fields.form.getInputProps('mailsPerMinute')}
      />
      <TextField
        label="New sessions a minute"
        inputMode="numeric"
        {...fields.form.getInputProps('connectionsPerMinute')}
      />
      <TextField
        label="Delay after greylisting"
        help="Seconds, if the reply names no time."
        inputMode="numeric"
        {...fields.form.getInputProps('greylistSeconds')}
      />
      <SelectField label="Least TLS" {...fields.form.getInputProps('leastTls')}>
        <option value="">as configured</option>
        <option value="ENCRYPTED">encrypted</option>
        <option value="VERIFIED">with a valid certificate</option>
      </SelectField>
      <TextArea
        label="Rules for replies"
        rows={6}
        spellCheck={false}
        className={kit.mono}
        help="One a line: slow, pause, pause_account, greylist, block or ignore, then a pattern (RE2). A pause may have seconds: pause:600."
        {...fields.form.getInputProps('rules')}
      />
    </FormDialog>
  );
}

/** Pauses a site until a time. */
export function PauseSite({ site, onClose }: { site: string; onClose: () => void }) {
  const client = useQueryClient();
  const fields = useFields(
    { reason: '', until: '' },
    {
      reason: rules.required('a reason'),
      until: future,
    },
    async ({ reason, until }) => {
      await pauseSite(client, { site, reason: reason.trim(), until: fromInput(until).toISOString() });
      onClose();
    },
  );
  return (
    <FormDialog
      title={`Pause ${site}?`}
      label="Pause"
      text="Within ten seconds no more mail to its servers is begun. Waiting mail keeps its attempts. When the pause ends, each worker tries two mails first."
      fields={fields}
      verb="Pause"
      kind="badMain"
      onClose={onClose}
    >
      <TextArea
        label="Reason"
        rows={3}
        maxLength={1000}
        help="Operators see it here and in the audit log."
        data-autofocus
        {...fields.form.getInputProps('reason')}
      />
      <TextField
        label="Until"
        type="datetime-local"
        help={`In the time zone of the account, ${zoneName()}.`}
        {...fields.form.getInputProps('until')}
      />
    </FormDialog>
  );
}

const steps: Record<Exclude<ExplainedStep['step'], 'STOP'>, string> = {
  TRANSPORT: 'Transport',
  POOL: 'Pool',
  SOURCE: 'Sending address',
  SITE: 'Site',
  PROFILE: 'Profile',
  PACE: 'Pace',
  CIRCUIT: 'Circuit',
  TLS_POLICY: 'TLS policy',
};

/** Explains the way of a mail without sending one. */
export function Explain({ onClose }: { onClose: () => void }) {
  const [shown, setShown] = useState<readonly ExplainedStep[]>();
  const fields = useFields(
    { account: '', domain: '', stream: 'TRANSACTIONAL', recipient: '' },
    {
      account: (value) => (/^[0-9a-f-]{36}$/i.test(value.trim()) ? null : 'Enter the id of an account.'),
      domain: rules.required('a domain'),
      recipient: rules.required('an address or a domain'),
    },
    async ({ account, domain, stream, recipient }) => {
      setShown(undefined);
      setShown(
        await explain({
          account: account.trim(),
          domain: domain.trim(),
          stream: stream as EmailStream,
          recipient: recipient.trim(),
        }),
      );
    },
  );
  return (
    <FormDialog
      title="Explain a mail"
      label="Mail"
      text="The way that a mail would take now. Nothing is sent."
      fields={fields}
      verb="Explain"
      cancel="Close"
      onClose={onClose}
      after={
        shown ? (
          <Facts
            items={shown.map(({ step, value, reason }) => [
              step === 'STOP' ? value : steps[step],
              step === 'STOP' ? (
                reason
              ) : (
                <>
                  <strong>{value}</strong> {reason}
                </>
              ),
            ])}
          />
        ) : null
      }
    >
      <NameField
        label="Account"
        help="Its id, which its page shows."
        data-autofocus
        {...fields.form.getInputProps('account')}
      />
      <NameField label="Sending domain" {...fields.form.getInputProps('domain')} />
      <NameField label="Recipient" {...fields.form.getInputProps('recipient')} />
      <SelectField label="Stream" {...fields.form.getInputProps('stream')}>
        <option value="TRANSACTIONAL">transactional</option>
        <option value="CAMPAIGN">campaign</option>
      </SelectField>
    </FormDialog>
  );
}
