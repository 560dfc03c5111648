import { useQuery, useQueryClient } from '@tanstack/react-query';
import { UserPlus } from 'lucide-react';
import { lazy, Suspense, useState } from 'react';
import { SettingsNav } from '../account/settings-nav';
import { accepted, request } from '../app/graphql';
import { accountQuery } from '../app/queries';
import { RemoveMemberDocument, WithdrawInvitationDocument, type MemberRole } from '../gen/graphql';
import { Box, Button, Time } from '../kit/basics';
import kit from '../kit/kit.module.css';
import { Confirm } from '../kit/layers';
import { Failed, Loading, Page } from '../kit/page';
import { useRights } from '../kit/rights';
import { Table } from '../kit/table';
import { counted } from '../words/formats';
import { teamQuery, type TeamInvitation, type TeamMember } from './queries';
import { mayChange, roleText } from './roles';
import css from './team.module.css';

const Invite = lazy(() => import('./dialogs').then((module) => ({ default: module.Invite })));
const ChangeRole = lazy(() => import('./dialogs').then((module) => ({ default: module.ChangeRole })));

type Act =
  | { kind: 'invite' }
  | { kind: 'role'; member: TeamMember }
  | { kind: 'remove'; member: TeamMember }
  | { kind: 'withdraw'; invitation: TeamInvitation };

/** The people who sign in to the account, and open invitations. */
export default function TeamPage() {
  const client = useQueryClient();
  const team = useQuery(teamQuery);
  const [act, setAct] = useState<Act>();
  const done = async () => {
    setAct(undefined);
    await client.invalidateQueries({ queryKey: teamQuery.queryKey });
  };
  const own = team.data?.member.role;
  return (
    <Page
      title="Team"
      up={{ to: '/settings', text: 'Settings' }}
      needs="MEMBERS"
      acts={
        <Button kind="main" icon={UserPlus} needs="MEMBERS" onClick={() => setAct({ kind: 'invite' })}>
          Invite
        </Button>
      }
    >
      <SettingsNav />
      {!team.data || !own ? (
        <Box>
          {team.error ? (
            <Failed error={team.error} retry={() => void team.refetch()} />
          ) : (
            <Loading lines={6} />
          )}
        </Box>
      ) : (
        <div className={css.column}>
          <p className={kit.say}>
            <strong>
              {counted(team.data.members.length, 'person', 'people')}{' '}
              {team.data.members.length === 1 ? 'signs' : 'sign'} in to this account.
            </strong>{' '}
            You are {article(own)}.
          </p>
          <Members members={team.data.members} self={team.data.member.id} act={setAct} />
          {team.data.invitations.length > 0 ? (
            <Invitations invitations={team.data.invitations} act={setAct} />
          ) : null}
        </div>
      )}
      <Suspense fallback={null}>
        {act?.kind === 'invite' ? (
          <Invite onClose={() => setAct(undefined)} onDone={() => void done()} />
        ) : null}
        {act?.kind === 'role' ? (
          <ChangeRole
            member={act.member}
            onClose={() => setAct(undefined)}
            onDone={() => {
              void done();
              void client.invalidateQueries({ queryKey: accountQuery.queryKey });
            }}
          />
        ) : null}
      </Suspense>
      {act?.kind === 'remove' ? (
        <Confirm
          title={`Remove ${act.member.email}?`}
          verb="Remove"
          onClose={() => setAct(undefined)}
          act={async () => {
            accepted((await request(RemoveMemberDocument, { id: act.member.id })).removeMember);
            await done();
          }}
        >
          <p>
            The person is signed out at once and cannot sign in any more. API keys of the account go on
            working.
          </p>
        </Confirm>
      ) : null}
      {act?.kind === 'withdraw' ? (
        <Confirm
          title={`Withdraw the invitation of ${act.invitation.email}?`}
          verb="Withdraw"
          onClose={() => setAct(undefined)}
          act={async () => {
            accepted(
              (await request(WithdrawInvitationDocument, { id: act.invitation.id })).withdrawInvitation,
            );
            await done();
          }}
        >
          <p>The link in the email stops working.</p>
        </Confirm>
      ) : null}
    </Page>
  );
}

function article(role: MemberRole): string {
  const text = roleText(role).toLowerCase();
  return /^[aeiou]/.test(text) ? `an ${text}` : `a ${text}`;
}

function Members({
  members,
  self,
  act,
}: {
  members: readonly TeamMember[];
  self: string;
  act: (act: Act) => void;
}) {
  const rights = useRights();
  return (
    <Box>
      <Table
        label="Members"
        rows={members}
        id={(row) => row.id}
        columns={[
          {
            head: 'Person',
            grow: true,
            narrow: 1,
            cell: (row) => (
              <>
                <span>{row.email}</span>
                {row.id === self ? (
                  <span className={kit.second}> you</span>
                ) : row.name ? (
                  <span className={kit.second}> {row.name}</span>
                ) : null}
              </>
            ),
          },
          { head: 'Role', narrow: 3, cell: (row) => roleText(row.role) },
          { head: 'Since', cell: (row) => <Time at={row.createdAt} /> },
          {
            head: 'Act',
            right: true,
            narrow: 2,
            needs: 'MEMBERS',
            cell: (row) =>
              mayChange(rights, row.role) ? (
                <span className={css.acts}>
                  <Button
                    small
                    aria-label={`Role of ${row.email}`}
                    onClick={() => act({ kind: 'role', member: row })}
                  >
                    Role
                  </Button>
                  {row.founder ? null : (
                    <Button
                      small
                      kind="bad"
                      aria-label={`Remove ${row.email}`}
                      onClick={() => act({ kind: 'remove', member: row })}
                    >
                      Remove
                    </Button>
                  )}
                </span>
              ) : null,
          },
        ]}
      />
    </Box>
  );
}

function Invitations({
  invitations,
  act,
}: {
  invitations: readonly TeamInvitation[];
  act: (act: Act) => void;
}) {
  const rights = useRights();
  return (
    <Box title="Invitations">
      <Table
        label="Invitations"
        rows={invitations}
        id={(row) => row.id}
        columns={[
          { head: 'Address', grow: true, narrow: 1, cell: (row) => row.email },
          { head: 'Role', narrow: 3, cell: (row) => roleText(row.role) },
          { head: 'Link ends', cell: (row) => <Time at={row.expiresAt} /> },
          {
            head: 'Act',
            right: true,
            narrow: 2,
            needs: 'MEMBERS',
            cell: (row) =>
              mayChange(rights, row.role) ? (
                <Button
                  small
                  kind="bad"
                  aria-label={`Withdraw the invitation of ${row.email}`}
                  onClick={() => act({ kind: 'withdraw', invitation: row })}
                >
                  Withdraw
                </Button>
              ) : null,
          },
        ]}
      />
    </Box>
  );
}
