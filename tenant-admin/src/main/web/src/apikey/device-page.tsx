/** The sign-in of a program without a browser: a person compares its code and chooses what its key may do. */
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import type { KeyPermission } from '../gen/graphql';
import { Box, Button, Facts, Note } from '../kit/basics';
import { TextField } from '../kit/fields';
import { Form, rules, useFields } from '../kit/form';
import kit from '../kit/kit.module.css';
import { Failed, Loading, Page } from '../kit/page';
import { explained, Rest } from '../kit/problems';
import { useRights } from '../kit/rights';
import { duration } from '../words/formats';
import { Expires, expiry, some, Use } from './choices';
import { Permissions, mayGive } from './permissions';
import { approveDevice, denyDevice, deviceQuery, type Device } from './queries';

export function DevicePage() {
  const { code } = useSearch({ from: '/shell/device' });
  const [answer, setAnswer] = useState<'approved' | 'denied'>();
  return (
    <Page title="Sign in a program" needs="API_KEYS">
      {answer ? (
        <Note tone={answer === 'approved' ? 'good' : 'info'}>
          <p role="status">
            {answer === 'approved' ? (
              <>
                The program has its key within a few seconds. It is listed under{' '}
                <Link to="/api-keys">API keys</Link>, where you can revoke it.
              </>
            ) : (
              'The program was refused. It gets no key.'
            )}
          </p>
        </Note>
      ) : code === undefined ? (
        <Enter />
      ) : (
        <Asked code={code} onAnswer={setAnswer} />
      )}
    </Page>
  );
}

function Enter() {
  const navigate = useNavigate();
  const fields = useFields({ code: '' }, { code: rules.required('the code') }, ({ code }) =>
    navigate({ to: '/device', search: { code: code.trim().toUpperCase() } }),
  );
  return (
    <Box title="Enter the code" padded>
      <Form fields={fields} label="Enter the code">
        <TextField
          label="Code"
          help="The program shows it: eight letters, such as BXQR-TKLM."
          autoComplete="off"
          maxLength={20}
          {...fields.form.getInputProps('code')}
        />
        <div className={kit.acts}>
          <Button type="submit" kind="main" busy={fields.busy}>
            Continue
          </Button>
        </div>
      </Form>
    </Box>
  );
}

function Asked({ code, onAnswer }: { code: string; onAnswer: (answer: 'approved' | 'denied') => void }) {
  const device = useQuery(deviceQuery(code));
  const rights = useRights();
  if (device.error) return <Failed error={device.error} retry={() => void device.refetch()} />;
  if (device.data === undefined) return <Loading lines={3} />;
  if (device.data === null)
    return (
      <div className={kit.grid}>
        <Note tone="warn">
          <p>
            No program waits with the code <strong className={kit.mono}>{code}</strong>. It is mistyped, used,
            or older than ten minutes. Start the sign-in again in the program.
          </p>
        </Note>
        <Enter />
      </div>
    );
  return (
    <div className={kit.grid}>
      <p className={kit.say}>
        <strong>{device.data.program} asks for an API key of this account.</strong> Approve it only if you
        started the sign-in yourself.
      </p>
      <Box title="The program" padded>
        <Facts
          items={[
            [
              'Code',
              <strong key="code" className={kit.mono}>
                {code}
              </strong>,
            ],
            ['Calls itself', device.data.program],
            ['System', device.data.device || 'unknown'],
            [
              'Network address',
              <span key="address" className={kit.mono}>
                {device.data.address || 'unknown'}
              </span>,
            ],
            ['Asked', <Age key="age" at={device.data.createdAt} />],
          ]}
        />
      </Box>
      {rights.may('API_KEYS') ? <Answer code={code} device={device.data} onAnswer={onAnswer} /> : null}
    </div>
  );
}

/** The time since the program asked. */
function Age({ at }: { at: string }) {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1000);
    return () => clearInterval(timer);
  }, []);
  const seconds = Math.max(1, Math.floor((now - Date.parse(at)) / 1000));
  return <span className={kit.num}>{seconds < 60 ? `${seconds} s` : duration(seconds * 1000)} ago</span>;
}

function Answer({
  code,
  device,
  onAnswer,
}: {
  code: string;
  device: Device;
  onAnswer: (answer: 'approved' | 'denied') => void;
}) {
  const client = useQueryClient();
  const { may } = useRights();
  const [denying, setDenying] = useState(false);
  const [failed, setFailed] = useState<readonly string[]>([]);
  const fields = useFields(
    {
      compared: false,
      name: device.program,
      permissions: device.requested.filter((permission) => mayGive(permission, may)) as KeyPermission[],
      days: '90',
    },
    {
      compared: (compared) => (compared ? null : 'Compare the codes first.'),
      name: rules.required('a name'),
      permissions: some,
    },
    async ({ name, permissions, days }) => {
      await approveDevice(client, { code, name: name.trim(), permissions, expiresAt: expiry(Number(days)) });
      onAnswer('approved');
    },
  );
  const { form } = fields;
  const deny = async () => {
    setDenying(true);
    try {
      await denyDevice(code);
      onAnswer('denied');
    } catch (error) {
      setFailed(explained(error, []).rest);
      setDenying(false);
    }
  };
  return (
    <Box title="Its key" padded>
      <Form fields={fields} label="Sign in the program">
        <label className={kit.check}>
          <input type="checkbox" {...form.getInputProps('compared', { type: 'checkbox' })} />
          <div>
            The program shows exactly this code
            <span>If it shows another one, or you did not start it, refuse.</span>
          </div>
        </label>
        {form.errors.compared ? <p className={kit.wrong}>{String(form.errors.compared)}</p> : null}
        <TextField
          label="Name of the key"
          autoComplete="off"
          maxLength={80}
          {...form.getInputProps('name')}
        />
        <Use
          value={form.values.permissions}
          onChange={(permissions) => form.setFieldValue('permissions', permissions)}
        />
        <Expires {...form.getInputProps('days')} />
        <Permissions
          ofAccount
          value={form.values.permissions}
          onChange={(permissions) => form.setFieldValue('permissions', permissions)}
          error={form.errors.permissions}
        />
        <Rest of={[...fields.rest, ...failed]} />
        <div className={kit.acts}>
          <Button type="submit" kind="main" busy={fields.busy}>
            Sign in the program
          </Button>
          <Button busy={denying} onClick={() => void deny()}>
            Refuse
          </Button>
        </div>
      </Form>
    </Box>
  );
}
