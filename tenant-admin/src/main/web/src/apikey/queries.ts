import { keepPreviousData, queryOptions, type QueryClient } from '@tanstack/react-query';
import { accepted, request } from '../app/graphql';
import { progressQuery } from '../app/queries';
import {
  ApiKeysDocument,
  ApproveDeviceSignInDocument,
  CreateApiKeyDocument,
  DenyDeviceSignInDocument,
  DeviceSignInDocument,
  RevokeApiKeyDocument,
  RotateApiKeyDocument,
  UpdateApiKeyDocument,
  VerifiedDomainsDocument,
  type ApiKeysQuery,
  type ApproveDeviceSignInInput,
  type CreateApiKeyInput,
  type DeviceSignInQuery,
  type UpdateApiKeyInput,
} from '../gen/graphql';

export type ApiKeyRow = NonNullable<ApiKeysQuery['viewer']>['apiKeys']['nodes'][number];

export const apiKeysQuery = (after: string | undefined) =>
  queryOptions({
    queryKey: ['apikey', 'list', { after }],
    queryFn: async () => (await request(ApiKeysDocument, { after })).viewer!.apiKeys,
    placeholderData: keepPreviousData,
  });

/** The domains that a key can be for. */
export const keyDomainsQuery = queryOptions({
  queryKey: ['apikey', 'list', 'domains'],
  queryFn: async () => (await request(VerifiedDomainsDocument)).viewer!.domains.nodes,
});

async function changed(client: QueryClient): Promise<void> {
  await Promise.all([
    client.invalidateQueries({ queryKey: ['apikey', 'list'] }),
    client.invalidateQueries({ queryKey: progressQuery.queryKey }),
  ]);
}

/** Creates a key. The result is its secret, which is not stored anywhere. */
export async function createKey(client: QueryClient, input: CreateApiKeyInput): Promise<string> {
  const { key } = accepted((await request(CreateApiKeyDocument, { input })).createApiKey);
  void changed(client);
  return key!;
}

/** Replaces a key. The result is the secret of the new one. */
export async function rotateKey(client: QueryClient, id: string): Promise<string> {
  const { key } = accepted((await request(RotateApiKeyDocument, { id })).rotateApiKey);
  void changed(client);
  return key!;
}

export async function updateKey(client: QueryClient, input: UpdateApiKeyInput): Promise<void> {
  accepted((await request(UpdateApiKeyDocument, { input })).updateApiKey);
  await changed(client);
}

export async function revokeKey(client: QueryClient, id: string): Promise<void> {
  accepted((await request(RevokeApiKeyDocument, { id })).revokeApiKey);
  await changed(client);
}

export type Device = NonNullable<NonNullable<DeviceSignInQuery['viewer']>['deviceSignIn']>;

/** The program that shows a code. It is read once, because the codes of a person are counted. */
export const deviceQuery = (code: string) =>
  queryOptions({
    queryKey: ['device', code],
    queryFn: async () => (await request(DeviceSignInDocument, { code })).viewer!.deviceSignIn,
    staleTime: Infinity,
    gcTime: 0,
    retry: false,
    refetchOnWindowFocus: false,
  });

export async function approveDevice(client: QueryClient, input: ApproveDeviceSignInInput): Promise<void> {
  accepted((await request(ApproveDeviceSignInDocument, { input })).approveDeviceSignIn);
  void changed(client);
}

export async function denyDevice(code: string): Promise<void> {
  accepted((await request(DenyDeviceSignInDocument, { code })).denyDeviceSignIn);
}
