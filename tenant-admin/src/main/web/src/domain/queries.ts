import { keepPreviousData, queryOptions, type QueryClient } from '@tanstack/react-query';
import { accepted, request } from '../app/graphql';
import { progressQuery } from '../app/queries';
import {
  CreateDomainDocument,
  DeleteDomainDocument,
  DomainDmarcDocument,
  DomainDocument,
  DomainProvidersDocument,
  DomainReadinessDocument,
  DomainTlsReportsDocument,
  DomainsDocument,
  RotateDkimDocument,
  StartDomainWarmupDocument,
  StopDomainWarmupDocument,
  UpdateDomainDocument,
  VerifyDomainDocument,
  type DomainDmarcQuery,
  type DomainQuery,
  type DomainReadinessQuery,
  type UpdateDomainInput,
} from '../gen/graphql';

export const domainsQuery = (after: string | undefined) =>
  queryOptions({
    queryKey: ['domain', 'list', { after }],
    queryFn: async () => (await request(DomainsDocument, { after })).viewer!.domains,
    placeholderData: keepPreviousData,
  });

export const domainQuery = (id: string) =>
  queryOptions({
    queryKey: ['domain', 'one', id],
    queryFn: async () => (await request(DomainDocument, { id })).viewer!,
  });

export const dmarcQuery = (id: string) =>
  queryOptions({
    queryKey: ['domain', 'dmarc', id],
    queryFn: async () => (await request(DomainDmarcDocument, { id })).viewer!.dmarc,
  });

export const tlsReportsQuery = (id: string) =>
  queryOptions({
    queryKey: ['domain', 'tls', id],
    queryFn: async () => (await request(DomainTlsReportsDocument, { id })).viewer!.tlsReports,
  });

export const readinessQuery = (id: string) =>
  queryOptions({
    queryKey: ['domain', 'readiness', id],
    queryFn: async () => (await request(DomainReadinessDocument, { id })).viewer!.readiness,
  });

export const providersQuery = (id: string) =>
  queryOptions({
    queryKey: ['domain', 'providers', id],
    queryFn: async () => (await request(DomainProvidersDocument, { id })).viewer!.providers,
  });

export type Dmarc = NonNullable<DomainDmarcQuery['viewer']>['dmarc'];
export type ReadinessRow = NonNullable<DomainReadinessQuery['viewer']>['readiness'][number];
export type DomainView = NonNullable<DomainQuery['viewer']>;
export type DomainDetail = DomainView['domain'];
export type DnsRecord = DomainDetail['records'][number];

/** Puts changed fields of a domain into the cache. */
export function patchDomain(client: QueryClient, change: { id: string } & Partial<DomainDetail>): void {
  client.setQueryData(domainQuery(change.id).queryKey, (old) =>
    old ? { ...old, domain: { ...old.domain, ...change } } : old,
  );
}

async function others(client: QueryClient): Promise<void> {
  await Promise.all([
    client.invalidateQueries({ queryKey: ['domain', 'list'] }),
    client.invalidateQueries({ queryKey: progressQuery.queryKey }),
  ]);
}

export async function createDomain(client: QueryClient, name: string): Promise<string> {
  const { domain } = accepted((await request(CreateDomainDocument, { input: { name } })).createDomain);
  await others(client);
  return domain!.id;
}

export async function verifyDomain(client: QueryClient, id: string): Promise<DomainDetail['status']> {
  const { domain } = accepted((await request(VerifyDomainDocument, { id })).verifyDomain);
  patchDomain(client, domain!);
  await others(client);
  return domain!.status;
}

export async function rotateDkim(client: QueryClient, id: string): Promise<void> {
  const { domain } = accepted((await request(RotateDkimDocument, { id })).rotateDkim);
  patchDomain(client, domain!);
}

/** Starts or ends the warm-up of a domain. */
export async function switchWarmup(client: QueryClient, id: string, on: boolean): Promise<void> {
  const { domain } = accepted(
    on
      ? (await request(StartDomainWarmupDocument, { id })).startDomainWarmup
      : (await request(StopDomainWarmupDocument, { id })).stopDomainWarmup,
  );
  patchDomain(client, domain!);
  await client.invalidateQueries({ queryKey: ['campaign'] });
}

/** Changes a setting: the cache has it at once, and has the old one again after an error. */
export async function updateDomain(
  client: QueryClient,
  input: UpdateDomainInput & { id: string },
): Promise<void> {
  const key = domainQuery(input.id).queryKey;
  const before = client.getQueryData(key);
  patchDomain(client, input as { id: string } & Partial<DomainDetail>);
  try {
    const { domain } = accepted((await request(UpdateDomainDocument, { input })).updateDomain);
    patchDomain(client, domain!);
  } catch (error) {
    client.setQueryData(key, before);
    throw error;
  }
}

export async function deleteDomain(client: QueryClient, id: string): Promise<void> {
  accepted((await request(DeleteDomainDocument, { id })).deleteDomain);
  await others(client);
}
