import kit from '../kit/kit.module.css';
import { counted, number, percent } from '../words/formats';
import type { EndpointRow } from './queries';

/** Share of the calls of 24 hours that the endpoint accepted. */
export function Success({ row: { recent: { delivered, failed } } }: { row: Pick<EndpointRow, 'recent'> }) {
  const all = delivered + failed;
  if (all === 0) return <span className={kit.quiet}>no calls</span>;
  return <span title={`${number(delivered)} of ${counted(all, 'call')}`}>{percent(Math.floor((delivered / all) * 1000) / 10, 1)}</span>;
}
