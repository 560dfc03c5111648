import { useQuery } from '@tanstack/react-query';
import { Box, Status, Time } from '../kit/basics';
import kit from '../kit/kit.module.css';
import { Empty, Failed, Live, Loading, Page } from '../kit/page';
import { Table } from '../kit/table';
import { counted, number } from '../words/formats';
import { tlsWord } from './causes';
import { tlsQuery, type SentReportRow, type TlsPolicyRow } from './queries';

export function TlsPage() {
  const query = useQuery(tlsQuery);
  const policies = query.data?.tlsPolicies;
  return (
    <Page title="TLS" after={<Live since={query.isRefetchError ? new Date(query.dataUpdatedAt) : null} />}>
      {query.data && policies ? (
        <div className={kit.grid}>
          <p className={kit.say} role="status">
            {sentence(policies)}
          </p>
          <Policies name="DANE" rows={policies.filter(({ policy }) => policy === 'dane')} />
          <Policies name="MTA-STS" rows={policies.filter(({ policy }) => policy === 'mta_sts')} />
          <SentReports rows={query.data.sentTlsReports} />
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
    </Page>
  );
}

/** Domains of recipients that demand TLS by one kind of policy. */
function Policies({ name, rows }: { name: string; rows: readonly TlsPolicyRow[] }) {
  return (
    <Box title={name}>
      {rows.length === 0 ? (
        <Empty title="None">
          <p>
            Domains of recipients to which mail was sent directly are listed here if they demand TLS by {name}
            .
          </p>
        </Empty>
      ) : (
        <Table
          label={name}
          rows={rows}
          id={(row) => row.domain}
          columns={[
            {
              head: 'Domain',
              grow: true,
              narrow: 1,
              cell: (row) => <bdi className={kit.label}>{row.domain}</bdi>,
            },
            { head: 'Last session', narrow: 2, cell: (row) => <Status word={tlsWord(row.result)} /> },
            ...(name === 'DANE'
              ? []
              : [{ head: 'Mode', narrow: 3, cell: (row: TlsPolicyRow) => row.mode ?? '' } as const]),
            {
              head: 'Known until',
              right: true,
              narrow: 4,
              cell: (row) => (
                <>
                  <span className={kit.narrowOnly}>until </span>
                  <Time at={row.until} />
                </>
              ),
            },
          ]}
        />
      )}
    </Box>
  );
}

/** Reports about TLS to the domains of recipients. */
function SentReports({ rows }: { rows: readonly SentReportRow[] }) {
  return (
    <Box title="Reports about TLS to recipients’ domains">
      {rows.length === 0 ? (
        <Empty title="None">
          <p>
            Domains that ask for reports in the TXT record _smtp._tls get one for each day on which mail was
            sent to them directly, if MAILROOM_PLATFORM_DOMAIN is a domain of yours.
          </p>
        </Empty>
      ) : (
        <Table
          label="Reports about TLS to recipients’ domains"
          rows={rows}
          id={(row) => `${row.day} ${row.domain}`}
          columns={[
            { head: 'Day', narrow: 2, cell: (row) => row.day },
            { head: 'Domain', narrow: 1, cell: (row) => <span className={kit.label}>{row.domain}</span> },
            { head: 'State', narrow: 4, cell: (row) => row.state },
            { head: 'Sessions', right: true, cell: (row) => number(row.successful ?? 0) },
            { head: 'Failed', right: true, cell: (row) => number(row.failed ?? 0) },
            { head: 'To', cell: (row) => <bdi>{row.destination ?? ''}</bdi> },
            { head: 'Why', grow: true, narrow: 3, cell: (row) => row.error ?? '' },
          ]}
        />
      )}
    </Box>
  );
}

function sentence(rows: readonly TlsPolicyRow[]): string {
  const refused = rows.filter(({ result }) => result === 'refused').length;
  if (rows.length === 0) return 'No domain of recipients that was contacted demands TLS.';
  return refused === 0
    ? `No domain was refused: ${counted(rows.length, 'policy', 'policies')}.`
    : `The last session was refused under ${refused} of ${counted(rows.length, 'policy', 'policies')}.`;
}
