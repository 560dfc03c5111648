import { queryOptions } from '@tanstack/react-query';
import { request } from '../app/graphql';
import { NoticesDocument, SecondFactorDocument, SessionsDocument } from '../gen/graphql';

/** The sessions of the account that have not ended. */
export const sessionsQuery = queryOptions({
  queryKey: ['account', 'list', 'sessions'],
  queryFn: async () => (await request(SessionsDocument)).viewer!.sessions,
});

/** The second factor of the person who signed in. */
export const secondFactorQuery = queryOptions({
  queryKey: ['account', 'one', 'second-factor'],
  queryFn: async () => (await request(SecondFactorDocument)).viewer!.secondFactor,
});

/** The events of which the person who signed in is told by mail. */
export const noticesQuery = queryOptions({
  queryKey: ['account', 'one', 'notices'],
  queryFn: async () => (await request(NoticesDocument)).viewer!.notices,
});
