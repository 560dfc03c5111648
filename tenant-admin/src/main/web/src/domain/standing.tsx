/** The tabs of a domain beside its records: reports, rules and providers, its tracking domains and its routes. */
import { useQuery, type UseQueryResult } from '@tanstack/react-query';
import { lazy, Suspense, type ReactNode } from 'react';
import { Bars } from '../kit/bars';
import { Box, Code, Facts, Note, Status, Time } from '../kit/basics';
import kit from '../kit/kit.module.css';
import { Empty, Failed, Loading } from '../kit/page';
import { Table } from '../kit/table';
import { number, shareText } from '../words/formats';
import { readinessWord } from '../words/status';
import css from './domain.module.css';
import {
  dmarcQuery,
  providersQuery,
  readinessQuery,
  tlsReportsQuery,
  type Dmarc,
  type ReadinessRow,
} from './queries';
import { Routes } from './routes';
import { TrackingDomains } from './tracking';
import { providerName, readinessSentence, reportSentence } from './reports';
import type { Tab } from './views';

const rules: Record<ReadinessRow['rule'], string> = {
  SPF: 'SPF',
  DKIM: 'DKIM',
  DKIM_KEY: 'DKIM key',
  DMARC: 'DMARC',
  DMARC_REPORTS: 'DMARC reports',
  ONE_CLICK: 'One-click unsubscription',
  TRACKING_DOMAIN: 'Tracking domain',
  COMPLAINTS: 'Complaints',
  REVERSE_DNS: 'Reverse DNS',
  TLS: 'TLS',
  FROM: 'One author',
  BIMI: 'Logo (BIMI)',
};

const worst = ['FAIL', 'WARN', 'UNKNOWN', 'PASS'] as const;

const HostedPolicy = lazy(async () => ({ default: (await import('./policy')).HostedPolicy }));

/** The content of a tab, once it was read. */
function Read<T>({ query, children }: { query: UseQueryResult<T>; children: (data: T) => ReactNode }) {
  if (query.data !== undefined) return children(query.data);
  return (
    <Box>
      {query.error ? (
        <Failed error={query.error} retry={() => void query.refetch()} />
      ) : (
        <Loading lines={6} />
      )}
    </Box>
  );
}

/** A tab of a domain beside its records. */
export function Standing({ tab, id }: { tab: Exclude<Tab, 'records'>; id: string }) {
  switch (tab) {
    case 'authentication':
      return <Authentication id={id} />;
    case 'readiness':
      return <Readiness id={id} />;
    case 'providers':
      return <Providers id={id} />;
    case 'tracking':
      return <TrackingDomains id={id} />;
    case 'routes':
      return <Routes id={id} />;
  }
}

function Readiness({ id }: { id: string }) {
  return (
    <Read query={useQuery(readinessQuery(id))}>
      {(checks) => (
        <>
          <p className={kit.say} role="status">
            {readinessSentence(checks)}
          </p>
          <Box title="Rules of Gmail, Yahoo and Microsoft for bulk senders">
            {checks
              .toSorted((a, b) => worst.indexOf(a.result) - worst.indexOf(b.result))
              .map((check) => (
                <article key={check.rule} className={css.check}>
                  <Status word={readinessWord(check.result)} />
                  <h3>{rules[check.rule]}</h3>
                  <p>{check.finding}</p>
                  {check.fix ? <p className={css.fix}>{check.fix}</p> : null}
                </article>
              ))}
          </Box>
        </>
      )}
    </Read>
  );
}

function Authentication({ id }: { id: string }) {
  return (
    <Read query={useQuery(dmarcQuery(id))}>
      {(dmarc) => (
        <>
          <p className={kit.say} role="status">
            {reportSentence(dmarc)}
          </p>
          <Policy dmarc={dmarc} />
          {dmarc.reports > 0 ? <Figures dmarc={dmarc} /> : null}
          {dmarc.address ? <Tls id={id} /> : null}
          <Suspense fallback={null}>
            <HostedPolicy id={id} />
          </Suspense>
        </>
      )}
    </Read>
  );
}

/** What senders report about TLS with the servers that receive mail for the domain. */
function Tls({ id }: { id: string }) {
  return (
    <Read query={useQuery(tlsReportsQuery(id))}>
      {({ record, reports, unverified, successful, failed, failures }) => (
        <Box title="TLS of mail to this domain">
          <div className={kit.boxBody}>
            {reports > 0 ? (
              <Facts
                items={[
                  ['Reports of 30 days', number(reports)],
                  unverified > 0
                    ? ['Not counted, because the sender is not proven', number(unverified)]
                    : null,
                  ['Sessions with TLS', number(successful)],
                  ['Sessions that failed', number(failed)],
                ]}
              />
            ) : record ? (
              <>
                <p className={kit.quiet}>
                  No report arrived in 30 days. Publish this record to learn from senders whether TLS with
                  your mail servers works.
                </p>
                <Code label="record for TLS reports" text={`${record.host}. TXT "${record.value}"`} wrap />
              </>
            ) : null}
          </div>
          {failures.length > 0 ? (
            <Table
              label="TLS failures"
              rows={failures}
              id={(row) => `${row.policyType} ${row.result} ${row.mxHost}`}
              columns={[
                { head: 'Result', grow: true, narrow: 1, cell: (row) => row.result },
                { head: 'Policy', cell: (row) => row.policyType },
                { head: 'Server', narrow: 3, cell: (row) => row.mxHost || '–' },
                { head: 'Sessions', right: true, narrow: 2, cell: (row) => number(row.sessions) },
                { head: 'Last seen', right: true, cell: (row) => <Time at={row.lastSeen} /> },
              ]}
            />
          ) : null}
        </Box>
      )}
    </Read>
  );
}

function Policy({ dmarc: { address, record } }: { dmarc: Dmarc }) {
  return (
    <Box title="Policy">
      <div className={kit.boxBody}>
        {record.known ? null : (
          <Note tone="warn">
            The name servers did not answer. The policy is looked up again with the page.
          </Note>
        )}
        <Facts
          items={[
            [
              'Found',
              <span key="found" className={kit.mono}>
                {record.found ?? 'none'}
              </span>,
            ],
            record.foundAt && `_dmarc.${record.foundAt}` !== record.host
              ? ['At', `${record.foundAt}, whose policy covers this domain`]
              : null,
            record.action ? ['Receivers are asked to', actions[record.action] ?? record.action] : null,
          ]}
        />
        {record.suggested ? (
          <>
            <p className={kit.quiet}>
              {address
                ? 'Publish this record to receive reports here. Addresses that the present one names are kept.'
                : 'Publish this record: without a policy Gmail and Yahoo refuse mail of bulk senders.'}
            </p>
            <Code label="suggested record" text={`${record.host}. TXT "${record.suggested}"`} wrap />
          </>
        ) : null}
      </div>
    </Box>
  );
}

const actions: Record<string, string> = {
  none: 'do nothing about emails that fail',
  quarantine: 'treat emails that fail as suspicious',
  reject: 'refuse emails that fail',
};

function Figures({ dmarc }: { dmarc: Dmarc }) {
  return (
    <>
      <Bars
        title="Emails in reports by day"
        rows={dmarc.days}
        id={(row) => row.day}
        head="Day"
        label={(row) => row.day.slice(5)}
        name={(row) => row.day}
        note="Days in UTC"
        series={[
          { name: 'Passed', fill: 'good', value: (row) => row.counts.passed },
          { name: 'Failed', fill: 'bad', value: (row) => row.counts.count - row.counts.passed },
        ]}
      />
      <Box title="Servers that send in your name">
        <Table
          label="Servers that send in your name"
          rows={dmarc.sources}
          id={(row) => row.address}
          columns={[
            { head: 'Address', grow: true, narrow: 1, cell: (row) => <Server of={row} /> },
            { head: 'Emails', right: true, narrow: 2, cell: (row) => number(row.counts.count) },
            {
              head: 'Passed',
              right: true,
              narrow: 4,
              cell: ({ counts }) => shareText((counts.passed / counts.count) * 100),
            },
            {
              head: 'DKIM',
              right: true,
              cell: ({ counts }) => shareText((counts.dkim / counts.count) * 100),
            },
            { head: 'SPF', right: true, cell: ({ counts }) => shareText((counts.spf / counts.count) * 100) },
          ]}
        />
      </Box>
      {dmarc.failing.length > 0 ? (
        <Box title="Emails that failed">
          <Table
            label="Emails that failed"
            rows={dmarc.failing}
            id={(row) => `${row.address} ${row.headerFrom} ${row.envelopeFrom} ${row.selectors}`}
            columns={[
              { head: 'Server', narrow: 1, cell: (row) => <Server of={row} /> },
              { head: 'From', narrow: 3, cell: (row) => row.headerFrom },
              { head: 'Return path', cell: (row) => row.envelopeFrom || '–' },
              { head: 'Signatures', grow: true, cell: (row) => row.selectors || 'none' },
              { head: 'Emails', right: true, narrow: 2, cell: (row) => number(row.count) },
              {
                head: 'Refused or suspicious',
                right: true,
                narrow: 4,
                cell: (row) => number(row.rejected + row.quarantined),
              },
            ]}
          />
          <p className={css.note}>
            A server of yours needs the DKIM keys of a sending service, or an entry in SPF. Unknown ones may
            forward your mail, or forge it: a stricter policy stops those.
          </p>
        </Box>
      ) : null}
      <Box title="Policies that receivers saw">
        <Table
          label="Policies that receivers saw"
          rows={dmarc.policies}
          id={(row) => JSON.stringify(row.tags)}
          columns={[
            { head: 'Policy', grow: true, narrow: 1, cell: (row) => tags(row.tags) },
            { head: 'Reports', right: true, narrow: 2, cell: (row) => number(row.reports) },
            { head: 'Last seen', right: true, narrow: 4, cell: (row) => <Time at={row.lastSeen} /> },
          ]}
        />
      </Box>
    </>
  );
}

function tags(values: unknown): string {
  return Object.entries(values as Record<string, string>)
    .map(([tag, value]) => `${tag}=${value}`)
    .join('; ');
}

function Server({
  of: { address, name, ours },
}: {
  of: { address: string; name: string | null; ours: boolean };
}) {
  return (
    <>
      <span className={kit.mono}>{address}</span>
      {name ? <span className={kit.second}> {name}</span> : null}
      {ours ? <span className={kit.quiet}> Mailroom</span> : null}
    </>
  );
}

function Providers({ id }: { id: string }) {
  return (
    <Read query={useQuery(providersQuery(id))}>
      {(providers) =>
        providers.length === 0 ? (
          <Box label="Providers">
            <Empty title="No server answered in 30 days">
              <p>Results of emails of this domain appear here by the provider of their recipients.</p>
            </Empty>
          </Box>
        ) : (
          <>
            <Box title="Last 30 days by provider">
              <Table
                label="Last 30 days by provider"
                rows={providers}
                id={(row) => row.provider}
                columns={[
                  { head: 'Provider', grow: true, narrow: 1, cell: (row) => providerName(row.provider) },
                  { head: 'Delivered', right: true, narrow: 2, cell: (row) => number(row.delivered) },
                  { head: 'Put off', right: true, narrow: 3, cell: (row) => number(row.deferred) },
                  { head: 'Blocked', right: true, narrow: 4, cell: (row) => number(row.blocked) },
                  { head: 'Complaints', right: true, cell: (row) => number(row.complained) },
                  { head: 'Without TLS', right: true, cell: (row) => number(row.unencrypted) },
                ]}
              />
              <p className={css.note}>
                Attempts that were put off are tried again. Blocked emails were refused because of the sender.
              </p>
            </Box>
            {providers.map((row) =>
              row.advice.length > 0 ? (
                <Note key={row.provider} tone="warn">
                  <strong>{providerName(row.provider)}.</strong> {row.advice.join('. ')}.
                </Note>
              ) : null,
            )}
            {providers.slice(0, 4).map((row) => (
              <Bars
                key={row.provider}
                title={`${providerName(row.provider)} by day`}
                rows={row.days}
                id={(day) => day.day}
                head="Day"
                label={(day) => day.day.slice(5)}
                name={(day) => day.day}
                note="Days in UTC"
                series={[
                  { name: 'Delivered', fill: 'good', value: (day) => day.delivered },
                  { name: 'Put off', fill: 'warn', value: (day) => day.deferred },
                  { name: 'Blocked', fill: 'bad', value: (day) => day.blocked },
                  { name: 'Complaints', fill: 'plum', value: (day) => day.complained },
                ]}
              />
            ))}
          </>
        )
      }
    </Read>
  );
}
