import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { Box, Button, Id, Time } from '../kit/basics';
import kit from '../kit/kit.module.css';
import { Empty, Failed, Page } from '../kit/page';
import { explained } from '../kit/problems';
import { Table } from '../kit/table';
import { counted, shortId } from '../words/formats';
import css from './operator.module.css';
import { deadLettersQuery, requeue, type DeadLetter } from './queries';

export function DeadLettersPage() {
  const list = useQuery(deadLettersQuery);
  const rows = list.data;
  const waiting = rows?.filter((row) => row.requeuedAt === null).length ?? 0;
  return (
    <Page title="Dead letters">
      <div className={`${kit.grid} ${css.dense}`}>
        {list.error && !rows ? null : (
          <p className={kit.say}>{!rows ? '\u00a0' : waiting > 0 ? <><strong>{counted(waiting, 'dead letter')} {waiting === 1 ? 'waits' : 'wait'} for you.</strong> Mend the cause first: a mail is put back once only, and a second failure is final.</>
            : <><strong>Nothing waits for you.</strong> {rows.length > 0 ? 'Each of these was put back once.' : 'Every mail could be composed.'}</>}</p>
        )}
        <Box label="Dead letters">
          {list.error && !rows ? <Failed error={list.error} retry={() => void list.refetch()} />
            : rows?.length === 0 ? <Empty title="None"><p>Mail that cannot be composed, and records of the topic that cannot be read, are kept here instead of blocking the queue.</p></Empty> : (
              <Table label="Dead letters, newest first" rows={rows} id={(row) => row.id} columns={[
                { head: 'What', narrow: 1, cell: (row) => row.emailId ? <Id id={row.emailId} short /> : <span title={row.id}>{row.what === 'record' ? 'A record' : row.what}</span> },
                { head: 'Why', grow: true, narrow: 3, cell: (row) => <span className={kit.second} title={row.why}>{row.why}</span> },
                { head: 'Account', upTo: true, cell: (row) => row.accountId ? <Link to="/operator/accounts/$id" params={{ id: row.accountId }}><bdi>{row.accountEmail || shortId(row.accountId)}</bdi></Link> : <span className={kit.quiet}>none</span> },
                { head: 'Died', right: true, narrow: 4, cell: (row) => <span className={kit.quiet}><Time at={row.diedAt} /></span> },
                { head: 'Act', right: true, narrow: 2, cell: (row) => <PutBack row={row} /> },
              ]} />
            )}
        </Box>
      </div>
    </Page>
  );
}

function PutBack({ row }: { row: DeadLetter }) {
  const client = useQueryClient();
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<string>();
  if (row.requeuedAt) return <span className={kit.quiet}>put back <Time at={row.requeuedAt} /></span>;
  if (row.deliveryId === null) return <span className={kit.quiet}>cannot be sent</span>;
  if (error) return <span className={kit.wrong} role="alert" title={error}>Its content is gone, or it was put back before.</span>;
  const put = async () => {
    setBusy(true);
    try {
      await requeue(client, row.id);
    } catch (fault) {
      setError(explained(fault, []).rest.join(' '));
      setBusy(false);
    }
  };
  return <Button small busy={busy} aria-label={`Put back ${row.emailId ?? row.id}`} onClick={() => void put()}>Put back</Button>;
}
