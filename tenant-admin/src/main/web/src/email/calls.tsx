import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Status, Time } from '../kit/basics';
import kit from '../kit/kit.module.css';
import { Failed, Loading } from '../kit/page';
import { Table } from '../kit/table';
import { callWord } from '../words/status';
import { endpointsQuery, type EmailDetail } from './queries';

/** The webhook calls that report the events of a mail. */
export default function Calls({ calls }: { calls: EmailDetail['webhookCalls'] }) {
  const endpoints = useQuery(endpointsQuery);
  if (!endpoints.data)
    return endpoints.error ? (
      <Failed error={endpoints.error} retry={() => void endpoints.refetch()} />
    ) : (
      <Loading />
    );
  if (calls.length === 0) {
    return endpoints.data.length === 0 ? (
      <p className={kit.quiet}>
        No webhook is called for this email. <Link to="/webhooks">Add one</Link>
      </p>
    ) : (
      <p className={kit.quiet}>No webhook was called for this email.</p>
    );
  }
  const url = (id: string) =>
    endpoints.data.find((endpoint) => endpoint.id === id)?.url.replace(/^https?:\/\//, '') ?? 'an endpoint';
  return (
    <Table
      label="Webhook deliveries"
      rows={calls}
      id={(call) => call.id}
      columns={[
        { head: 'State', narrow: 2, cell: (call) => <Status word={callWord(call)} /> },
        {
          head: 'Event',
          narrow: 1,
          cell: (call) => (
            <Link
              to="/webhooks/$id"
              params={{ id: call.endpointId }}
              search={{ open: call.id }}
              className={kit.row}
            >
              {call.kind}
            </Link>
          ),
        },
        {
          head: 'Endpoint',
          grow: true,
          narrow: 3,
          cell: (call) => (
            <span className={kit.second} title={url(call.endpointId)}>
              {url(call.endpointId)}
            </span>
          ),
        },
        {
          head: 'Response',
          right: true,
          cell: (call) => (
            <span className={call.lastStatus === null ? kit.quiet : kit.num}>
              {call.lastStatus ?? 'none'}
            </span>
          ),
        },
        {
          head: 'When',
          right: true,
          narrow: 4,
          cell: (call) => (
            <span className={kit.quiet}>
              <Time at={call.settledAt ?? (call.attempt > 0 ? call.dueAt : call.createdAt)} />
            </span>
          ),
        },
      ]}
    />
  );
}
