/** Changes of several emails. */
import type { QueryClient } from '@tanstack/react-query';
import { accepted, request } from '../app/graphql';
import {
  CancelEmailDocument,
  EmailToSendAgainDocument,
  SendEmailAgainDocument,
  SuppressRecipientsDocument,
  type SendEmailInput,
} from '../gen/graphql';
import { patient } from '../kit/csv';
import { Fault } from '../words/errors';
import type { EmailRow } from './queries';

/** Results of a change of several emails. */
export interface Several {
  readonly done: number;
  /** Reasons for which the others were left as they are, with their number. */
  readonly skipped: ReadonlyMap<string, number>;
}

/** Changes emails one by one; a refusal of one leaves the others. */
async function each(
  client: QueryClient,
  rows: readonly EmailRow[],
  change: (row: EmailRow) => Promise<string | null>,
  progress: (done: number) => void,
): Promise<Several> {
  let done = 0;
  const skipped = new Map<string, number>();
  for (const row of rows) {
    const reason = await patient(() => change(row)).catch((error: unknown) => {
      if (error instanceof Fault && error.kind !== 'unreachable' && error.status < 500) return error.message;
      throw error;
    });
    if (reason === null) progress(++done);
    else skipped.set(reason, (skipped.get(reason) ?? 0) + 1);
  }
  await client.invalidateQueries({ queryKey: ['email'] });
  return { done, skipped };
}

export function cancelSeveral(
  client: QueryClient,
  rows: readonly EmailRow[],
  progress: (done: number) => void,
): Promise<Several> {
  return each(
    client,
    rows,
    async (row) => {
      if (row.lastEvent !== 'scheduled') return 'not scheduled';
      accepted((await request(CancelEmailDocument, { id: row.id })).cancelEmail);
      return null;
    },
    progress,
  );
}

/** Sends emails again as new ones. The key of an act makes sure that a repeated request sends none twice. */
export function sendSeveralAgain(
  client: QueryClient,
  rows: readonly EmailRow[],
  act: string,
  progress: (done: number) => void,
): Promise<Several> {
  return each(
    client,
    rows,
    async ({ id }) => {
      const { email, emailContent: content } = (await request(EmailToSendAgainDocument, { id })).viewer!;
      if (email.stream === 'CAMPAIGN') return 'of a campaign';
      if (!content || (!content.html && !content.text)) return 'content no longer stored';
      if (content.attachmentCount > 0) return 'with attachments';
      if (content.truncated) return 'too long';
      const input: SendEmailInput = {
        from: email.sender,
        to: [...email.toEmails],
        cc: [...email.cc],
        bcc: [...email.bcc],
        replyTo: [...email.replyTo],
        subject: email.subject,
        html: content.html ?? null,
        text: content.text ?? null,
        tags: email.tags,
        headers: content.headers,
      };
      accepted((await request(SendEmailAgainDocument, { input, key: `${act} ${id}` })).sendEmail);
      return null;
    },
    progress,
  );
}

/** Adds the recipients of emails to the suppression list. */
export async function suppressRecipients(client: QueryClient, addresses: readonly string[]): Promise<number> {
  const { added } = accepted(
    (
      await request(SuppressRecipientsDocument, {
        input: { addresses: addresses.map((email) => ({ email })) },
      })
    ).addSuppressions,
  );
  await client.invalidateQueries({ queryKey: ['suppression'] });
  return added ?? 0;
}
