/** Queries that several parts of the app share. */
import { queryOptions } from '@tanstack/react-query';
import { ConsoleDocument, DraftPreviewDocument, ProgressDocument, SessionDocument } from '../gen/graphql';
import { request } from './graphql';
import { keepZone } from './zone';

/** The account of the session with its usage. */
export const accountQuery = queryOptions({
  queryKey: ['account', 'one', 'session'],
  queryFn: async () => {
    const { viewer } = await request(SessionDocument);
    keepZone(viewer!.account.timeZone);
    return viewer!;
  },
  staleTime: 30_000,
});

/** Progress of the account, for the first steps and for the numbers in the rail. */
export const progressQuery = queryOptions({
  queryKey: ['account', 'one', 'progress'],
  queryFn: async () => (await request(ProgressDocument)).viewer!,
  staleTime: 15_000,
});

export type Progress = Awaited<ReturnType<NonNullable<typeof progressQuery.queryFn>>>;

/** Things that need an operator's attention, for the numbers in the rail. */
export const consoleQuery = queryOptions({
  queryKey: ['operator', 'one', 'rail'],
  queryFn: async () => (await request(ConsoleDocument)).operator!.platform,
  staleTime: 15_000,
  refetchInterval: 30_000,
});

/** Time before its end at which the URL of a preview is replaced. */
const MARGIN_MS = 10_000;

let preview: { readonly url: string; readonly until: number } | undefined;

/** The URL that shows posted HTML. */
export async function previewUrl(): Promise<string> {
  if (!preview || preview.until < Date.now()) {
    const { url, expiresAt } = (await request(DraftPreviewDocument)).viewer!.draftPreview;
    preview = { url, until: Date.parse(expiresAt) - MARGIN_MS };
  }
  return preview.url;
}
