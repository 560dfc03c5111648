import { queryOptions } from '@tanstack/react-query';
import { request } from '../app/graphql';
import {
  OperatorEmailContentDocument,
  OperatorEmailDocument,
  OperatorSearchDocument,
  type OperatorEmailQuery,
  type OperatorSearchQuery,
} from '../gen/graphql';

export type FoundRow = NonNullable<OperatorSearchQuery['operator']>['emails']['nodes'][number];
export type WatchedEmail = NonNullable<OperatorEmailQuery['operator']>['watch']['email'];

/** Reads that are recorded in the audit log happen once, and only on request. */
const recorded = {
  staleTime: Infinity,
  gcTime: 5 * 60_000,
  retry: false,
  refetchOnWindowFocus: false,
  refetchOnReconnect: false,
} as const;

export const searchQuery = (search: string, reason: string, after: string | undefined) =>
  queryOptions({
    queryKey: ['operator', 'list', 'emails', { search, reason, after }],
    queryFn: async () =>
      (await request(OperatorSearchDocument, { search, reason, after: after ?? null })).operator!.emails,
    ...recorded,
  });

export const emailQuery = (account: string, id: string, reason: string) =>
  queryOptions({
    queryKey: ['operator', 'one', 'email', id, reason],
    queryFn: async () => (await request(OperatorEmailDocument, { account, id, reason })).operator!.watch,
    ...recorded,
  });

export const contentQuery = (account: string, id: string, reason: string) =>
  queryOptions({
    queryKey: ['operator', 'one', 'email', id, 'content', reason],
    queryFn: async () =>
      (await request(OperatorEmailContentDocument, { account, id, reason })).operator!.watch.emailContent,
    ...recorded,
  });
