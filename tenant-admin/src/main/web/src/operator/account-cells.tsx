/** Cells of lists of accounts. */
import { Link } from '@tanstack/react-router';
import kit from '../kit/kit.module.css';

/** The name of an account with its address, as a link to its page. */
export function AccountLink({ account }: { account: { id: string; name: string; email: string } }) {
  return (
    <Link
      to="/operator/accounts/$id"
      params={{ id: account.id }}
      className={kit.row}
      data-row
      title={account.email}
    >
      <bdi>{account.name || account.email || account.id}</bdi>
      {account.name && account.email ? (
        <span className={kit.quiet}>
          {' '}
          <bdi>{account.email}</bdi>
        </span>
      ) : null}
    </Link>
  );
}

/** A rate of the last seven days. */
export function RateCell({ account, value }: { account: { week: { sampleSize: number } }; value: string }) {
  return account.week.sampleSize === 0 ? (
    <span className={kit.quiet}>–</span>
  ) : (
    <span title="Of the last 7 days">{value}</span>
  );
}
