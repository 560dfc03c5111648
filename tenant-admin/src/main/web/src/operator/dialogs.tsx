import { useQueryClient } from '@tanstack/react-query';
import { Button } from '../kit/basics';
import { TextArea, TextField } from '../kit/fields';
import { Form, rules, useFields } from '../kit/form';
import kit from '../kit/kit.module.css';
import { Dialog } from '../kit/layers';
import { Rest } from '../kit/problems';
import { counted } from '../words/formats';
import {
  addNote,
  cancelDeletion,
  deleteAccount,
  dismiss,
  requeueAll,
  resume,
  savePlan,
  setLimits,
  suspend,
  type AccountView,
  type DeadLetter,
  type Plan,
} from './queries';
import { ReasonDialog } from './reason-dialog';
import { watchAccount } from './watch';

interface AccountDialog {
  readonly account: { readonly id: string; readonly name: string; readonly email: string };
  readonly onClose: () => void;
}

/** Suspends an account for a reason, which its owner is sent. */
export function SuspendAccount({ account, onClose }: AccountDialog) {
  const client = useQueryClient();
  const name = account.name || account.email;
  return (
    <ReasonDialog
      title={`Suspend ${name}?`}
      help="The owner is sent this text, and the audit log keeps it."
      verb="Suspend"
      keep="Cancel"
      bad
      act={(reason) => suspend(client, account.id, reason)}
      onClose={onClose}
    >
      <p>
        <strong>{name}</strong> can no longer send: new mail is refused, running campaigns pause, and mail in
        the queue waits. Mail that is already handed over still arrives.
      </p>
    </ReasonDialog>
  );
}

/** Lifts the pause of an account for a reason. */
export function LiftPause({ account, onClose }: AccountDialog) {
  const client = useQueryClient();
  return (
    <ReasonDialog
      title={`Reinstate ${account.name || account.email}?`}
      verb="Reinstate"
      keep="Leave it suspended"
      act={(reason) => resume(client, account.id, reason)}
      onClose={onClose}
    >
      <p>
        Mail in the queue is sent from now on. Campaigns stay paused until their owner resumes them. What is
        counted until midnight (UTC) does not pause the account again.
      </p>
    </ReasonDialog>
  );
}

/** Asks for the deletion of an account for a reason. */
export function DeleteAccount({ account, onClose }: AccountDialog) {
  const client = useQueryClient();
  const name = account.name || account.email;
  return (
    <ReasonDialog
      title={`Delete ${name}?`}
      verb="Delete"
      keep="Keep it"
      bad
      act={(reason) => deleteAccount(client, account.id, reason)}
      onClose={onClose}
    >
      <p>
        <strong>{name}</strong> can no longer send, and its owners are told. Some days later all its data and
        the people who sign in to it are deleted, and nothing can be restored. Until then its owners and you
        can cancel it.
      </p>
    </ReasonDialog>
  );
}

/** Cancels the deletion of an account for a reason. */
export function CancelDeletion({ account, onClose }: AccountDialog) {
  const client = useQueryClient();
  return (
    <ReasonDialog
      title={`Cancel the deletion of ${account.name || account.email}?`}
      verb="Cancel the deletion"
      keep="Leave it"
      act={(reason) => cancelDeletion(client, account.id, reason)}
      onClose={onClose}
    >
      <p>
        The account is as before it was asked for: it may send unless it was suspended. Campaigns stay paused
        until their owner resumes them.
      </p>
    </ReasonDialog>
  );
}

/** Begins to watch an account for a reason. */
export function WatchAccount({ account, onClose }: AccountDialog) {
  return (
    <ReasonDialog
      title={`Watch ${account.name || account.email}?`}
      verb="Watch"
      act={(reason) => watchAccount(account.id, reason)}
      onClose={onClose}
    >
      <p>
        You see its pages as its owner does, for half an hour at most, and cannot change anything. To read the
        content of an email, you state another reason.
      </p>
    </ReasonDialog>
  );
}

/** Adds a note about an account. */
export function AddNote({ account, onClose }: AccountDialog) {
  const client = useQueryClient();
  const fields = useFields({ note: '' }, { note: rules.required('a note') }, async ({ note }) => {
    await addNote(client, account.id, note.trim());
    onClose();
  });
  return (
    <Dialog title="Add a note" onClose={onClose}>
      <Form fields={fields} label="Add a note">
        <TextArea
          label="Note"
          rows={3}
          maxLength={1000}
          help="Operators see it, the owner does not."
          data-autofocus
          {...fields.form.getInputProps('note')}
        />
        <Rest of={fields.rest} />
        <div className={kit.dialogActs}>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" kind="main" busy={fields.busy}>
            Add note
          </Button>
        </div>
      </Form>
    </Dialog>
  );
}

/** Deletes a dead letter for a reason. */
export function DismissDeadLetter({ letter, onClose }: { letter: DeadLetter; onClose: () => void }) {
  const client = useQueryClient();
  return (
    <ReasonDialog
      title="Dismiss this dead letter?"
      verb="Dismiss"
      keep="Keep it"
      bad
      act={(reason) => dismiss(client, letter.id, reason)}
      onClose={onClose}
    >
      <p>
        {letter.emailId ? (
          <>
            It leaves this list. Its mail <strong>{letter.emailId}</strong> stays failed and can no longer be
            requeued.
          </>
        ) : (
          'It leaves this list. The record of the topic is not read again.'
        )}
      </p>
    </ReasonDialog>
  );
}

/** Returns the mails of all dead letters whose reason contains a text to the queue. */
export function RequeueDeadLetters({ why, onClose }: { why: string; onClose: () => void }) {
  const client = useQueryClient();
  return (
    <ReasonDialog
      title="Requeue all of these emails?"
      help="The audit log keeps it with each email."
      verb="Requeue all"
      act={(reason) => requeueAll(client, why, reason)}
      onClose={onClose}
    >
      <p>
        Every email that waits here with <strong>{why}</strong> in its reason is queued again. That is
        possible once: a second failure is final.
      </p>
    </ReasonDialog>
  );
}

/** Whether a text is a whole number or nothing. */
function wholeOrNone(value: string): string | null {
  return /^\d*$/.test(value.trim().replaceAll(',', '')) ? null : 'A whole number, or nothing.';
}

/** Sets limits of one account for a reason; an empty one is that of its plan. */
export function EditLimits({ account, onClose }: { account: AccountView['account']; onClose: () => void }) {
  const client = useQueryClient();
  const { dailyLimit, monthlyLimit, sendRate } = account.limits;
  const text = (value: number | null) => (value === null ? '' : String(value));
  const fields = useFields(
    { dailyLimit: text(dailyLimit), monthlyLimit: text(monthlyLimit), sendRate: text(sendRate), reason: '' },
    {
      dailyLimit: wholeOrNone,
      monthlyLimit: wholeOrNone,
      sendRate: wholeOrNone,
      reason: rules.required('a reason'),
    },
    async ({ reason, ...values }) => {
      const number = (value: string) => (value.trim() === '' ? null : Number(value.replaceAll(',', '')));
      await setLimits(client, {
        account: account.id,
        dailyLimit: number(values.dailyLimit),
        monthlyLimit: number(values.monthlyLimit),
        sendRate: number(values.sendRate),
        reason: reason.trim(),
      });
      onClose();
    },
  );
  return (
    <Dialog title="Limits of this account" onClose={onClose}>
      <div className={kit.dialogText}>
        <p>
          They count in place of those of the plan <strong>{account.plan}</strong>, at once. Leave a field
          empty to keep the limit of the plan.
        </p>
      </div>
      <Form fields={fields} label="Limits of this account">
        <TextField
          label="Emails a day (UTC)"
          inputMode="numeric"
          placeholder="as the plan"
          autoComplete="off"
          data-autofocus
          {...fields.form.getInputProps('dailyLimit')}
        />
        <TextField
          label="Emails a month (UTC)"
          inputMode="numeric"
          placeholder="as the plan"
          autoComplete="off"
          {...fields.form.getInputProps('monthlyLimit')}
        />
        <TextField
          label="Requests to send, per second"
          inputMode="numeric"
          placeholder="as the platform"
          autoComplete="off"
          help="For each instance of the API; emails by SMTP likewise. In force within seconds."
          {...fields.form.getInputProps('sendRate')}
        />
        <TextArea
          label="Reason"
          rows={2}
          maxLength={1000}
          help="The audit log keeps it."
          {...fields.form.getInputProps('reason')}
        />
        <Rest of={fields.rest} />
        <div className={kit.dialogActs}>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" kind="main" busy={fields.busy}>
            Save limits
          </Button>
        </div>
      </Form>
    </Dialog>
  );
}

const limits = [
  ['dailyLimit', 'Emails a day (UTC)'],
  ['monthlyLimit', 'Emails a month (UTC)'],
  ['domainLimit', 'Domains'],
  ['contactBookLimit', 'Contact books'],
  ['contactLimit', 'Contacts'],
] as const;

/** Creates a plan, or changes the limits of one. */
export function EditPlan({
  plan,
  names,
  onClose,
}: {
  plan: Plan | undefined;
  names: readonly string[];
  onClose: () => void;
}) {
  const client = useQueryClient();
  const text = (value: number | null | undefined) => (value == null ? '' : String(value));
  const fields = useFields(
    {
      name: plan?.name ?? '',
      dailyLimit: text(plan?.dailyLimit),
      monthlyLimit: text(plan?.monthlyLimit),
      domainLimit: text(plan?.domainLimit),
      contactBookLimit: text(plan?.contactBookLimit),
      contactLimit: text(plan?.contactLimit),
      reason: '',
    },
    {
      name: (value) =>
        !plan && names.includes(value.trim())
          ? 'This name is in use. Change that plan, or choose another name.'
          : /^[a-z0-9][a-z0-9_-]{0,49}$/.test(value.trim())
            ? null
            : 'Small letters, digits, - and _, at most 50.',
      dailyLimit: wholeOrNone,
      monthlyLimit: wholeOrNone,
      domainLimit: wholeOrNone,
      contactBookLimit: wholeOrNone,
      contactLimit: wholeOrNone,
    },
    async ({ name, reason, ...values }) => {
      const number = (value: string) => (value.trim() === '' ? null : Number(value.replaceAll(',', '')));
      await savePlan(client, {
        name: name.trim(),
        dailyLimit: number(values.dailyLimit),
        monthlyLimit: number(values.monthlyLimit),
        domainLimit: number(values.domainLimit),
        contactBookLimit: number(values.contactBookLimit),
        contactLimit: number(values.contactLimit),
        reason: reason.trim() || null,
      });
      onClose();
    },
  );
  return (
    <Dialog title={plan ? `Change ${plan.name}` : 'New plan'} onClose={onClose}>
      {plan ? (
        <div className={kit.dialogText}>
          <p>
            {plan.accounts === 0 ? (
              'No account has this plan.'
            ) : (
              <>
                The limits apply to <strong>{counted(plan.accounts, 'account')}</strong> at once.
              </>
            )}
          </p>
        </div>
      ) : null}
      <Form fields={fields} label={plan ? 'Change plan' : 'New plan'}>
        {plan ? null : (
          <TextField
            label="Name"
            autoComplete="off"
            maxLength={50}
            data-autofocus
            {...fields.form.getInputProps('name')}
          />
        )}
        {limits.map(([field, label]) => (
          <TextField
            key={field}
            label={label}
            inputMode="numeric"
            placeholder="no limit"
            autoComplete="off"
            {...fields.form.getInputProps(field)}
          />
        ))}
        <TextField
          label="Reason"
          optional
          autoComplete="off"
          maxLength={1000}
          help="The audit log keeps it."
          {...fields.form.getInputProps('reason')}
        />
        <Rest of={fields.rest} />
        <div className={kit.dialogActs}>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" kind="main" busy={fields.busy}>
            {plan ? 'Save' : 'Create plan'}
          </Button>
        </div>
      </Form>
    </Dialog>
  );
}
