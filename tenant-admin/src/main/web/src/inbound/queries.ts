import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { base, request } from '../app/graphql';
import {
  InboundDocument,
  InboundDownloadDocument,
  InboundHeadersDocument,
  InboundMailDocument,
  InboundPreviewDocument,
  InboundRecordsDocument,
  type InboundMailQuery,
  type InboundQuery,
  type InboundQueryVariables,
} from '../gen/graphql';

export type InboundView = NonNullable<InboundQuery['viewer']>;
export type InboundRow = InboundView['inboundEmails']['nodes'][number];
export type InboundMail = NonNullable<InboundMailQuery['viewer']>['inboundEmail'];

export const inboundQuery = (filters: InboundQueryVariables) =>
  queryOptions({
    queryKey: ['inbound', 'list', filters],
    queryFn: async () => (await request(InboundDocument, filters)).viewer!,
    placeholderData: keepPreviousData,
  });

/** The domains with their records, of which the MX record names the host that receives. */
export const recordsQuery = queryOptions({
  queryKey: ['inbound', 'list', 'records'],
  queryFn: async () => (await request(InboundRecordsDocument)).viewer!.domains.nodes,
});

export const mailQuery = (id: string) =>
  queryOptions({
    queryKey: ['inbound', 'one', id],
    queryFn: async () => (await request(InboundMailDocument, { id })).viewer!.inboundEmail,
    staleTime: Infinity,
  });

export const headersQuery = (id: string) =>
  queryOptions({
    queryKey: ['inbound', 'one', id, 'headers'],
    queryFn: async () => (await request(InboundHeadersDocument, { id })).viewer!.inboundEmail.headers,
    staleTime: Infinity,
  });

/** Saves a mail as it arrived, or one of its files. The URL is valid for one minute, so it is not kept. */
export async function download(id: string, position: number | null): Promise<void> {
  const { url } = (await request(InboundDownloadDocument, { id, position })).viewer!.inboundDownload;
  Object.assign(document.createElement('a'), { href: base + url, download: '' }).click();
}

/** The URL of a preview is valid for one minute, so it is not kept; null if the mail has no HTML. */
export const previewQuery = (id: string) =>
  queryOptions({
    queryKey: ['inbound', 'one', id, 'preview'],
    queryFn: async () => {
      const { inboundEmail, preview } = (await request(InboundPreviewDocument, { id })).viewer!;
      return inboundEmail.html === null ? null : base + preview.url;
    },
    gcTime: 0,
    staleTime: Infinity,
    refetchOnWindowFocus: false,
  });
