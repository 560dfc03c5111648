/** Requests to the GraphQL endpoint. */
import type { TypedDocumentString } from '../gen/graphql';
import { Fault, type Problem } from '../words/errors';
import { session } from './session';
import { authorization } from './watch';

/** Path of the cell whose pages an operator sees, such as /cells/us1; empty for that of the host. */
export const base = /^\/cells\/\w+/.exec(globalThis.location?.pathname)?.[0] ?? '';

/** Sends a document with the access token, and once more with a new one if the first has ended. */
export async function request<R, V>(
  document: TypedDocumentString<R, V>,
  ...[variables]: V extends Record<string, never> ? [] : [V]
): Promise<R> {
  const token = await session.token();
  // A page reads while its person signs out; only mutations, such as the sign-in, need no token.
  if (token === null && !/\bmutation\s/.test(String(document)))
    throw new Fault('unauthorized', 'The session has ended.', 401);
  try {
    return await send(document, variables, token);
  } catch (error) {
    if (!(error instanceof Fault) || error.kind !== 'unauthorized' || token === null) throw error;
    return send(document, variables, await session.renewed(token));
  }
}

/** Reads a file with the access token, which a link could not send. */
export async function file(path: string): Promise<Blob> {
  const token = await session.token();
  const response = await fetch(base + path, { headers: { Authorization: `Bearer ${token ?? ''}` } }).catch(
    () => {
      throw unreachable();
    },
  );
  if (response.ok)
    return response.blob().catch(() => {
      throw unreachable();
    });
  const body = (await response.json().catch(() => ({}))) as Extensions & { message?: string };
  throw fault(body.message ?? 'The file cannot be read.', body, response);
}

function unreachable(): Fault {
  return new Fault('unreachable', 'The server does not answer.');
}

/** Sends a document with this access token to a cell, or without one to that of the host, where people sign in. */
export async function send<R, V>(
  document: TypedDocumentString<R, V>,
  variables: unknown,
  token: string | null,
  cell = base,
): Promise<R> {
  const response = await fetch(`${token === null ? '' : cell}/graphql`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', ...(token === null ? {} : authorization(token)) },
    body: JSON.stringify({ query: String(document), variables }),
  }).catch(() => {
    throw unreachable();
  });
  const body = (await response.json().catch(() => ({}))) as Body<R>;
  const error = body.errors?.[0];
  if (error) throw fault(error.message, error.extensions ?? {}, response);
  if (!response.ok || !body.data) throw fault(body.message ?? 'The response has no data.', body, response);
  return body.data;
}

interface Extensions {
  name?: string;
  statusCode?: number;
  requestId?: string;
  retryAfter?: number;
  details?: { field: string; message: string }[];
}

interface Body<R> extends Extensions {
  data?: R;
  message?: string;
  errors?: { message: string; extensions?: Extensions }[];
}

/** Names of errors whose response comes from a proxy. */
const names: Record<number, string> = {
  429: 'rate_limit_exceeded',
  502: 'service_unavailable',
  503: 'service_unavailable',
  504: 'service_unavailable',
};

function fault(
  message: string,
  { name, statusCode, requestId, retryAfter, details }: Extensions,
  response: Response,
): Fault {
  const kind = name ?? names[response.status] ?? 'internal_error';
  const problems = (details ?? []).map((detail) => ({ name: kind, ...detail }));
  const seconds = Number(response.headers.get('Retry-After')) || null;
  return new Fault(
    kind,
    message,
    statusCode ?? response.status,
    retryAfter ?? seconds,
    requestId ?? null,
    problems,
  );
}

/** The result of a mutation without problems; throws the problems that it has. */
export function accepted<T extends { userErrors: readonly Problem[] }>(payload: T): T {
  const first = payload.userErrors[0];
  if (first) throw new Fault(first.name, first.message, 400, null, null, payload.userErrors);
  return payload;
}
