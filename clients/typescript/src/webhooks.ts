import { Webhook, WebhookVerificationError } from 'standardwebhooks';
import { SHAPES, type KnownEvent, type WebhookEvent } from './gen/events.js';

const TOLERANCE = 300;
const TYPES: Record<string, string> = { n: 'number', b: 'boolean', o: 'object' };

/** The required fields of the data of each kind. */
const KINDS = new Map<string, string>();
for (const row of SHAPES.trim().split('\n')) {
  const [kinds = '', fields = ''] = row.trim().split(' | ');
  for (const kind of kinds.split(' ')) KINDS.set(kind, fields);
}

/** A call that was not verified. */
export class WebhookError extends Error {}

/** `webhook-id`, `webhook-timestamp` or `webhook-signature` is missing. */
export class MissingHeaders extends WebhookError {}

/** The call is older than five minutes, or from the future. */
export class Expired extends WebhookError {}

/** No signature is of the secret and the body. */
export class WrongSignature extends WebhookError {}

/** The event lacks a field, or has one of another type. */
export class WrongShape extends WebhookError {}

/** Headers of a call, as a fetch-style or a Node server has them. */
export type WebhookHeaders = Headers | Record<string, string | string[] | undefined>;

/**
 * Verifies a call of a webhook endpoint, and returns its event.
 *
 * @param body the body as it was received, before it is parsed
 * @param secret the endpoint's secret; several while it is rotated
 */
export function verify(
  body: string | Uint8Array,
  headers: WebhookHeaders,
  secret: string | string[],
): WebhookEvent {
  const text = rawText(body);
  const [id, timestamp, signature] = ['webhook-id', 'webhook-timestamp', 'webhook-signature'].map((name) =>
    header(headers, name),
  );
  if (!id || !timestamp || !signature) {
    throw new MissingHeaders('The call lacks webhook-id, webhook-timestamp or webhook-signature');
  }
  const age = Date.now() / 1_000 - Number(timestamp);
  if (!(Math.abs(age) <= TOLERANCE)) {
    throw new Expired(`The call is ${Math.round(age)} s old; at most ${TOLERANCE} s are allowed`);
  }
  const sent = { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signature };
  const secrets = [secret].flat();
  if (!secrets.some((it) => isSigned(it, text, sent))) {
    throw new WrongSignature('No signature of the call is of this secret and this body');
  }
  return eventOf(JSON.parse(text));
}

/** Signs a body as Mailroom does, for tests. */
export function sign(body: string, secret: string, id: string, time = new Date()): Record<string, string> {
  return {
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(time.getTime() / 1_000)),
    'webhook-signature': new Webhook(secret).sign(id, time, body),
  };
}

function rawText(body: unknown): string {
  if (typeof body === 'string') return body;
  if (body instanceof Uint8Array) return new TextDecoder('utf-8', { ignoreBOM: true }).decode(body);
  throw new TypeError(
    'verify needs the raw body, not a parsed object: read it with request.text(), or in Express with express.raw({ type: "application/json" })',
  );
}

function header(headers: WebhookHeaders, name: string): string | undefined {
  if (headers instanceof Headers) return headers.get(name) ?? undefined;
  const [, value] = Object.entries(headers).find(([key]) => key.toLowerCase() === name) ?? [];
  return Array.isArray(value) ? value[0] : value;
}

function isSigned(secret: string, body: string, headers: Record<string, string>): boolean {
  try {
    new Webhook(secret).verify(body, headers, { jsonParse: false });
    return true;
  } catch (error) {
    if (error instanceof WebhookVerificationError) return false;
    throw error;
  }
}

type Body = Record<string, unknown>;

/** The event of a body, whose required fields are checked. Unknown kinds and fields are kept. */
function eventOf(json: Body): WebhookEvent {
  requireFields(json, 'id type created_at data:o', '');
  const kind = json['type'] as string;
  const fields = KINDS.get(kind);
  if (fields === undefined) {
    const { id = '', api_version = '', created_at = '' } = json as Record<string, string>;
    return { type: 'unknown', kind, id, api_version, created_at, json };
  }
  requireFields(json['data'] as Body, fields, 'data.');
  return json as unknown as KnownEvent;
}

function requireFields(value: Body, fields: string, path: string): void {
  for (const [, name = '', letter = '', nullable] of fields.matchAll(/(\w+)(?::(\w))?(\?)?/g)) {
    const field = value[name];
    if (field === null && nullable) continue;
    const fits =
      letter === 'a' ? Array.isArray(field) : field !== null && typeof field === (TYPES[letter] ?? 'string');
    if (!fits) throw new WrongShape(`The field ${path}${name} of the event is ${shown(field)}`);
  }
}

const shown = (field: unknown) =>
  field === undefined ? 'missing' : field === null ? 'null' : `a ${typeof field}`;

type Handlers = { [K in WebhookEvent['type']]?: (event: Extract<WebhookEvent, { type: K }>) => unknown };

/** Options of a handler of calls. */
export interface HandlerOptions {
  /** The endpoint's secret; several while it is rotated. */
  secret: string | string[];
  /** Functions by kind of event, `unknown` for kinds that are newer than this package. Others are accepted. */
  on: Handlers;
  /** The ids of events that were handled, as calls repeat. A `Set` fits, and so does a store of your own. */
  seen?: { has(id: string): boolean | Promise<boolean>; add(id: string): unknown } | undefined;
}

/** Handles calls in a fetch-style server: 204 when done, 401 if not verified, 500 if a handler fails. */
export function webhookHandler(options: HandlerOptions): (request: Request) => Promise<Response> {
  return async (request) => {
    const status = await handled(new Uint8Array(await request.arrayBuffer()), request.headers, options);
    return new Response(null, { status });
  };
}

/** The parts of requests and responses that the adapter for Express and Node's own server uses. */
interface NodeRequest extends AsyncIterable<Uint8Array> {
  headers: Record<string, string | string[] | undefined>;
  body?: unknown;
}

interface NodeResponse {
  statusCode: number;
  end(): unknown;
}

/** The same for Express and Node's own server. A parser of bodies before it must be `express.raw`. */
export function expressWebhook(
  options: HandlerOptions,
): (request: NodeRequest, response: NodeResponse, next?: (error: unknown) => void) => Promise<void> {
  return async (request, response, next) => {
    try {
      const body = request.body === undefined ? await joined(request) : (request.body as Uint8Array);
      response.statusCode = await handled(body, request.headers, options);
      response.end();
    } catch (error) {
      if (!next) throw error;
      next(error);
    }
  };
}

async function joined(chunks: AsyncIterable<Uint8Array>): Promise<Uint8Array> {
  const parts: Uint8Array<ArrayBuffer>[] = [];
  for await (const chunk of chunks) parts.push(new Uint8Array(chunk));
  return new Uint8Array(await new Blob(parts).arrayBuffer());
}

async function handled(body: Uint8Array, headers: WebhookHeaders, options: HandlerOptions): Promise<number> {
  let event: WebhookEvent;
  try {
    event = verify(body, headers, options.secret);
  } catch (error) {
    if (error instanceof WebhookError) return 401;
    throw error;
  }
  if (await options.seen?.has(event.id)) return 204;
  const handle = options.on[event.type] as ((event: WebhookEvent) => unknown) | undefined;
  try {
    await handle?.(event);
  } catch (error) {
    console.error(`The handler of ${event.type} failed; Mailroom will repeat the call`, error);
    return 500;
  }
  await options.seen?.add(event.id);
  return 204;
}
