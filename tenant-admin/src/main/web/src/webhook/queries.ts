import { keepPreviousData, queryOptions, type QueryClient } from '@tanstack/react-query';
import { accepted, request } from '../app/graphql';
import {
  CreateWebhookEndpointDocument,
  DeleteWebhookEndpointDocument,
  RecoverWebhookCallsDocument,
  RedeliverWebhookCallDocument,
  RotateWebhookSecretDocument,
  TestWebhookEndpointDocument,
  UpdateWebhookEndpointDocument,
  WebhookCallDocument,
  WebhookDocument,
  WebhookEventTypesDocument,
  WebhooksDocument,
  type CreateWebhookEndpointInput,
  type UpdateWebhookEndpointInput,
  type WebhookCallQuery,
  type WebhookEventTypesQuery,
  type WebhookQuery,
  type WebhooksQuery,
} from '../gen/graphql';

export type EndpointRow = NonNullable<WebhooksQuery['viewer']>['webhookEndpoints']['nodes'][number];
export type EndpointView = NonNullable<WebhookQuery['viewer']>;
export type Endpoint = EndpointView['webhookEndpoint'];
export type CallRow = EndpointView['webhookCalls']['nodes'][number];
export type Call = NonNullable<WebhookCallQuery['viewer']>['webhookCall'];
export type EventType = NonNullable<WebhookEventTypesQuery['viewer']>['webhookEventTypes'][number];

export const webhooksQuery = (after: string | undefined) =>
  queryOptions({
    queryKey: ['webhook', 'list', { after }],
    queryFn: async () => (await request(WebhooksDocument, { after: after ?? null })).viewer!.webhookEndpoints,
    placeholderData: keepPreviousData,
  });

export const webhookQuery = (id: string, after: string | undefined) =>
  queryOptions({
    queryKey: ['webhook', 'one', id, { after }],
    queryFn: async () => (await request(WebhookDocument, { id, after: after ?? null })).viewer!,
    placeholderData: keepPreviousData,
  });

export const callQuery = (id: string) =>
  queryOptions({
    queryKey: ['webhook', 'call', id],
    queryFn: async () => (await request(WebhookCallDocument, { id })).viewer!.webhookCall,
  });

export const eventTypesQuery = queryOptions({
  queryKey: ['webhook', 'list', 'types'],
  queryFn: async () =>
    (await request(WebhookEventTypesDocument)).viewer!.webhookEventTypes.filter(
      (type) => type.kind !== 'webhook.test',
    ),
  staleTime: Infinity,
});

function changed(client: QueryClient): Promise<void> {
  void client.invalidateQueries({ queryKey: ['account', 'one', 'progress'] });
  return client.invalidateQueries({ queryKey: ['webhook'] });
}

/** Creates an endpoint; returns its id and its secret, which no cache keeps. */
export async function createEndpoint(
  client: QueryClient,
  input: CreateWebhookEndpointInput,
): Promise<{ id: string; secret: string }> {
  const { webhookEndpoint, secret } = accepted(
    (await request(CreateWebhookEndpointDocument, { input })).createWebhookEndpoint,
  );
  await changed(client);
  return { id: webhookEndpoint!.id, secret: secret! };
}

export async function updateEndpoint(client: QueryClient, input: UpdateWebhookEndpointInput): Promise<void> {
  accepted((await request(UpdateWebhookEndpointDocument, { input })).updateWebhookEndpoint);
  await changed(client);
}

/** Replaces the secret; returns the new one. */
export async function rotateSecret(id: string): Promise<string> {
  return accepted((await request(RotateWebhookSecretDocument, { id })).rotateWebhookSecret).secret!;
}

export async function deleteEndpoint(client: QueryClient, id: string): Promise<void> {
  accepted((await request(DeleteWebhookEndpointDocument, { id })).deleteWebhookEndpoint);
  client.removeQueries({ queryKey: ['webhook', 'one', id] });
  await changed(client);
}

export async function testEndpoint(client: QueryClient, id: string): Promise<string> {
  const { call } = accepted((await request(TestWebhookEndpointDocument, { id })).testWebhookEndpoint);
  await changed(client);
  return call!.id;
}

export async function redeliver(client: QueryClient, id: string): Promise<void> {
  accepted((await request(RedeliverWebhookCallDocument, { id })).redeliverWebhookCall);
  await changed(client);
}

export async function recover(
  client: QueryClient,
  endpointId: string,
  since: string,
): Promise<{ count: number; more: boolean }> {
  const { count, more } = accepted(
    (await request(RecoverWebhookCallsDocument, { input: { endpointId, since } })).recoverWebhookCalls,
  );
  await changed(client);
  return { count: count ?? 0, more: more ?? false };
}
