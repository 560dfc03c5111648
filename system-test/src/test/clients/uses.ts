// The types that openapi-typescript generates from the API's document compile and agree with it.
import type { components, operations, paths } from '../../../target/clients/api.js';

type Body<Operation extends keyof operations> = operations[Operation] extends {
  requestBody: { content: { 'application/json': infer Json } };
}
  ? Json
  : never;
type Answer<Path extends keyof paths> = paths[Path] extends {
  get: { responses: { 200: { content: { 'application/json': infer Json } } } };
}
  ? Json
  : never;

export const mail: Body<'sendEmail'> = { from: 'a@x.test', to: ['b@y.test'], subject: 'Hi', text: 'Hello' };
export const key: Body<'createApiKey'> = { domainId: '', keyName: 'Shop', permissions: ['send'] };

// @ts-expect-error There is no such permission.
export const wrong: Body<'createApiKey'> = { domainId: '', keyName: 'Shop', permissions: ['fly'] };

export function subjects(log: Answer<'/emails/logs'>): string[] {
  return log.data.emails.map((email) => `${email.status}: ${email.subject}`);
}

export function advice(error: components['schemas']['Error']): string {
  return `${error.statusCode} ${error.message} ${error.docs_url}`;
}
