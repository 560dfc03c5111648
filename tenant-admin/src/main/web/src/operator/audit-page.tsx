import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { X } from 'lucide-react';
import { actNames } from '../audit/acts';
import { AuditLog, useExport, type AuditView } from '../audit/log';
import type { ActorKind } from '../gen/graphql';
import { Button } from '../kit/basics';
import { Page } from '../kit/page';
import { shortId } from '../words/formats';
import { dayStart } from '../words/inputs';
import { auditEntries, auditQuery, objectQuery } from './queries';

/** The view of the audit log of all accounts. */
export interface AuditSearch extends AuditView {
  readonly kind?: string | undefined;
  readonly account?: string | undefined;
}

const kinds: readonly (readonly [ActorKind, string])[] = [
  ['OPERATOR', 'Operators'],
  ['PERSON', 'People'],
  ['API_KEY', 'API keys'],
];

export function AuditPage() {
  const search = useSearch({ from: '/shell/operator/audit' });
  const navigate = useNavigate({ from: '/operator/audit' });
  const filters = {
    account: search.account ?? null,
    act: search.act ?? null,
    kind: kinds.find(([kind]) => kind === search.kind)?.[0] ?? null,
    from: dayStart(search.from),
    until: dayStart(search.until, 1),
  };
  const list = useQuery(auditQuery({ ...filters, after: search.after ?? null }));
  const { button, problem } = useExport((limit) => auditEntries(filters, limit));
  const view = (change: AuditSearch) =>
    void navigate({
      search: (old) => ({ ...old, after: undefined, ...change }),
      replace: !change.after,
    });
  const account = list.data?.nodes.find((row) => row.accountId === search.account)?.accountEmail;
  return (
    <Page title="Audit" acts={button}>
      <AuditLog
        says="Acts of people and operators, newest first."
        empty="Changes by people, API keys and operators are listed here."
        problem={problem}
        search={search}
        acts={actNames}
        actor={search.kind}
        actors={kinds}
        more={
          search.account ? (
            <Button
              icon={X}
              aria-label="Entries of all accounts"
              onClick={() => view({ account: undefined })}
            >
              <bdi>{account ?? shortId(search.account)}</bdi>
            </Button>
          ) : null
        }
        filtered={Boolean(search.account ?? search.act ?? search.kind ?? search.from ?? search.until)}
        list={list}
        history={objectQuery}
        account
        onChange={view}
        onActor={(kind) => view({ kind })}
        onClear={() => void navigate({ search: {} })}
      />
    </Page>
  );
}
