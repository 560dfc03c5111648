import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import { Ban, Check, Eye, Gauge, Plus } from 'lucide-react';
import { lazy, Suspense, useState, type ReactNode } from 'react';
import { useActs, useRecent } from '../app/open';
import type { TransportName } from '../gen/graphql';
import { Box, Button, Facts, Id, Note, Status, Time } from '../kit/basics';
import kit from '../kit/kit.module.css';
import { Failed, Loading, Page } from '../kit/page';
import { Rate } from '../kit/rate';
import { Table } from '../kit/table';
import { useChoice } from '../kit/use-choice';
import { capital, counted, dot, full, number, percent, zoned } from '../words/formats';
import { accountWord, domainWord, isSending } from '../words/status';
import css from './operator.module.css';
import { accountQuery, chooseTransport, objectQuery, setPlan, type AccountView } from './queries';

const AuditTable = lazy(() => import('../audit/table').then((module) => ({ default: module.AuditTable })));
const dialogs = () => import('./dialogs');
const SuspendAccount = lazy(() => dialogs().then((module) => ({ default: module.SuspendAccount })));
const LiftPause = lazy(() => dialogs().then((module) => ({ default: module.LiftPause })));
const DeleteAccount = lazy(() => dialogs().then((module) => ({ default: module.DeleteAccount })));
const CancelDeletion = lazy(() => dialogs().then((module) => ({ default: module.CancelDeletion })));
const WatchAccount = lazy(() => dialogs().then((module) => ({ default: module.WatchAccount })));
const EditLimits = lazy(() => dialogs().then((module) => ({ default: module.EditLimits })));
const AddNote = lazy(() => dialogs().then((module) => ({ default: module.AddNote })));

export function AccountPage() {
  const { id } = useParams({ from: '/shell/operator/accounts/$id' });
  const query = useQuery(accountQuery(id));
  const [asking, setAsking] = useState<'pause' | 'deletion' | 'note' | 'limits' | 'watch'>();
  const close = () => setAsking(undefined);
  const up = { to: '/operator/accounts', text: 'Accounts' };
  const account = query.data?.account;
  const name = account?.name || account?.email || 'Account';
  useRecent(account ? name : undefined, `/operator/accounts/${id}`);
  useActs(
    account && account.deleteAt === null
      ? [
          {
            text: account.pausedReason === null ? 'Suspend the account' : 'Reinstate the account',
            act: () => setAsking('pause'),
          },
        ]
      : [],
  );
  if (!query.data || !account) {
    return (
      <Page title="Account" up={up}>
        <Box>
          {query.error ? (
            <Failed error={query.error} retry={() => void query.refetch()} />
          ) : (
            <Loading lines={6} />
          )}
        </Box>
      </Page>
    );
  }
  const act =
    account.deleteAt !== null ? (
      <Button kind="main" onClick={() => setAsking('deletion')}>
        Cancel the deletion
      </Button>
    ) : account.pausedReason === null ? (
      <Button kind="bad" icon={Ban} onClick={() => setAsking('pause')}>
        Suspend
      </Button>
    ) : (
      <Button kind="main" icon={Check} onClick={() => setAsking('pause')}>
        Reinstate
      </Button>
    );
  return (
    <Page
      title={name}
      up={up}
      after={<Status chip word={accountWord(account)} />}
      acts={
        <>
          <Button icon={Eye} onClick={() => setAsking('watch')}>
            Watch
          </Button>
          {act}
        </>
      }
    >
      <div className={`${kit.grid} ${css.dense}`}>
        <p className={`${kit.say} ${css.paused}`}>{sentence(query.data)}</p>
        <div className={css.columns}>
          <div className={kit.grid}>
            <Rates view={query.data} />
            <Domains view={query.data} />
            <Box
              title="Audit"
              side={
                <Link to="/operator/audit" search={{ account: id }}>
                  All of it
                </Link>
              }
            >
              {query.data.auditLog.nodes.length === 0 ? (
                <p className={css.none}>
                  No changes yet. Changes by its people and by operators are listed here.
                </p>
              ) : (
                <Suspense fallback={<Loading lines={4} />}>
                  <AuditTable rows={query.data.auditLog.nodes} history={objectQuery} />
                </Suspense>
              )}
            </Box>
          </div>
          <div className={kit.grid}>
            <Box title="Facts" padded>
              <Facts
                items={[
                  [
                    'Address',
                    account.email ? (
                      <bdi key="email">{account.email}</bdi>
                    ) : (
                      <span key="none" className={kit.quiet}>
                        none
                      </span>
                    ),
                  ],
                  ['Verified', account.emailVerified ? 'yes' : 'no'],
                  account.role !== 'TENANT' && ['Role', account.role.toLowerCase()],
                  ['Registered', <Time key="created" at={account.createdAt} />],
                  ['Transport', <TransportChoice key="transport" account={account} />],
                  account.feedbackTag !== null && ['Feedback tag', <Id key="tag" id={account.feedbackTag} />],
                  ['Id', <Id key="id" id={account.id} />],
                  account.deleteAt !== null && ['Deleted on', zoned(account.deleteAt)],
                ]}
              />
              {account.role === 'TENANT' && account.deleteAt === null ? (
                <div className={kit.acts}>
                  <Button small kind="bad" onClick={() => setAsking('deletion')}>
                    Delete the account
                  </Button>
                </div>
              ) : null}
            </Box>
            <Limits view={query.data} onEdit={() => setAsking('limits')} />
            <Notes view={query.data} onAdd={() => setAsking('note')} />
          </div>
        </div>
      </div>
      <Suspense fallback={null}>
        {asking === 'watch' ? <WatchAccount account={account} onClose={close} /> : null}
        {asking === 'limits' ? <EditLimits account={account} onClose={close} /> : null}
        {asking === 'note' ? <AddNote account={account} onClose={close} /> : null}
        {asking === 'deletion' ? (
          account.deleteAt === null ? (
            <DeleteAccount account={account} onClose={close} />
          ) : (
            <CancelDeletion account={account} onClose={close} />
          )
        ) : null}
        {asking === 'pause' ? (
          account.pausedReason === null ? (
            <SuspendAccount account={account} onClose={close} />
          ) : (
            <LiftPause account={account} onClose={close} />
          )
        ) : null}
      </Suspense>
    </Page>
  );
}

function sentence({ account, accountDomains }: AccountView): ReactNode {
  if (account.pausedReason !== null)
    return (
      <>
        <strong>It cannot send.</strong> {account.deleteAt === null ? 'Suspended: ' : ''}
        <bdi>{dot(account.deleteAt === null ? account.pausedReason : capital(account.pausedReason))}</bdi>
      </>
    );
  if (!accountDomains.some((domain) => isSending(domain.status)))
    return (
      <>
        <strong>It cannot send yet.</strong> None of its domains is verified.
      </>
    );
  const { sampleSize } = account.week;
  const head =
    account.standing === 'HEALTHY'
      ? 'It may send.'
      : account.standing === 'WARNING'
        ? 'It may send, but look at its rates.'
        : 'It may send, and too much comes back.';
  return (
    <>
      <strong>{head}</strong>{' '}
      {sampleSize === 0
        ? 'No mail was settled in the last 7 days.'
        : `${counted(sampleSize, 'email')} in 7 days, ${percent(account.week.bounceRate)} of them to addresses that do not exist.`}
    </>
  );
}

function Rates({
  view: {
    account: { week },
  },
}: {
  view: AccountView;
}) {
  const standing = (rate: number, warning: number, risky: number) =>
    rate > risky ? 'RISKY' : rate > warning ? 'WARNING' : 'HEALTHY';
  return (
    <Box title="Rates of 7 days">
      {week.sampleSize === 0 ? (
        <p className={css.none}>None: no mail was settled in the last 7 days.</p>
      ) : (
        <div>
          <Rate
            name="Bounces"
            value={week.bounceRate}
            digits={2}
            standing={standing(week.bounceRate, 2, 5)}
            limits={[2, 5]}
            text={`${number(week.hardBounced)} of ${number(week.sampleSize)} tried.`}
          />
          <Rate
            name="Complaints"
            value={week.complaintRate}
            digits={3}
            standing={standing(week.complaintRate, 0.05, 0.1)}
            limits={[0.05, 0.1]}
            text={`${number(week.complained)} of ${number(week.delivered)} delivered.`}
          />
        </div>
      )}
    </Box>
  );
}

function Domains({ view: { accountDomains: domains } }: { view: AccountView }) {
  return (
    <Box
      title="Domains"
      side={domains.length > 0 ? <span>{counted(domains.length, 'domain')}</span> : undefined}
    >
      {domains.length === 0 ? (
        <p className={css.none}>None.</p>
      ) : (
        <Table
          label="Domains"
          rows={domains}
          id={(row) => row.id}
          columns={[
            {
              head: 'Name',
              grow: true,
              narrow: 1,
              cell: (row) => <bdi className={kit.label}>{row.name}</bdi>,
            },
            { head: 'Status', narrow: 2, cell: (row) => <Status word={domainWord(row.status)} /> },
            {
              head: 'Transport',
              narrow: 3,
              cell: (row) => (
                <span className={kit.quiet}>
                  {row.transport === 'DEFAULT' ? 'as the account' : transports[row.transport]}
                </span>
              ),
            },
            {
              head: 'Added',
              right: true,
              narrow: 4,
              cell: (row) => (
                <span className={kit.quiet}>
                  <Time at={row.createdAt} />
                </span>
              ),
            },
          ]}
        />
      )}
    </Box>
  );
}

const transports: Record<TransportName, string> = { RELAY: 'the relay', MX: 'MX hosts' };

function TransportChoice({ account }: { account: AccountView['account'] }) {
  const client = useQueryClient();
  const { busy, error, choose } = useChoice((value: string) =>
    chooseTransport(client, account.id, value === '' ? null : (value as TransportName)),
  );
  return (
    <>
      <select
        className={`${kit.input} ${css.pick}`}
        aria-label="Transport"
        aria-busy={busy}
        value={account.transport ?? ''}
        onChange={(event) => void choose(event.target.value)}
      >
        <option value="">that of the platform</option>
        <option value="RELAY">the relay</option>
        <option value="MX">MX hosts</option>
      </select>
      {error ? (
        <Note tone="bad" alert>
          {error}
        </Note>
      ) : null}
    </>
  );
}

function Limits({
  view: { account, accountUsage: usage, plans },
  onEdit,
}: {
  view: AccountView;
  onEdit: () => void;
}) {
  const client = useQueryClient();
  const { busy, error, choose } = useChoice((plan: string) => setPlan(client, account.id, plan));
  return (
    <Box
      title="Plan and limits"
      padded
      side={
        <Button small icon={Gauge} onClick={onEdit}>
          Set limits
        </Button>
      }
    >
      <select
        className={kit.input}
        aria-label="Plan"
        aria-busy={busy}
        value={account.plan}
        onChange={(event) => void choose(event.target.value)}
      >
        {plans.map(({ name }) => (
          <option key={name} value={name}>
            {name}
          </option>
        ))}
      </select>
      {error ? (
        <Note tone="bad" alert>
          {error}
        </Note>
      ) : null}
      <div className={css.limits}>
        <Limit
          name="Emails today"
          used={usage.daily.used}
          limit={usage.daily.limit}
          own={account.limits.dailyLimit !== null}
          title={`Starts again at ${full(usage.daily.resetsAt)}`}
        />
        <Limit
          name="Emails this month"
          used={usage.monthly.used}
          limit={usage.monthly.limit}
          own={account.limits.monthlyLimit !== null}
          title={`Starts again at ${full(usage.monthly.resetsAt)}`}
        />
        <Limit name="Domains" used={usage.domains.used} limit={usage.domains.limit} />
        <Limit name="Contact books" used={usage.contactBooks.used} limit={usage.contactBooks.limit} />
        <Limit name="Contacts" used={usage.contacts.used} limit={usage.contacts.limit} />
        <div>
          <div>
            <span>Requests to send</span>
            <span>
              {account.limits.sendRate === null
                ? 'as the platform'
                : `${number(account.limits.sendRate)} a second`}
            </span>
          </div>
        </div>
      </div>
    </Box>
  );
}

function Limit({
  name,
  used,
  limit,
  own = false,
  title,
}: {
  name: string;
  used: number;
  limit: number | null;
  own?: boolean;
  title?: string;
}) {
  const share = limit ? used / limit : limit === 0 ? 1 : 0;
  return (
    <div title={title}>
      <div>
        <span>
          {name}
          {own ? ', set for this account' : ''}
        </span>
        <span>
          {number(used)}
          {limit === null ? ', no limit' : ` of ${number(limit)}`}
        </span>
      </div>
      {limit === null ? null : (
        <div className={kit.bar}>
          <i
            className={share >= 1 ? kit.wrongTone : share >= 0.8 ? kit.warn : undefined}
            style={{ width: `${Math.min(100, share * 100)}%` }}
          />
        </div>
      )}
    </div>
  );
}

function Notes({ view: { account }, onAdd }: { view: AccountView; onAdd: () => void }) {
  return (
    <Box
      title="Notes"
      padded
      side={
        <Button small icon={Plus} onClick={onAdd}>
          Add note
        </Button>
      }
    >
      {account.notes.length === 0 ? (
        <p className={kit.quiet}>None. Operators see notes, the owner does not.</p>
      ) : (
        <ul className={css.notes}>
          {account.notes.map((note) => (
            <li key={note.id}>
              <bdi>{note.note}</bdi>
              <small>
                <bdi>{note.authorEmail ?? 'A former operator'}</bdi>, <Time at={note.createdAt} />
              </small>
            </li>
          ))}
        </ul>
      )}
    </Box>
  );
}
