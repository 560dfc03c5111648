import { accepted, request } from '../app/graphql';
import { ChangeMemberRoleDocument, InviteMemberDocument, type MemberRole } from '../gen/graphql';
import { Button } from '../kit/basics';
import { SelectField, TextField } from '../kit/fields';
import { Form, rules, useFields } from '../kit/form';
import kit from '../kit/kit.module.css';
import { Dialog } from '../kit/layers';
import { Rest } from '../kit/problems';
import { useRights } from '../kit/rights';
import type { TeamMember } from './queries';
import { assignable } from './roles';

export function Invite({ onClose, onDone }: { onClose: () => void; onDone: () => void }) {
  const fields = useFields<{ email: string; role: MemberRole }>(
    { email: '', role: 'DEVELOPER' },
    { email: rules.email },
    async ({ email, role }) => {
      accepted((await request(InviteMemberDocument, { input: { email: email.trim(), role } })).inviteMember);
      onDone();
    },
  );
  return (
    <Dialog title="Invite a person" onClose={onClose}>
      <Form fields={fields} label="Invite a person">
        <TextField
          label="Email address"
          type="email"
          autoComplete="off"
          autoFocus
          help="Gets an email with a link that works for a week."
          {...fields.form.getInputProps('email')}
        />
        <RoleField props={fields.form.getInputProps('role')} />
        <Rest of={fields.rest} />
        <div className={kit.dialogActs}>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" kind="main" busy={fields.busy}>
            Send the invitation
          </Button>
        </div>
      </Form>
    </Dialog>
  );
}

export function ChangeRole({
  member,
  onClose,
  onDone,
}: {
  member: TeamMember;
  onClose: () => void;
  onDone: () => void;
}) {
  const fields = useFields<{ role: MemberRole }>({ role: member.role }, {}, async ({ role }) => {
    accepted(
      (await request(ChangeMemberRoleDocument, { input: { memberId: member.id, role } })).changeMemberRole,
    );
    onDone();
  });
  return (
    <Dialog title={`Role of ${member.email}`} onClose={onClose}>
      <Form fields={fields} label="Role">
        <RoleField props={fields.form.getInputProps('role')} />
        <Rest of={fields.rest} />
        <div className={kit.dialogActs}>
          <Button onClick={onClose}>Keep it</Button>
          <Button type="submit" kind="main" busy={fields.busy}>
            Change the role
          </Button>
        </div>
      </Form>
    </Dialog>
  );
}

function RoleField({ props }: { props: object }) {
  const rights = useRights();
  return (
    <SelectField
      label="Role"
      help="Each role has the rights of those above it in this list. A change applies at once."
      {...props}
    >
      {assignable(rights).map(({ role, text, rights }) => (
        <option key={role} value={role}>
          {text}: {rights}
        </option>
      ))}
    </SelectField>
  );
}
