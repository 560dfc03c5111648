import { queryOptions } from '@tanstack/react-query';
import { request } from '../app/graphql';
import { TeamDocument, type TeamQuery } from '../gen/graphql';

export type TeamMember = NonNullable<TeamQuery['viewer']>['members'][number];
export type TeamInvitation = NonNullable<TeamQuery['viewer']>['invitations'][number];

/** The people of the account and the open invitations, with the role of the reader. */
export const teamQuery = queryOptions({
  queryKey: ['team', 'list'],
  queryFn: async () => (await request(TeamDocument)).viewer!,
});
