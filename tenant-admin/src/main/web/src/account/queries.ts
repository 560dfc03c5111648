import { queryOptions } from '@tanstack/react-query';
import { request } from '../app/graphql';
import { SessionsDocument } from '../gen/graphql';

/** The sessions of the account that have not ended. */
export const sessionsQuery = queryOptions({
  queryKey: ['account', 'list', 'sessions'],
  queryFn: async () => (await request(SessionsDocument)).viewer!.sessions,
});
