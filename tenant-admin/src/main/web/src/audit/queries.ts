import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { request } from '../app/graphql';
import { AuditLogDocument, AuditPeopleDocument, type AuditLogQueryVariables } from '../gen/graphql';
import type { Entry, History } from './table';

export type Filters = Omit<AuditLogQueryVariables, 'first' | 'after'>;

const PAGE_SIZE = 50;
const MAX_PAGE_SIZE = 100;

/** Earlier changes that are shown beside an entry. */
const MAX_HISTORY = 20;

const read = async (variables: AuditLogQueryVariables) =>
  (await request(AuditLogDocument, variables)).viewer!.auditLog;

export const auditQuery = (filters: Filters, after: string | null) =>
  queryOptions({
    queryKey: ['account', 'list', 'audit', filters, after],
    queryFn: () => read({ ...filters, first: PAGE_SIZE, after }),
    placeholderData: keepPreviousData,
  });

/** The entries on the object of an entry, before it: those of the account by their act, as they have no object. */
export const objectQuery: History = (entry) => ({
  queryKey: ['account', 'one', 'audit', entry.id],
  queryFn: async () => {
    const log = await read({
      first: MAX_HISTORY,
      until: entry.createdAt,
      target: entry.target,
      act: entry.target === '' ? entry.act : null,
      memberId: entry.target === '' && entry.actorKind === 'PERSON' ? entry.actorId : null,
    });
    return log.nodes;
  },
});

export const peopleQuery = queryOptions({
  queryKey: ['account', 'list', 'audit-people'],
  queryFn: async () => (await request(AuditPeopleDocument)).viewer!.members,
});

/** All entries that match, up to a limit. */
export async function auditEntries(filters: Filters, limit: number): Promise<readonly Entry[]> {
  const { rowsOf } = await import('../kit/csv');
  return rowsOf((after) => read({ ...filters, first: MAX_PAGE_SIZE, after }), limit);
}
