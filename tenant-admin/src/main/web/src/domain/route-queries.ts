import { queryOptions, type QueryClient } from '@tanstack/react-query';
import { accepted, request } from '../app/graphql';
import {
  CreateForwardTargetDocument,
  CreateInboundRouteDocument,
  DeleteForwardTargetDocument,
  DeleteInboundRouteDocument,
  ForwardTargetsDocument,
  InboundRouteMatchDocument,
  InboundRoutesDocument,
  OrderInboundRoutesDocument,
  ResendForwardTargetDocument,
  UpdateInboundRouteDocument,
  type ForwardTargetsQuery,
  type InboundRouteMatchQuery,
  type InboundRoutesQuery,
  type UpdateInboundRouteInput,
} from '../gen/graphql';

export type RouteRow = NonNullable<InboundRoutesQuery['viewer']>['inboundRoutes'][number];
export type Target = NonNullable<ForwardTargetsQuery['viewer']>['forwardTargets'][number];
export type RouteMatch = NonNullable<InboundRouteMatchQuery['viewer']>['inboundRouteMatch'];
export type RouteValues = Omit<RouteRow, 'id'>;

export const routesQuery = (domain: string) =>
  queryOptions({
    queryKey: ['domain', 'routes', domain],
    queryFn: async () => (await request(InboundRoutesDocument, { domain })).viewer!.inboundRoutes,
  });

const again = (client: QueryClient, domain: string) =>
  client.invalidateQueries({ queryKey: routesQuery(domain).queryKey });

export async function createRoute(client: QueryClient, domainId: string, values: RouteValues): Promise<void> {
  accepted(
    (await request(CreateInboundRouteDocument, { input: { domainId, ...values } })).createInboundRoute,
  );
  await again(client, domainId);
}

export async function updateRoute(
  client: QueryClient,
  domain: string,
  input: UpdateInboundRouteInput,
): Promise<void> {
  accepted((await request(UpdateInboundRouteDocument, { input })).updateInboundRoute);
  await again(client, domain);
}

export async function deleteRoute(client: QueryClient, domain: string, id: string): Promise<void> {
  accepted((await request(DeleteInboundRouteDocument, { id })).deleteInboundRoute);
  await again(client, domain);
}

/** Changes the order: the list has it at once, and has the present one again after an error. */
export async function orderRoutes(client: QueryClient, domain: string, ids: string[]): Promise<void> {
  const key = routesQuery(domain).queryKey;
  client.setQueryData(key, (old) => old?.toSorted((a, b) => ids.indexOf(a.id) - ids.indexOf(b.id)));
  try {
    accepted((await request(OrderInboundRoutesDocument, { domain, ids })).orderInboundRoutes);
  } finally {
    await again(client, domain);
  }
}

/** The route that applies to mail to an address now. */
export async function matchOf(recipient: string): Promise<RouteMatch> {
  return (await request(InboundRouteMatchDocument, { recipient })).viewer!.inboundRouteMatch;
}

/** The account's forwarding addresses. */
export const targetsQuery = queryOptions({
  queryKey: ['domain', 'forward-targets'],
  queryFn: async () => (await request(ForwardTargetsDocument)).viewer!.forwardTargets,
});

const targetsAgain = (client: QueryClient) => client.invalidateQueries({ queryKey: targetsQuery.queryKey });

export async function addTarget(client: QueryClient, address: string): Promise<void> {
  accepted((await request(CreateForwardTargetDocument, { input: { address } })).createForwardTarget);
  await targetsAgain(client);
}

export async function resendTarget(client: QueryClient, id: string): Promise<void> {
  accepted((await request(ResendForwardTargetDocument, { id })).resendForwardTarget);
  await targetsAgain(client);
}

export async function deleteTarget(client: QueryClient, id: string): Promise<void> {
  accepted((await request(DeleteForwardTargetDocument, { id })).deleteForwardTarget);
  await targetsAgain(client);
}
