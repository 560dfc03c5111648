import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { SettingsNav } from '../account/settings-nav';
import type { ActorKind } from '../gen/graphql';
import kit from '../kit/kit.module.css';
import { Page } from '../kit/page';
import { useRights } from '../kit/rights';
import { dayStart } from '../words/inputs';
import { accountActs } from './acts';
import { AuditLog, useExport } from './log';
import { auditEntries, auditQuery, objectQuery, peopleQuery, type Filters } from './queries';

const kinds: readonly (readonly [ActorKind, string])[] = [
  ['PERSON', 'People'],
  ['API_KEY', 'API keys'],
  ['OPERATOR', 'Mailroom operators'],
];

/** The audit log of the account, for its owners and admins. */
export default function AuditPage() {
  const { may, watching } = useRights();
  const search = useSearch({ from: '/shell/settings/$tab' });
  const navigate = useNavigate({ from: '/settings/$tab' });
  const permitted = may('SETTINGS') || watching;
  const kind = kinds.find(([each]) => each === search.by)?.[0];
  const filters: Filters = {
    act: search.act ?? null,
    kind: kind ?? null,
    memberId: kind || !search.by ? null : search.by,
    from: dayStart(search.from),
    until: dayStart(search.until, 1),
  };
  const list = useQuery({ ...auditQuery(filters, search.after ?? null), enabled: permitted });
  const people = useQuery({ ...peopleQuery, enabled: permitted });
  const { button, problem } = useExport((limit) => auditEntries(filters, limit));
  const view = (change: Partial<typeof search>) =>
    void navigate({
      search: (old) => ({ ...old, after: undefined, ...change }),
      replace: !change.after,
    });
  return (
    <Page title="Audit log" up={{ to: '/settings', text: 'Settings' }} acts={permitted ? button : null}>
      <SettingsNav />
      {permitted ? (
        <AuditLog
          says="Changes to the account, newest first."
          empty="Changes of keys, domains, webhooks, members and settings are listed here."
          problem={problem}
          search={search}
          acts={accountActs}
          actor={search.by}
          actors={[...kinds, ...(people.data ?? []).map(({ id, email }) => [id, email] as const)]}
          filtered={Boolean(search.act ?? search.by ?? search.from ?? search.until)}
          list={list}
          history={objectQuery}
          onChange={view}
          onActor={(by) => view({ by })}
          onClear={() => void navigate({ search: {} })}
        />
      ) : (
        <p className={kit.say}>Owners and admins of the account read its audit log.</p>
      )}
    </Page>
  );
}
