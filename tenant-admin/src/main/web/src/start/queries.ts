import type { QueryClient } from '@tanstack/react-query';
import { accepted, request, send } from '../app/graphql';
import { progressQuery } from '../app/queries';
import {
  CreateApiKeyDocument,
  CreateDomainDocument,
  ResendVerificationDocument,
  SendEmailDocument,
  VerifyDomainDocument,
} from '../gen/graphql';

async function again(client: QueryClient): Promise<void> {
  await client.invalidateQueries({ queryKey: progressQuery.queryKey });
}

export async function resendVerification(email: string): Promise<void> {
  accepted((await send(ResendVerificationDocument, { input: { email } }, null)).resendVerification);
}

export async function addDomain(client: QueryClient, name: string): Promise<void> {
  accepted((await request(CreateDomainDocument, { input: { name } })).createDomain);
  await again(client);
}

/** Looks up the records of a domain; whether it can send now. */
export async function checkDomain(client: QueryClient, id: string): Promise<boolean> {
  const { domain } = accepted((await request(VerifyDomainDocument, { id })).verifyDomain);
  await again(client);
  return domain!.status === 'VERIFIED';
}

export async function createKey(domainId: string, name: string): Promise<string> {
  const input = { domainId, name, permissions: ['EMAILS_SEND' as const] };
  return accepted((await request(CreateApiKeyDocument, { input })).createApiKey).key!;
}

export async function sendFirst(client: QueryClient, from: string, to: string): Promise<void> {
  accepted(
    (
      await request(SendEmailDocument, {
        input: {
          from,
          to: [to],
          subject: 'Hello from Mailroom',
          text: 'It works.',
          html: '<p>It works.</p>',
        },
      })
    ).sendEmail,
  );
  await Promise.all([
    again(client),
    client.invalidateQueries({ queryKey: ['email'] }),
    client.invalidateQueries({ queryKey: ['account', 'one', 'session'] }),
  ]);
}
