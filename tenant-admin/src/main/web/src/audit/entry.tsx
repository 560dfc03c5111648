import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { CopyText, Facts, Id, Time } from '../kit/basics';
import kit from '../kit/kit.module.css';
import { Dialog } from '../kit/layers';
import { Failed, Loading } from '../kit/page';
import { Table } from '../kit/table';
import { actorName, changes, sentenceText } from './acts';
import css from './audit.module.css';
import { Said } from './said';
import { Account, type History, type Row } from './table';

/** One entry: who, when and why, the values before and after, and earlier changes of the same object. */
export default function EntryDialog({
  entry,
  history,
  onClose,
}: {
  entry: Row;
  history: History;
  onClose: () => void;
}) {
  const earlier = useQuery(history(entry));
  const values = changes(
    entry,
    earlier.data?.find((each) => Object.keys((each.details ?? {}) as object).length > 0),
  );
  return (
    <Dialog title={sentenceText(entry)} wide onClose={onClose}>
      <div className={css.entry}>
        <Facts
          items={[
            ['When', <Time key="when" at={entry.createdAt} />],
            ['Who', <bdi key="who">{actorName(entry)}</bdi>],
            entry.ip ? ['IP address', <CopyText key="ip" text={entry.ip} />] : null,
            entry.device ? ['Device', <bdi key="device">{entry.device}</bdi>] : null,
            entry.accountId === undefined ? null : ['Account', <Account key="account" row={entry} />],
            entry.reason ? ['Reason', <bdi key="reason">{entry.reason}</bdi>] : null,
            entry.target ? ['Object', <Target key="object" entry={entry} />] : null,
            ['Entry', <Id key="id" id={entry.id} />],
          ]}
        />
        {values.length > 0 ? (
          <Table
            label="Values"
            rows={values}
            id={(row) => row.name}
            columns={[
              { head: 'Value', narrow: 1, cell: (row) => row.name },
              {
                head: 'Before',
                narrow: 2,
                cell: (row) => <span className={kit.quiet}>{row.before ?? ''}</span>,
              },
              {
                head: 'After',
                grow: true,
                narrow: 3,
                cell: (row) =>
                  row.before === row.after ? row.after : <strong title={row.after}>{row.after}</strong>,
              },
            ]}
          />
        ) : null}
        <h3>Earlier changes of it</h3>
        {earlier.error && !earlier.data ? (
          <Failed error={earlier.error} retry={() => void earlier.refetch()} />
        ) : !earlier.data ? (
          <Loading lines={2} />
        ) : earlier.data.length === 0 ? (
          <p className={kit.quiet}>None.</p>
        ) : (
          <ul className={css.earlier}>
            {earlier.data.map((each) => (
              <li key={each.id}>
                <Time at={each.createdAt} />
                <span>
                  <Said entry={each} />
                </span>
              </li>
            ))}
          </ul>
        )}
      </div>
    </Dialog>
  );
}

/** The changed object, with a link to it while it may exist. */
function Target({ entry: { act, target, accountId } }: { entry: Row }): ReactNode {
  // The pages are those of the account itself, which operators do not open.
  if (accountId !== undefined || /deleted|revoked|removed|withdrawn/.test(act)) return <Id id={target} />;
  const [kind] = act.split('.');
  const params = { id: target };
  return (
    <>
      {kind === 'domain' || act === 'inbound_route.ordered' ? (
        <Link to="/domains/$id" params={params}>
          Open the domain
        </Link>
      ) : kind === 'webhook' ? (
        <Link to="/webhooks/$id" params={params}>
          Open the webhook
        </Link>
      ) : kind === 'mail' ? (
        <Link to="/emails/$id" params={params}>
          Open the email
        </Link>
      ) : kind === 'api_key' ? (
        <Link to="/api-keys">API keys</Link>
      ) : kind === 'member' ? (
        <Link to="/settings/$tab" params={{ tab: 'team' }}>
          Team
        </Link>
      ) : null}{' '}
      <Id id={target} />
    </>
  );
}
