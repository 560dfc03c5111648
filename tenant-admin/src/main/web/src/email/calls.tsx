import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Status, Time } from '../kit/basics';
import kit from '../kit/kit.module.css';
import { Failed, Loading } from '../kit/page';
import { Table } from '../kit/table';
import { callWord } from '../words/status';
import { callsQuery, type EmailCalls } from './queries';

type Call = EmailCalls['email']['webhookCalls'][number];

/** Interval in which calls are read again while one is pending. */
const PENDING_MS = 3000;

/** The webhook calls that report the events of a mail. */
export default function Calls({ id }: { id: string }) {
  const query = useQuery({ ...callsQuery(id), refetchInterval: ({ state }) => (state.data?.email.webhookCalls.some((call) => call.status === 'PENDING') ? PENDING_MS : false) });
  if (!query.data) return query.error ? <Failed error={query.error} retry={() => void query.refetch()} /> : <Loading />;
  const { email: { webhookCalls }, webhookEndpoints } = query.data;
  if (webhookCalls.length === 0) {
    return webhookEndpoints.nodes.length === 0
      ? <p className={kit.quiet}>No endpoint is told of this mail. <Link to="/webhooks">Add one</Link></p>
      : <p className={kit.quiet}>No endpoint that you have now was told of this mail.</p>;
  }
  const url = ({ endpointId }: Call) => webhookEndpoints.nodes.find((endpoint) => endpoint.id === endpointId)?.url.replace(/^https?:\/\//, '') ?? 'an endpoint';
  return (
    <Table label="Webhook calls" rows={webhookCalls} id={(call) => call.id} columns={[
      { head: 'State', narrow: 2, cell: (call) => <Status word={callWord(call)} /> },
      { head: 'Event', narrow: 1, cell: (call) => <Link to="/webhooks/$id" params={{ id: call.endpointId }} search={{ open: call.id }} className={kit.row}>{call.kind}</Link> },
      { head: 'Endpoint', grow: true, narrow: 3, cell: (call) => <span className={kit.second} title={url(call)}>{url(call)}</span> },
      { head: 'Answer', right: true, cell: (call) => <span className={call.lastStatus === null ? kit.quiet : kit.num}>{call.lastStatus ?? 'none'}</span> },
      { head: 'When', right: true, narrow: 4, cell: (call) => <span className={kit.quiet}><Time at={call.settledAt ?? (call.attempt > 0 ? call.dueAt : call.createdAt)} /></span> },
    ]} />
  );
}
