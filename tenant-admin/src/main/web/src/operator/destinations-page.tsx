import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Box } from '../kit/basics';
import kit from '../kit/kit.module.css';
import { Empty, Failed, Live, Page } from '../kit/page';
import { counted } from '../words/formats';
import { DestinationsTable } from './destinations-table';
import css from './operator.module.css';
import { destinationsQuery, type Destination } from './queries';

export function DestinationsPage() {
  const list = useQuery(destinationsQuery);
  const rows = list.data;
  return (
    <Page title="Destinations" after={<Live since={list.isRefetchError ? new Date(list.dataUpdatedAt) : null} />}>
      <div className={`${kit.grid} ${css.dense}`}>
        {list.error && !rows ? null : <p className={kit.say}>{rows ? sentence(rows) : '\u00a0'}</p>}
        <Box label="Destinations">
          {list.error && !rows ? <Failed error={list.error} retry={() => void list.refetch()} />
            : rows?.length === 0 ? <Empty title="None"><p>No recipient domain has put mail off. Those that do are listed here with their last answer, until their mail is settled.</p></Empty>
              : <DestinationsTable rows={rows} />}
        </Box>
      </div>
    </Page>
  );
}

function sentence(rows: readonly Destination[]): ReactNode {
  const first = rows[0];
  if (!first) return <strong>No destination puts mail off.</strong>;
  return <><strong>{rows.length === 100 ? 'At least 100 domains put' : rows.length === 1 ? '1 domain puts' : `${rows.length} domains put`} mail off.</strong> Most of it is for <bdi>{first.domain}</bdi>: {counted(first.putOff, 'mail')}, tried up to {counted(first.attempts, 'time')}.</>;
}
