import kit from '../kit/kit.module.css';
import { counted, number, shareText } from '../words/formats';
import type { EndpointRow } from './queries';

/** Share of the calls of 24 hours that the endpoint accepted. */
export function Success({
  row: {
    recent: { delivered, failed },
  },
}: {
  row: Pick<EndpointRow, 'recent'>;
}) {
  const all = delivered + failed;
  if (all === 0) return <span className={kit.quiet}>no calls</span>;
  return (
    <span title={`${number(delivered)} of ${counted(all, 'call')}`}>
      {shareText((delivered / all) * 100)}
    </span>
  );
}
