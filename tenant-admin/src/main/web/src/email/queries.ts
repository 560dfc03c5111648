import { keepPreviousData, queryOptions, type QueryClient } from '@tanstack/react-query';
import { accepted, base, request } from '../app/graphql';
import type { LiveEvent } from '../app/live';
import { watched } from '../app/watch';
import {
  CancelEmailDocument,
  EmailCampaignDocument,
  EmailContentDocument,
  EmailDocument,
  EmailEndpointsDocument,
  EmailPreviewDocument,
  EmailSuppressionDocument,
  EmailsDocument,
  LiftSuppressionDocument,
  RescheduleEmailDocument,
  SendEmailDocument,
  SendingDomainsDocument,
  type EmailQuery,
  type EmailsQuery,
  type EmailStatus,
  type EmailStream,
  type SendEmailInput,
} from '../gen/graphql';
import { chosenStates, startOf, tagOf, type Period } from './filters';

export type EmailPage = NonNullable<EmailsQuery['viewer']>['emails'];
export type EmailRow = EmailPage['nodes'][number];
export type EmailDetail = NonNullable<EmailQuery['viewer']>['email'];

/** The view of the list. */
export interface EmailFilters {
  readonly after: string | null;
  readonly search: string | null;
  readonly domain: string | null;
  /** A status, or states, as in the URL. */
  readonly status: string | null;
  readonly stream: EmailStream | null;
  readonly tag: string | null;
  readonly campaign: string | null;
  readonly period: Period | null;
  readonly since: string | null;
  readonly until: string | null;
  readonly oldestFirst: boolean;
  /** Whether the domains and campaigns are read too. */
  readonly places: boolean;
}

/** Reads a page; the time of a period ends now. */
export async function page(
  { tag, period, since, status, oldestFirst, after, ...others }: EmailFilters,
  first = 50,
): Promise<EmailPage> {
  const chosen = chosenStates(status ?? undefined);
  const several = status?.startsWith('.') === true && chosen.length > 0;
  const { emails } = (
    await request(EmailsDocument, {
      ...others,
      first,
      last: oldestFirst ? first : null,
      after: oldestFirst ? null : after,
      before: oldestFirst ? after : null,
      states: several ? [...chosen] : null,
      status: chosen.length > 0 && !several ? (status as EmailStatus) : null,
      tag: tagOf(tag),
      from: since ?? startOf(period),
    })
  ).viewer!;
  if (!oldestFirst) return emails;
  // The server's order is newest first: the list is read backward from its end.
  const { hasPreviousPage, startCursor } = emails.pageInfo;
  return {
    ...emails,
    nodes: emails.nodes.toReversed(),
    pageInfo: { ...emails.pageInfo, hasNextPage: hasPreviousPage, endCursor: startCursor },
  };
}

export const emailsQuery = (filters: EmailFilters) =>
  queryOptions({
    queryKey: ['email', 'list', filters],
    queryFn: () => page(filters),
    placeholderData: keepPreviousData,
  });

/** The webhook endpoints, whose URLs stand beside the calls of a mail. */
export const endpointsQuery = queryOptions({
  queryKey: ['webhook', 'list', 'urls'],
  queryFn: async () => (await request(EmailEndpointsDocument)).viewer!.webhookEndpoints.nodes,
});

export const emailQuery = (id: string) =>
  queryOptions({
    queryKey: ['email', 'one', id],
    queryFn: async () => (await request(EmailDocument, { id })).viewer!.email,
  });

/** The content of a mail; an operator who watches the account gives a reason once, and then it is kept. */
export const contentQuery = (id: string, reason: string | null = null) =>
  queryOptions({
    queryKey: ['email', 'one', id, 'content'],
    queryFn: async () => (await request(EmailContentDocument, { id, reason })).viewer!.emailContent,
    staleTime: Infinity,
    enabled: watched() === null,
  });

/** The URL of a preview is valid for one minute, so it is not kept. */
export const previewQuery = (id: string) =>
  queryOptions({
    queryKey: ['email', 'one', id, 'preview'],
    queryFn: async () => base + (await request(EmailPreviewDocument, { id })).viewer!.preview.url,
    gcTime: 0,
    staleTime: Infinity,
  });

/** The campaign whose mails are listed. */
export const campaignNameQuery = (id: string) =>
  queryOptions({
    queryKey: ['email', 'campaign', id],
    queryFn: async () => (await request(EmailCampaignDocument, { id })).viewer!.campaign.name,
    staleTime: 60_000,
  });

export const sendersQuery = queryOptions({
  queryKey: ['email', 'list', 'senders'],
  queryFn: async () => (await request(SendingDomainsDocument)).viewer!,
});

const statuses: Record<string, EmailStatus> = {
  'email.sent': 'SENT',
  'email.delivered': 'DELIVERED',
  'email.bounced': 'BOUNCED',
  'email.complained': 'COMPLAINED',
  'email.failed': 'FAILED',
  'email.cancelled': 'FAILED',
  'email.suppressed': 'FAILED',
  'email.forwarded': 'DELIVERED',
  'email.forward_failed': 'FAILED',
};

const rank: readonly EmailStatus[] = ['PENDING', 'SENT', 'DELIVERED', 'FAILED', 'BOUNCED', 'COMPLAINED'];

/** A row of the list after an event: the worst status stays, opens and clicks are counted. */
export function patchRow(row: EmailRow, event: Pick<LiveEvent, 'kind' | 'data'>): EmailRow {
  const name = event.kind.replace(/^email\./, '');
  const counted = (event.data as { bot?: boolean } | null)?.bot !== true;
  if (name === 'opened') return counted ? { ...row, openCount: row.openCount + 1, lastEvent: name } : row;
  if (name === 'clicked') return counted ? { ...row, clickCount: row.clickCount + 1, lastEvent: name } : row;
  const status = statuses[event.kind];
  if (!status) return { ...row, lastEvent: name };
  return rank.indexOf(status) >= rank.indexOf(row.status) ? { ...row, status, lastEvent: name } : row;
}

/** A page of the list after events, and whether some belong to mails that it does not show. */
export function patchPage(
  page: EmailPage,
  events: readonly Pick<LiveEvent, 'kind' | 'data' | 'emailId'>[],
): { page: EmailPage; unknown: Set<string> } {
  const shown = new Set(page.nodes.map((row) => row.id));
  const mail = events.filter((event) => event.emailId !== null && event.kind !== 'email.received');
  const unknown = new Set(mail.filter((event) => !shown.has(event.emailId!)).map((event) => event.emailId!));
  if (mail.length === 0 || mail.every((event) => unknown.has(event.emailId!))) return { page, unknown };
  const nodes = page.nodes.map((row) =>
    mail.filter((event) => event.emailId === row.id).reduce(patchRow, row),
  );
  return { page: { ...page, nodes }, unknown };
}

/** The mails that were accepted after all of a page. Ids are in the order of the acceptance. */
export function newer(ids: ReadonlySet<string>, page: EmailPage): readonly string[] {
  return [...ids].filter((id) => page.nodes.every((row) => row.id < id));
}

export async function sendEmail(client: QueryClient, input: SendEmailInput): Promise<string> {
  const { email } = accepted((await request(SendEmailDocument, { input })).sendEmail);
  void client.invalidateQueries({ queryKey: ['email', 'list'] });
  void client.invalidateQueries({ queryKey: ['account'] });
  return email!.id;
}

/** The entry of the suppression list for an address; null if there is none. */
export const suppressionQuery = (address: string) =>
  queryOptions({
    queryKey: ['suppression', 'list', 'one', address],
    queryFn: async () =>
      (await request(EmailSuppressionDocument, { address })).viewer!.suppressions.nodes.find(
        (entry) => entry.address === address,
      ) ?? null,
  });

/** Removes an address from the suppression list, so that emails to it are sent again. */
export async function liftSuppression(client: QueryClient, id: string): Promise<void> {
  accepted((await request(LiftSuppressionDocument, { id })).removeSuppression);
  await client.invalidateQueries({ queryKey: ['suppression', 'list'] });
}

async function changed(client: QueryClient, id: string): Promise<void> {
  await Promise.all([
    client.invalidateQueries({ queryKey: ['email', 'list'] }),
    client.invalidateQueries({ queryKey: emailQuery(id).queryKey }),
  ]);
}

export async function cancelEmail(client: QueryClient, id: string): Promise<void> {
  accepted((await request(CancelEmailDocument, { id })).cancelEmail);
  await changed(client, id);
}

export async function rescheduleEmail(client: QueryClient, id: string, sendAt: string): Promise<void> {
  accepted((await request(RescheduleEmailDocument, { input: { id, sendAt } })).rescheduleEmail);
  await changed(client, id);
}
