import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Plus, Route } from 'lucide-react';
import { lazy, Suspense, useState, type ReactNode } from 'react';
import { Box, Button, Status, Time } from '../kit/basics';
import kit from '../kit/kit.module.css';
import { Confirm } from '../kit/layers';
import { Empty, Failed, Live, Loading, Page } from '../kit/page';
import { Table, type Column } from '../kit/table';
import { count, counted, number } from '../words/formats';
import { siteWord } from './causes';
import css from './operator.module.css';
import { actsColumn } from './row-menu';
import { forgetSite, providersQuery, resetProfile, type Profile, type SiteRow } from './queries';

const dialogs = () => import('./provider-dialogs');
const EditProfile = lazy(() => dialogs().then((module) => ({ default: module.EditProfile })));
const PauseSite = lazy(() => dialogs().then((module) => ({ default: module.PauseSite })));
const Explain = lazy(() => dialogs().then((module) => ({ default: module.Explain })));

type Open =
  | { readonly dialog: 'edit' | 'reset'; readonly profile: Profile | null }
  | { readonly dialog: 'pause' | 'forget'; readonly site: SiteRow }
  | { readonly dialog: 'explain' };

export function ProvidersPage() {
  const query = useQuery(providersQuery);
  const [open, setOpen] = useState<Open>();
  const close = () => setOpen(undefined);
  return (
    <Page
      title="Providers"
      after={<Live since={query.isRefetchError ? new Date(query.dataUpdatedAt) : null} />}
      acts={
        <>
          <Button icon={Route} onClick={() => setOpen({ dialog: 'explain' })}>
            Explain a mail
          </Button>
          <Button icon={Plus} onClick={() => setOpen({ dialog: 'edit', profile: null })}>
            Add a profile
          </Button>
        </>
      }
    >
      {query.data ? (
        <div className={`${kit.grid} ${css.dense}`}>
          <p className={kit.say} role="status">
            {sentence(query.data.sites)}
          </p>
          <Box title="Sites">
            {query.data.sites.length === 0 ? (
              <Empty title="None">
                <p>
                  No mail was sent directly in the last ten minutes, and nothing was learned. Servers that
                  share limits are listed here with their pace.
                </p>
              </Empty>
            ) : (
              <Sites rows={query.data.sites} open={setOpen} />
            )}
          </Box>
          <Box title="Profiles">
            <Profiles rows={query.data.providerProfiles} open={setOpen} />
          </Box>
        </div>
      ) : (
        <Box>
          {query.error ? (
            <Failed error={query.error} retry={() => void query.refetch()} />
          ) : (
            <Loading lines={6} />
          )}
        </Box>
      )}
      <Suspense fallback={null}>
        {open?.dialog === 'edit' ? <EditProfile profile={open.profile} onClose={close} /> : null}
        {open?.dialog === 'pause' ? <PauseSite site={open.site.site} onClose={close} /> : null}
        {open?.dialog === 'explain' ? <Explain onClose={close} /> : null}
        {open?.dialog === 'forget' ? <Forget site={open.site} onClose={close} /> : null}
        {open?.dialog === 'reset' && open.profile ? <Reset profile={open.profile} onClose={close} /> : null}
      </Suspense>
    </Page>
  );
}

function Sites({ rows, open }: { rows: readonly SiteRow[]; open: (dialog: Open) => void }) {
  const columns: Column<SiteRow>[] = [
    {
      head: 'Site',
      upTo: true,
      narrow: 1,
      cell: (row) => (
        <bdi className={kit.label} title={row.site}>
          {row.site}
        </bdi>
      ),
    },
    { head: 'State', narrow: 2, cell: (row) => <Status word={siteWord(row)} /> },
    {
      head: 'Pace',
      right: true,
      cell: (row) => (
        <span className={row.pace === 1 ? kit.quiet : undefined}>{Math.round(row.pace * 100)} %</span>
      ),
    },
    {
      head: 'Connections',
      right: true,
      cell: (row) =>
        row.connectionLimit > 0 ? `${number(row.connections)} of ${number(row.connectionLimit)}` : '–',
    },
    { head: 'A minute', right: true, cell: (row) => count(row.rate) },
    { head: 'Domains', right: true, cell: (row) => count(row.domains) },
    { head: 'Learned from', grow: true, narrow: 3, cell: learned },
    actsColumn(
      (row) => row.site,
      (row) => [
        row.reply === null
          ? { text: 'Pause', act: () => open({ dialog: 'pause', site: row }) }
          : { text: 'Forget', act: () => open({ dialog: 'forget', site: row }) },
      ],
    ),
  ];
  return <Table label="Sites" rows={rows} id={(row) => row.site} columns={columns} />;
}

function learned({ reply, learnedAt, closedUntil, pauses }: SiteRow): ReactNode {
  if (reply === null || !learnedAt) return <span className={kit.quiet}>–</span>;
  return (
    <span className={css.two}>
      <span className={`${kit.mono} ${kit.second}`} title={reply}>
        {reply}
      </span>
      <small>
        <Time at={learnedAt} />
        {pauses > 1 ? `, ${counted(pauses, 'pause')} in succession` : ''}
        {closedUntil ? (
          <>
            , until <Time at={closedUntil} />
          </>
        ) : null}
      </small>
    </span>
  );
}

function Profiles({ rows, open }: { rows: readonly Profile[]; open: (dialog: Open) => void }) {
  const limit = (value: number | null) => (value === null ? '–' : number(value));
  const columns: Column<Profile>[] = [
    { head: 'Profile', upTo: true, narrow: 1, cell: (row) => <span className={kit.label}>{row.name}</span> },
    {
      head: 'MX hosts end as',
      grow: true,
      narrow: 3,
      cell: (row) => <bdi>{row.suffixes?.join(', ') ?? <span className={kit.quiet}>all others</span>}</bdi>,
    },
    { head: 'Sessions', right: true, cell: (row) => limit(row.sessions) },
    { head: 'Mails each', right: true, cell: (row) => limit(row.mailsPerSession) },
    { head: 'Mails a minute', right: true, cell: (row) => limit(row.mailsPerMinute) },
    { head: 'TLS', cell: (row) => row.leastTls?.toLowerCase() ?? '–' },
    {
      head: 'Rules',
      narrow: 2,
      cell: (row) => (row.rules?.length ? counted(row.rules.length, 'rule') : '–'),
    },
    actsColumn(
      (row) => row.name,
      (row) => [
        { text: 'Edit', act: () => open({ dialog: 'edit', profile: row }) },
        { text: 'Reset', act: () => open({ dialog: 'reset', profile: row }) },
      ],
    ),
  ];
  return <Table label="Profiles" rows={rows} id={(row) => row.name} columns={columns} />;
}

function Forget({ site, onClose }: { site: SiteRow; onClose: () => void }) {
  const client = useQueryClient();
  return (
    <Confirm
      title={`Forget what was learned about ${site.site}?`}
      verb="Forget"
      keep="Keep it"
      mild
      onClose={onClose}
      act={() => forgetSite(client, site.site)}
    >
      <p>Within ten seconds workers send at the pace of the profile. A pause ends.</p>
    </Confirm>
  );
}

function Reset({ profile, onClose }: { profile: Profile; onClose: () => void }) {
  const client = useQueryClient();
  return (
    <Confirm
      title={`Reset ${profile.name}?`}
      verb="Reset"
      keep="Keep the changes"
      onClose={onClose}
      act={() => resetProfile(client, profile.name)}
    >
      <p>The changes of operators are removed; a profile that is not shipped is deleted.</p>
    </Confirm>
  );
}

/** Sites that are slowed or paused. */
function sentence(sites: readonly SiteRow[]): string {
  const paused = sites.filter((site) => site.circuit === 'OPEN').length;
  const slowed = sites.filter((site) => site.circuit !== 'OPEN' && site.pace < 1).length;
  if (paused + slowed === 0) return 'No site is slowed or paused.';
  const parts = [
    paused > 0 ? `${counted(paused, 'site')} ${paused === 1 ? 'gets' : 'get'} no mail now` : '',
    slowed > 0
      ? `${counted(slowed, 'site')} ${slowed === 1 ? 'gets' : 'get'} less than the profile permits`
      : '',
  ];
  return `${parts.filter((part) => part !== '').join(', and ')}.`;
}
