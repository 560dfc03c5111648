import { keepPreviousData, queryOptions, type QueryClient } from '@tanstack/react-query';
import { accepted, request } from '../app/graphql';
import type { History } from '../audit/table';
import {
  AddAccountNoteDocument,
  CheckAddressDocument,
  ChooseAccountTransportDocument,
  ChoosePoolDocument,
  DismissDeadLetterDocument,
  ForgetSiteDocument,
  HoldDestinationDocument,
  OperatorAccountDocument,
  OperatorAccountsDocument,
  OperatorAddressesDocument,
  OperatorAuditDocument,
  OperatorCancelDeletionDocument,
  OperatorChecksDocument,
  OperatorDeadLettersDocument,
  OperatorDeleteAccountDocument,
  OperatorDestinationsDocument,
  OperatorExplainDocument,
  OperatorForwardsDocument,
  OperatorOverviewDocument,
  OperatorPlansDocument,
  OperatorPoolsDocument,
  OperatorProvidersDocument,
  OperatorQueueDocument,
  OperatorTlsDocument,
  OperatorTrafficDocument,
  PauseQueueDocument,
  PauseSiteDocument,
  ReleaseDestinationDocument,
  RemovePoolDocument,
  RemoveSendingAddressDocument,
  RequeueDeadLetterDocument,
  RequeueDeadLettersDocument,
  ResetProfileDocument,
  ResumeAccountDocument,
  ResumeQueueDocument,
  SavePlanDocument,
  SavePoolDocument,
  StartSourceWarmupDocument,
  StopSourceWarmupDocument,
  SaveProfileDocument,
  SaveSendingAddressDocument,
  SetAccountLimitsDocument,
  SetAccountPlanDocument,
  SuspendAccountDocument,
  type ChoosePoolInput,
  type EmailStream,
  type HoldDestinationInput,
  type OperatorAccountQuery,
  type OperatorAccountsQuery,
  type OperatorAccountsQueryVariables,
  type OperatorAddressesQuery,
  type OperatorAuditQuery,
  type OperatorAuditQueryVariables,
  type OperatorDeadLettersQuery,
  type OperatorDeadLettersQueryVariables,
  type OperatorDestinationsQuery,
  type OperatorExplainQuery,
  type OperatorExplainQueryVariables,
  type OperatorForwardsQuery,
  type OperatorOverviewQuery,
  type OperatorPlansQuery,
  type OperatorPoolsQuery,
  type OperatorProvidersQuery,
  type OperatorQueueQuery,
  type OperatorTlsQuery,
  type OperatorTrafficQuery,
  type PauseSiteInput,
  type ProviderProfileInput,
  type SavePlanInput,
  type SendingAddressInput,
  type SendingPoolInput,
  type SetAccountLimitsInput,
  type TrafficInterval,
  type TransportName,
} from '../gen/graphql';

type Of<Q extends { operator: unknown }> = NonNullable<Q['operator']>;

export type Overview = Of<OperatorOverviewQuery>;
export type AccountRow = Of<OperatorAccountsQuery>['accounts']['nodes'][number];
export type AccountView = Of<OperatorAccountQuery>;
export type Queue = Of<OperatorQueueQuery>;
export type DeadLetter = Of<OperatorDeadLettersQuery>['deadLetterList']['nodes'][number];
export type AddressFinding = Of<OperatorAddressesQuery>['addressChecks'][number];
export type BlockListRow = Of<OperatorAddressesQuery>['blockLists'][number];
export type UnreadReportRow = Of<OperatorAddressesQuery>['unreadReports'][number];
export type CertificateOrderRow = Of<OperatorAddressesQuery>['certificateOrders'][number];
export type SentReportRow = Of<OperatorTlsQuery>['sentTlsReports'][number];
export type TlsPolicyRow = Of<OperatorTlsQuery>['tlsPolicies'][number];
export type ForwardsRow = Of<OperatorForwardsQuery>['forwards'][number];
export type SourceRow = Of<OperatorAddressesQuery>['sendingAddresses'][number];
export type PoolRow = Of<OperatorPoolsQuery>['pools'][number];
export type SiteRow = Of<OperatorProvidersQuery>['sites'][number];
export type Profile = Of<OperatorProvidersQuery>['providerProfiles'][number];
export type ExplainedStep = Of<OperatorExplainQuery>['explain'][number];
export type Destination = Of<OperatorDestinationsQuery>['destinations'][number];
export type TrafficPoint = Of<OperatorTrafficQuery>['traffic'][number];
export type Plan = Of<OperatorPlansQuery>['plans'][number];
type AuditRow = Of<OperatorAuditQuery>['auditLog']['nodes'][number];

/** Interval in which the overview and the destinations are read. */
const OVERVIEW_MS = 10_000;

export const overviewQuery = queryOptions({
  queryKey: ['operator', 'one', 'overview'],
  queryFn: async () => (await request(OperatorOverviewDocument)).operator!,
  refetchInterval: OVERVIEW_MS,
});

export const accountsQuery = (filters: OperatorAccountsQueryVariables) =>
  queryOptions({
    queryKey: ['operator', 'list', 'accounts', filters],
    queryFn: async () => (await request(OperatorAccountsDocument, filters)).operator!,
    placeholderData: keepPreviousData,
  });

export const accountQuery = (id: string) =>
  queryOptions({
    queryKey: ['operator', 'one', 'account', id],
    queryFn: async () => (await request(OperatorAccountDocument, { id })).operator!,
  });

export const queueQuery = queryOptions({
  queryKey: ['operator', 'one', 'queue'],
  queryFn: async () => (await request(OperatorQueueDocument)).operator!,
});

export const destinationsQuery = queryOptions({
  queryKey: ['operator', 'list', 'destinations'],
  queryFn: async () => (await request(OperatorDestinationsDocument)).operator!.destinations,
  refetchInterval: OVERVIEW_MS,
});

export const trafficQuery = (interval: TrafficInterval, last: number) =>
  queryOptions({
    queryKey: ['operator', 'list', 'traffic', interval, last],
    queryFn: async () => (await request(OperatorTrafficDocument, { interval, last })).operator!.traffic,
    refetchInterval: OVERVIEW_MS,
    placeholderData: keepPreviousData,
  });

export const deadLettersQuery = (filters: OperatorDeadLettersQueryVariables) =>
  queryOptions({
    queryKey: ['operator', 'list', 'dead-letters', filters],
    queryFn: async () => (await request(OperatorDeadLettersDocument, filters)).operator!,
    placeholderData: keepPreviousData,
  });

export const checksQuery = queryOptions({
  queryKey: ['operator', 'list', 'checks'],
  queryFn: async () => (await request(OperatorChecksDocument)).operator!.healthChecks,
});

export const addressesQuery = queryOptions({
  queryKey: ['operator', 'list', 'addresses'],
  queryFn: async () => (await request(OperatorAddressesDocument)).operator!,
  refetchInterval: OVERVIEW_MS,
});

/** Asks for a check of an address, which a worker begins within seconds. */
export async function checkAddress(client: QueryClient, address: string): Promise<void> {
  accepted((await request(CheckAddressDocument, { address })).operatorCheckAddress);
  await changed(client);
}

export async function saveSource(client: QueryClient, input: SendingAddressInput): Promise<void> {
  accepted((await request(SaveSendingAddressDocument, { input })).operatorSaveSendingAddress);
  await changed(client);
}

export async function removeSource(client: QueryClient, name: string): Promise<void> {
  accepted((await request(RemoveSendingAddressDocument, { name })).operatorRemoveSendingAddress);
  await changed(client);
}

export async function startSourceWarmup(client: QueryClient, source: string): Promise<void> {
  accepted((await request(StartSourceWarmupDocument, { input: { source } })).operatorStartSourceWarmup);
  await changed(client);
}

export async function stopSourceWarmup(client: QueryClient, source: string): Promise<void> {
  accepted((await request(StopSourceWarmupDocument, { source })).operatorStopSourceWarmup);
  await changed(client);
}

export const poolsQuery = queryOptions({
  queryKey: ['operator', 'list', 'pools'],
  queryFn: async () => (await request(OperatorPoolsDocument)).operator!.pools,
  refetchInterval: OVERVIEW_MS,
});

/** Policies about TLS of recipients' domains, and the reports that were sent to them. */
export const tlsQuery = queryOptions({
  queryKey: ['operator', 'list', 'tls'],
  queryFn: async () => (await request(OperatorTlsDocument)).operator!,
  refetchInterval: OVERVIEW_MS,
});

export const forwardsQuery = queryOptions({
  queryKey: ['operator', 'list', 'forwards'],
  queryFn: async () => (await request(OperatorForwardsDocument)).operator!.forwards,
  refetchInterval: OVERVIEW_MS,
});

export async function savePool(client: QueryClient, input: SendingPoolInput): Promise<void> {
  accepted((await request(SavePoolDocument, { input })).operatorSavePool);
  await changed(client);
}

export async function removePool(client: QueryClient, name: string): Promise<void> {
  accepted((await request(RemovePoolDocument, { name })).operatorRemovePool);
  await changed(client);
}

/** Chooses the pool of mail, or removes the choice. */
export async function choosePool(client: QueryClient, input: ChoosePoolInput): Promise<void> {
  accepted((await request(ChoosePoolDocument, { input })).operatorChoosePool);
  await changed(client);
}

export const providersQuery = queryOptions({
  queryKey: ['operator', 'list', 'providers'],
  queryFn: async () => (await request(OperatorProvidersDocument)).operator!,
  refetchInterval: OVERVIEW_MS,
});

/** The way that a mail would take now. */
export async function explain(variables: OperatorExplainQueryVariables): Promise<readonly ExplainedStep[]> {
  return (await request(OperatorExplainDocument, variables)).operator!.explain;
}

export async function saveProfile(client: QueryClient, input: ProviderProfileInput): Promise<void> {
  accepted((await request(SaveProfileDocument, { input })).operatorSaveProfile);
  await changed(client);
}

export async function resetProfile(client: QueryClient, name: string): Promise<void> {
  accepted((await request(ResetProfileDocument, { name })).operatorResetProfile);
  await changed(client);
}

export async function pauseSite(client: QueryClient, input: PauseSiteInput): Promise<void> {
  accepted((await request(PauseSiteDocument, { input })).operatorPauseSite);
  await changed(client);
}

export async function forgetSite(client: QueryClient, site: string): Promise<void> {
  accepted((await request(ForgetSiteDocument, { site })).operatorForgetSite);
  await changed(client);
}

export const plansQuery = queryOptions({
  queryKey: ['operator', 'list', 'plans'],
  queryFn: async () => (await request(OperatorPlansDocument)).operator!.plans,
});

export const auditQuery = (filters: OperatorAuditQueryVariables) =>
  queryOptions({
    queryKey: ['operator', 'list', 'audit', filters],
    queryFn: async () => (await request(OperatorAuditDocument, filters)).operator!.auditLog,
    placeholderData: keepPreviousData,
  });

/** Earlier changes that are shown beside an entry. */
const MAX_HISTORY = 20;

/** The entries on the object of an entry, before it: those of its account by their act, as they have no object. */
export const objectQuery: History = (entry) => ({
  queryKey: ['operator', 'one', 'audit', entry.id],
  queryFn: async () => {
    const { operator } = await request(OperatorAuditDocument, {
      first: MAX_HISTORY,
      until: entry.createdAt,
      target: entry.target,
      act: entry.target === '' ? entry.act : null,
      account: entry.accountId ?? null,
    });
    return operator!.auditLog.nodes;
  },
});

/** All entries that match, up to a limit. */
export async function auditEntries(
  filters: OperatorAuditQueryVariables,
  limit: number,
): Promise<readonly AuditRow[]> {
  // The pages of operators do without the code of files.
  const { rowsOf } = await import('../kit/csv');
  return rowsOf(
    async (after) =>
      (await request(OperatorAuditDocument, { ...filters, first: 100, after })).operator!.auditLog,
    limit,
  );
}

async function changed(client: QueryClient): Promise<void> {
  await client.invalidateQueries({
    queryKey: ['operator'],
    predicate: ({ queryKey }) => !queryKey.includes('email') && !queryKey.includes('emails'),
  });
}

export async function suspend(client: QueryClient, account: string, reason: string): Promise<void> {
  accepted((await request(SuspendAccountDocument, { input: { account, reason } })).operatorSuspendAccount);
  await changed(client);
}

export async function resume(client: QueryClient, account: string, reason: string): Promise<void> {
  accepted((await request(ResumeAccountDocument, { input: { account, reason } })).operatorResumeAccount);
  await changed(client);
}

export async function deleteAccount(client: QueryClient, account: string, reason: string): Promise<void> {
  accepted(
    (await request(OperatorDeleteAccountDocument, { input: { account, reason } })).operatorDeleteAccount,
  );
  await changed(client);
}

export async function cancelDeletion(client: QueryClient, account: string, reason: string): Promise<void> {
  accepted(
    (await request(OperatorCancelDeletionDocument, { input: { account, reason } }))
      .operatorCancelAccountDeletion,
  );
  await changed(client);
}

export async function setPlan(client: QueryClient, account: string, plan: string): Promise<void> {
  accepted((await request(SetAccountPlanDocument, { input: { account, plan } })).operatorSetAccountPlan);
  await changed(client);
}

export async function setLimits(client: QueryClient, input: SetAccountLimitsInput): Promise<void> {
  accepted((await request(SetAccountLimitsDocument, { input })).operatorSetAccountLimits);
  await changed(client);
}

export async function chooseTransport(
  client: QueryClient,
  account: string,
  transport: TransportName | null,
): Promise<void> {
  accepted(
    (await request(ChooseAccountTransportDocument, { input: { account, transport } }))
      .operatorChooseAccountTransport,
  );
  await changed(client);
}

export async function addNote(client: QueryClient, account: string, note: string): Promise<void> {
  accepted((await request(AddAccountNoteDocument, { input: { account, note } })).operatorAddAccountNote);
  await changed(client);
}

export async function savePlan(client: QueryClient, input: SavePlanInput): Promise<void> {
  accepted((await request(SavePlanDocument, { input })).operatorSavePlan);
  await changed(client);
}

export async function requeue(client: QueryClient, id: string): Promise<void> {
  accepted((await request(RequeueDeadLetterDocument, { id })).operatorRequeueDeadLetter);
  await changed(client);
}

/** Returns all mails to the queue whose reason contains a text. */
export async function requeueAll(client: QueryClient, why: string, reason: string): Promise<void> {
  let more = true;
  while (more) {
    const answer = await request(RequeueDeadLettersDocument, { input: { why, reason } });
    const { requeued } = accepted(answer.operatorRequeueDeadLetters);
    more = Boolean(requeued?.more && requeued.count > 0);
  }
  await changed(client);
}

export async function dismiss(client: QueryClient, id: string, reason: string): Promise<void> {
  accepted((await request(DismissDeadLetterDocument, { input: { id, reason } })).operatorDismissDeadLetter);
  await changed(client);
}

export async function holdDestination(client: QueryClient, input: HoldDestinationInput): Promise<void> {
  accepted((await request(HoldDestinationDocument, { input })).operatorHoldDestination);
  await changed(client);
}

export async function releaseDestination(client: QueryClient, destination: string): Promise<void> {
  accepted((await request(ReleaseDestinationDocument, { destination })).operatorReleaseDestination);
  await changed(client);
}

/** Pauses a stream of the queue, or all of it. */
export async function pauseQueue(
  client: QueryClient,
  stream: EmailStream | null,
  reason: string,
): Promise<void> {
  accepted((await request(PauseQueueDocument, { stream, reason })).operatorPauseQueue);
  await changed(client);
}

/** Resumes a stream of the queue, or all of it. */
export async function resumeQueue(client: QueryClient, stream: EmailStream | null): Promise<void> {
  accepted((await request(ResumeQueueDocument, { stream })).operatorResumeQueue);
  await changed(client);
}
