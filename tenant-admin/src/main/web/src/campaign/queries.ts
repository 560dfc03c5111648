import { keepPreviousData, queryOptions, type QueryClient } from '@tanstack/react-query';
import { accepted, request } from '../app/graphql';
import {
  CampaignAudienceDocument,
  CampaignCausesDocument,
  CampaignChecksDocument,
  CampaignChoicesDocument,
  CampaignDocument,
  CampaignDraftDocument,
  CampaignPreviewDocument,
  CampaignResultsDocument,
  CampaignsDocument,
  CreateCampaignDocument,
  DeleteCampaignDocument,
  DeleteSegmentDocument,
  PauseCampaignDocument,
  ResumeCampaignDocument,
  SaveSegmentDocument,
  SegmentsDocument,
  ScheduleCampaignDocument,
  SendCampaignTestDocument,
  StartCampaignDocument,
  TemplateContentDocument,
  UnscheduleCampaignDocument,
  UpdateCampaignDocument,
  type CampaignAudienceQuery,
  type CampaignChoicesQuery,
  type CampaignDraftQuery,
  type CampaignInterval,
  type CampaignQuery,
  type CampaignResultsQuery,
  type CampaignsQuery,
  type CampaignsQueryVariables,
  type CreateCampaignInput,
  type PreviewRecipient,
} from '../gen/graphql';
import type { Problem } from '../words/errors';

export type CampaignRow = NonNullable<CampaignsQuery['viewer']>['campaigns']['nodes'][number];
export type CampaignView = NonNullable<CampaignQuery['viewer']>['campaign'];
export type CampaignDraft = NonNullable<CampaignDraftQuery['viewer']>['campaign'];
export type Results = NonNullable<CampaignResultsQuery['viewer']>['campaign'];
export type Point = Results['series'][number];
export type Choices = NonNullable<CampaignChoicesQuery['viewer']>;
export type Audience = NonNullable<CampaignAudienceQuery['viewer']>['campaignAudience'];

export const campaignsQuery = (filters: CampaignsQueryVariables) =>
  queryOptions({
    queryKey: ['campaign', 'list', filters],
    queryFn: async () => (await request(CampaignsDocument, filters)).viewer!.campaigns,
    placeholderData: keepPreviousData,
  });

export const campaignQuery = (id: string) =>
  queryOptions({
    queryKey: ['campaign', 'one', id],
    queryFn: async () => (await request(CampaignDocument, { id })).viewer!.campaign,
  });

/** Causes of returned mails. */
export const causesQuery = (id: string) =>
  queryOptions({
    queryKey: ['campaign', 'one', id, 'causes'],
    queryFn: async () => (await request(CampaignCausesDocument, { id })).viewer!.campaign.causes,
  });

export const resultsQuery = (id: string, interval: CampaignInterval) =>
  queryOptions({
    queryKey: ['campaign', 'one', id, 'results', interval],
    queryFn: async () => (await request(CampaignResultsDocument, { id, interval })).viewer!.campaign,
    placeholderData: keepPreviousData,
  });

/** The recipient of a preview, next to a contact. */
export interface PreviewOf {
  readonly recipient: PreviewRecipient;
  readonly contactId?: string | null;
}

/** The oldest recipient of the campaign. */
export const firstRecipient: PreviewOf = { recipient: 'NEXT' };

/**
 * A campaign as a recipient gets it. After the last recipient comes the first one, and a campaign without recipients is
 * shown for a sample contact.
 */
export const previewQuery = (id: string, version: number, { recipient, contactId = null }: PreviewOf) =>
  queryOptions({
    queryKey: ['campaign', 'one', id, 'preview', version, recipient, contactId],
    queryFn: async () => {
      const read = async (variables: PreviewOf) =>
        (await request(CampaignPreviewDocument, { id, contactId: null, ...variables })).viewer!
          .campaignPreview;
      return (
        (await read({ recipient, contactId }))
        ?? (contactId ? await read({ recipient }) : null)
        ?? (await read({ recipient: 'SAMPLE' }))!
      );
    },
    staleTime: Infinity,
    refetchOnWindowFocus: false,
    placeholderData: keepPreviousData,
  });

/** Results of the checks of a campaign as it is stored. */
export const checksQuery = (id: string, version: number) =>
  queryOptions({
    queryKey: ['campaign', 'one', id, 'checks', version],
    queryFn: async () => (await request(CampaignChecksDocument, { id })).viewer!.campaign.findings,
    refetchOnWindowFocus: false,
    placeholderData: keepPreviousData,
  });

/** Creates a draft with the content and the audience of a campaign; returns its id. */
export async function duplicateCampaign(client: QueryClient, id: string): Promise<string> {
  const {
    name,
    sender,
    replyTo,
    subject,
    contactBookId,
    templateId,
    htmlContent,
    textContent,
    blocks,
    ...rest
  } = (await request(CampaignDraftDocument, { id })).viewer!.campaign;
  const conditions = (rest.filter ?? {}) as Record<string, unknown>;
  return await saveCampaign(client, undefined, {
    name: `${name.slice(0, 190)} copy`,
    from: sender,
    replyTo: [...replyTo],
    subject,
    contactBookId,
    ...(templateId ? { templateId } : { htmlContent, textContent, ...(blocks ? { blocks } : {}) }),
    filter: Object.keys(conditions).length > 0 ? conditions : null,
    pace: rest.pace,
  });
}

/** The content of a template, to be copied. */
export async function templateContent(id: string) {
  return (await request(TemplateContentDocument, { id })).viewer!.template;
}

/** Whether a campaign as it is stored has an error that must be corrected before it is sent. */
export async function hasErrors(id: string): Promise<boolean> {
  const { findings } = (await request(CampaignChecksDocument, { id })).viewer!.campaign;
  return findings.some(({ level }) => level === 'ERROR');
}

export const draftQuery = (id: string) =>
  queryOptions({
    queryKey: ['campaign', 'one', id, 'draft'],
    queryFn: async () => (await request(CampaignDraftDocument, { id })).viewer!.campaign,
    gcTime: 0,
    staleTime: Infinity,
    refetchOnWindowFocus: false,
  });

export const choicesQuery = queryOptions({
  queryKey: ['campaign', 'list', 'choices'],
  queryFn: async () => (await request(CampaignChoicesDocument)).viewer!,
});

/** Saved conditions, and the campaigns that conditions name. */
export const segmentsQuery = queryOptions({
  queryKey: ['campaign', 'list', 'segments'],
  queryFn: async () => (await request(SegmentsDocument)).viewer!,
});

export async function saveSegment(client: QueryClient, name: string, filter: unknown): Promise<void> {
  accepted((await request(SaveSegmentDocument, { input: { name, filter } })).saveSegment);
  await client.invalidateQueries({ queryKey: segmentsQuery.queryKey });
}

export async function deleteSegment(client: QueryClient, id: string): Promise<void> {
  accepted((await request(DeleteSegmentDocument, { id })).deleteSegment);
  await client.invalidateQueries({ queryKey: segmentsQuery.queryKey });
}

export const audienceQuery = (book: string, filter: unknown) =>
  queryOptions({
    queryKey: ['campaign', 'list', 'audience', book, filter],
    queryFn: async () =>
      (await request(CampaignAudienceDocument, { book, filter: filter ?? null })).viewer!.campaignAudience,
    placeholderData: keepPreviousData,
  });

/** Inputs of errors that name no field. */
const inputs: Record<string, string> = {
  from_domain_mismatch: 'from',
  domain_not_verified: 'from',
  domain_not_found: 'from',
  contact_book_is_empty: 'contact_book_id',
  contact_book_not_found: 'contact_book_id',
  template_not_found: 'template_id',
};

/** Puts errors that name no field at the input that they are about. */
export function placed(problems: readonly Problem[]): readonly Problem[] {
  return problems.map((problem) =>
    problem.field === null && inputs[problem.name] ? { ...problem, field: inputs[problem.name]! } : problem,
  );
}

function result<T extends { userErrors: readonly Problem[] }>(payload: T): T {
  return accepted({ ...payload, userErrors: placed(payload.userErrors) });
}

async function changed(client: QueryClient, id: string): Promise<void> {
  void client.invalidateQueries({ queryKey: ['campaign', 'list'] });
  void client.invalidateQueries({ queryKey: ['account', 'one', 'progress'] });
  await client.invalidateQueries({ queryKey: campaignQuery(id).queryKey, exact: true });
}

/** Creates a campaign, or changes that with the id; returns its id. */
export async function saveCampaign(
  client: QueryClient,
  id: string | undefined,
  input: CreateCampaignInput,
): Promise<string> {
  const { campaign } =
    id === undefined
      ? result((await request(CreateCampaignDocument, { input })).createCampaign)
      : result((await request(UpdateCampaignDocument, { input: { ...input, id } })).updateCampaign);
  await changed(client, campaign!.id);
  return campaign!.id;
}

export async function scheduleCampaign(client: QueryClient, id: string, sendAt: string): Promise<void> {
  result((await request(ScheduleCampaignDocument, { input: { id, sendAt } })).scheduleCampaign);
  await changed(client, id);
}

export async function unscheduleCampaign(client: QueryClient, id: string): Promise<void> {
  result((await request(UnscheduleCampaignDocument, { id })).unscheduleCampaign);
  await changed(client, id);
}

/** Time in which a start can be taken back, in seconds. */
export const UNDO_SECONDS = 20;

/** Starts a draft after a time in which it can be taken back. */
export async function startCampaign(client: QueryClient, id: string): Promise<void> {
  result((await request(StartCampaignDocument, { id, delaySeconds: UNDO_SECONDS })).startCampaign);
  await changed(client, id);
}

export async function pauseCampaign(client: QueryClient, id: string): Promise<void> {
  try {
    result((await request(PauseCampaignDocument, { id })).pauseCampaign);
  } finally {
    await changed(client, id);
  }
}

export async function resumeCampaign(client: QueryClient, id: string): Promise<void> {
  try {
    result((await request(ResumeCampaignDocument, { id })).resumeCampaign);
  } finally {
    await changed(client, id);
  }
}

export async function deleteCampaign(client: QueryClient, id: string): Promise<void> {
  result((await request(DeleteCampaignDocument, { id })).deleteCampaign);
  client.removeQueries({ queryKey: campaignQuery(id).queryKey });
  await client.invalidateQueries({ queryKey: ['campaign', 'list'] });
}

export async function sendTest(client: QueryClient, id: string, to: string[]): Promise<string> {
  const { email } = result((await request(SendCampaignTestDocument, { input: { id, to } })).sendCampaignTest);
  void client.invalidateQueries({ queryKey: ['email', 'list'] });
  return email!.id;
}
