import { API_VERSION, VERSION } from './gen/version.js';
import { ConnectionFailure, MailroomError, NotFound, errorOf, type FieldError } from './errors.js';

const MAX_DELAY = 8_000;
const MAX_RETRY_AFTER = 30;
const MEGABYTE = 1_048_576;
const RETRIED = new Set([500, 502, 503, 504]);

/** Codes of errors that occur before a connection exists. */
const UNCONNECTED = new Set([
  'ECONNREFUSED',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
  'UND_ERR_CONNECT_TIMEOUT',
]);

/** Options of the client that a call may replace. */
export interface Timing {
  /** Milliseconds for one attempt; one second is added for each megabyte of the body. 30 000 by default. */
  attemptTimeout?: number | undefined;
  /** Milliseconds for the call with all attempts. 90 000 by default. */
  timeout?: number | undefined;
  /** The number of attempts after the first one. 2 by default. */
  retries?: number | undefined;
}

/** Options of a call. */
export interface CallOptions extends Timing {
  /** Makes it safe to repeat the call, also from another process. By default one is made for each call. */
  idempotencyKey?: string | undefined;
  /** Ends the call. */
  signal?: AbortSignal | undefined;
}

/** Options of the client. */
export interface ClientOptions extends Timing {
  /** The API key. By default the environment variable MAILROOM_API_KEY. */
  apiKey?: string | undefined;
  /** The address of the API, such as `https://mail.example/api`. By default the environment variable MAILROOM_URL. */
  url?: string | undefined;
  /** The name and version of the calling program, for the User-Agent header. */
  app?: string | undefined;
  /** Replaces the global `fetch`. */
  fetch?: typeof fetch | undefined;
  /** Renders a React element. By default the `render` of the package `react-email`. */
  render?: ((element: unknown) => Promise<string>) | undefined;
}

/** A page of a list. */
export interface Page<T> {
  items: T[];
  /** Continues after this page; undefined on the last one. */
  cursor?: string | undefined;
}

/** One request of a call. */
export interface Call {
  id: string;
  method: string;
  path: string;
  query?: Record<string, unknown> | undefined;
  body?: unknown;
  /** The media type of the body; without one it is JSON. */
  type?: string;
  /** The media types of the response; without them it is JSON. */
  accept?: string;
  /** Whether the operation supports an Idempotency-Key. */
  key?: boolean;
  /** The path to the resource in the response. */
  pick?: string[];
}

type Json = Record<string, unknown>;

/** Items of a list. Pages are fetched as needed. */
export class List<T> implements AsyncIterable<T> {
  readonly #fetch: (cursor: string) => Promise<Page<T>>;
  readonly #start: string;

  constructor(fetch: (cursor: string) => Promise<Page<T>>, start = '') {
    this.#fetch = fetch;
    this.#start = start;
  }

  /** The pages, each with the cursor of the next one. */
  async *pages(): AsyncGenerator<Page<T>> {
    for (let cursor: string | undefined = this.#start; cursor !== undefined;) {
      const page: Page<T> = await this.#fetch(cursor);
      yield page;
      cursor = page.cursor;
    }
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<T> {
    for await (const page of this.pages()) yield* page.items;
  }

  /** The first item; undefined if the list is empty. */
  async first(): Promise<T | undefined> {
    for await (const item of this) return item;
    return undefined;
  }

  /** At most `max` items. */
  async toList(max: number): Promise<T[]> {
    const items: T[] = [];
    if (max > 0) {
      for await (const item of this) if (items.push(item) >= max) break;
    }
    return items;
  }
}

/** Operations of one kind of resource. */
export class Group {
  constructor(
    /** @internal */
    readonly transport: Transport,
  ) {}
}

/**
 * A class with the operations of a table. A row has the name of the method, the HTTP method, the path, flags and the
 * resource in the response: `-` for the whole and `.` for its data. Flags: j JSON, l list, n nothing, y bytes or s
 * stream; b JSON body, c CSV body, m message, q query, k Idempotency-Key.
 */
export function operations<G extends Group>(group: string, table: string): new (transport: Transport) => G {
  class Operations extends Group {}
  for (const row of table.trim().split('\n')) {
    const [name = '', method = '', path = '', flags = '', pick = ''] = row.trim().split(' ');
    const has = (flag: string) => flags.includes(flag);
    Object.defineProperty(Operations.prototype, name, {
      value(this: Group, ...given: unknown[]): unknown {
        const call: Call = {
          id: `${group}.${name}`,
          method,
          path: path.replace(/\{\w+}/g, () => encodeURIComponent(String(given.shift()))),
          pick: pick === '-' ? [] : pick === '.' ? ['data'] : ['data', pick],
          key: has('k'),
        };
        if (has('c')) call.type = 'text/csv';
        if (has('m')) call.type = 'message/rfc822';
        if (/[bcm]/.test(flags)) call.body = given.shift();
        if (has('q')) call.query = given.shift() as Call['query'];
        const options = given.shift() as CallOptions | undefined;
        if (has('l')) return this.transport.list(call, options);
        if (has('n')) return this.transport.nothing(call, options);
        if (has('y')) return this.transport.bytes(call, options);
        return has('s') ? this.transport.stream(call, options) : this.transport.json(call, options);
      },
    });
  }
  return Operations as unknown as new (transport: Transport) => G;
}

/** Sends requests, and repeats those that can be repeated without doing something twice. */
export class Transport {
  readonly #key: string;
  readonly #url: string;
  readonly #agent: string;
  readonly #warned = new Set<string>();

  constructor(readonly options: ClientOptions) {
    const key = options.apiKey ?? environment('MAILROOM_API_KEY');
    const url = options.url ?? environment('MAILROOM_URL');
    if (!key)
      throw new Error('There is no API key: set `apiKey`, or the environment variable MAILROOM_API_KEY');
    if (!url) throw new Error('There is no address: set `url`, or the environment variable MAILROOM_URL');
    this.#key = key;
    this.#url = url.replace(/\/+$/, '');
    this.#agent = `mailroom-typescript/${VERSION} (${runtime()})${options.app ? ` ${options.app}` : ''}`;
  }

  /** The client with the public part of its key. */
  toString(): string {
    return `Mailroom ${this.#url} ${/^ek_[0-9A-Za-z]+/.exec(this.#key)?.[0] ?? 'key'}…`;
  }

  async json<T>(call: Call, options?: CallOptions): Promise<T> {
    return (await this.#send(call, options, (response) => read(response, call.pick))) as T;
  }

  async nothing(call: Call, options?: CallOptions): Promise<void> {
    await this.#send(call, options, async (response) => void (await response.arrayBuffer()));
  }

  bytes(call: Call, options?: CallOptions): Promise<Uint8Array> {
    return this.#send(
      { ...call, accept: '*/*' },
      options,
      async (response) => new Uint8Array(await response.arrayBuffer()),
    );
  }

  stream(call: Call, options?: CallOptions): Promise<ReadableStream<Uint8Array>> {
    return this.#send(
      { ...call, accept: '*/*' },
      options,
      async (response) => response.body ?? new Blob([]).stream(),
      true,
    );
  }

  list<T>(call: Call, options?: CallOptions): List<T> {
    return new List(async (cursor) => {
      const page = { ...call, query: { ...call.query, cursor }, pick: ['data'] };
      const data = await this.json<Json>(page, options);
      const { next_cursor: next } = (data['pagination'] ?? {}) as { next_cursor?: string | null };
      return { items: (data[call.pick?.at(-1) ?? ''] ?? []) as T[], cursor: next ?? undefined };
    });
  }

  async #send<T>(
    call: Call,
    options: CallOptions = {},
    result: (response: Response) => Promise<T>,
    streamed = false,
  ): Promise<T> {
    const given = { ...this.options, ...defined(options) };
    const body = encoded(call);
    // Other operations ignore a key, so it would not make them repeatable.
    const key = call.method === 'POST' && call.key ? (options.idempotencyKey ?? uuid7()) : undefined;
    const repeatable = call.method !== 'POST' || key !== undefined;
    const size = typeof body === 'string' ? body.length : (body?.byteLength ?? 0);
    const deadline = Date.now() + (given.timeout ?? 90_000);
    const longest = (given.attemptTimeout ?? 30_000) + 1_000 * Math.floor(size / MEGABYTE);
    for (let attempt = 1; ; attempt++) {
      options.signal?.throwIfAborted();
      const requestId = uuid7();
      const timeout = Math.min(longest, deadline - Date.now());
      const headers = this.#headers(call, key, requestId, attempt, body);
      let failed: MailroomError;
      try {
        return await this.#attempt(
          call,
          { body, headers, method: call.method },
          timeout,
          options.signal,
          result,
          streamed,
        );
      } catch (error) {
        if (options.signal?.aborted) throw options.signal.reason;
        failed = failure(call, error, { requestId, idempotencyKey: key, attempts: attempt }, timeout);
      }
      if (call.method === 'DELETE' && attempt > 1 && failed instanceof NotFound) return undefined as T;
      const delay = this.#delay(failed, attempt, given.retries ?? 2, repeatable);
      if (delay === undefined || Date.now() + delay >= deadline) throw failed;
      await pause(delay, options.signal);
    }
  }

  async #attempt<T>(
    call: Call,
    init: RequestInit,
    timeout: number,
    signal: AbortSignal | undefined,
    result: (response: Response) => Promise<T>,
    streamed: boolean,
  ): Promise<T> {
    const limit = new AbortController();
    const timer = setTimeout(() => limit.abort(new TimedOut()), timeout);
    try {
      const both = signal ? AbortSignal.any([signal, limit.signal]) : limit.signal;
      const response = await (this.options.fetch ?? fetch)(this.#url + call.path + search(call.query), {
        ...init,
        redirect: 'error',
        signal: both,
      });
      this.#warn(call, response.headers);
      if (response.ok) {
        // The caller reads a stream at its own pace.
        if (streamed) clearTimeout(timer);
        return await result(response);
      }
      throw await refusal(response);
    } finally {
      clearTimeout(timer);
    }
  }

  #headers(
    call: Call,
    key: string | undefined,
    requestId: string,
    attempt: number,
    body: unknown,
  ): HeadersInit {
    return {
      Authorization: `Bearer ${this.#key}`,
      Accept: call.accept ?? 'application/json',
      'Api-Version': API_VERSION,
      'User-Agent': this.#agent,
      'X-Request-Id': requestId,
      'Mailroom-Attempt': String(attempt),
      ...(body === undefined ? {} : { 'Content-Type': call.type ?? 'application/json' }),
      ...(key === undefined ? {} : { 'Idempotency-Key': key }),
    };
  }

  /** Milliseconds until the next attempt; undefined if there is none. */
  #delay(failed: MailroomError, attempt: number, retries: number, repeatable: boolean): number | undefined {
    if (attempt > retries || (!repeatable && !isUnconnected(failed)) || !isTransient(failed))
      return undefined;
    if (failed.retryAfter !== undefined) {
      return failed.retryAfter <= MAX_RETRY_AFTER ? failed.retryAfter * 1_000 : undefined;
    }
    return Math.random() * Math.min(500 * 2 ** (attempt - 1), MAX_DELAY);
  }

  #warn(call: Call, headers: Headers): void {
    if (!headers.has('deprecation') || this.#warned.has(call.id)) return;
    this.#warned.add(call.id);
    const sunset = headers.get('sunset');
    const link = /<([^>]*)>;[^,]*rel="deprecation"/.exec(headers.get('link') ?? '')?.[1];
    console.warn(
      `Mailroom: ${call.id} is deprecated${sunset ? ` and ends on ${sunset}` : ''}${link ? `, see ${link}` : ''}`,
    );
  }
}

/** The end of an attempt's time. */
class TimedOut extends Error {}

function isTransient(failed: MailroomError): boolean {
  if (failed instanceof ConnectionFailure) return true;
  const { statusCode = 0, name } = failed;
  return (
    RETRIED.has(statusCode)
    || (statusCode === 409 && name === 'request_in_progress')
    || (statusCode === 429 && name === 'rate_limit_exceeded')
  );
}

/** Whether a request cannot have reached the server. */
function isUnconnected(failed: MailroomError): boolean {
  if (!(failed instanceof ConnectionFailure)) return false;
  for (let cause = failed.cause as { code?: string; cause?: unknown } | undefined; cause;) {
    if (cause.code !== undefined && UNCONNECTED.has(cause.code)) return true;
    cause = cause.cause as typeof cause;
  }
  return false;
}

type Attempt = { requestId: string; idempotencyKey: string | undefined; attempts: number };

function failure(call: Call, error: unknown, attempt: Attempt, timeout: number): MailroomError {
  if (error instanceof Answer) {
    const requestId = error.failure.requestId ?? attempt.requestId;
    return errorOf({ ...error.failure, ...attempt, requestId });
  }
  const what =
    error instanceof TimedOut ? `no response within ${timeout / 1_000} s` : `no response (${causeOf(error)})`;
  const message = `${call.method} ${call.path}: ${what}, request id ${attempt.requestId}`;
  return new ConnectionFailure({
    name: error instanceof TimedOut ? 'timeout' : 'connection_failure',
    message,
    cause: error,
    ...attempt,
  });
}

function causeOf(error: unknown): string {
  const { message, cause } = error as { message?: string; cause?: { message?: string } };
  return cause?.message ?? message ?? String(error);
}

/** An error that the server sent. */
class Answer extends Error {
  constructor(readonly failure: Parameters<typeof errorOf>[0]) {
    super(failure.message);
  }
}

async function refusal(response: Response): Promise<Answer> {
  const text = await response.text();
  let body: Json = {};
  try {
    body = (JSON.parse(text) ?? {}) as Json;
  } catch {
    // A proxy answered.
  }
  const after = Number.parseInt(response.headers.get('retry-after') ?? '', 10);
  return new Answer({
    statusCode: response.status,
    name: typeof body['name'] === 'string' ? body['name'] : `http_${response.status}`,
    message: typeof body['message'] === 'string' ? body['message'] : `The server answered ${response.status}`,
    details: (body['details'] ?? []) as FieldError[],
    docsUrl: body['docs_url'] as string | undefined,
    requestId: response.headers.get('x-request-id') ?? undefined,
    retryAfter: Number.isNaN(after) ? undefined : after,
    headers: response.headers,
  });
}

async function read(response: Response, pick: string[] = []): Promise<unknown> {
  const body: unknown = await response.json();
  const picked = pick.reduce((value: unknown, name) => (value as Json | undefined)?.[name], body);
  if (pick.length === 0 && response.headers.has('idempotency-replayed')) (picked as Json)['replayed'] = true;
  return picked;
}

function encoded({ body, type }: Call): string | Uint8Array<ArrayBuffer> | undefined {
  if (body === undefined) return undefined;
  return type === undefined ? JSON.stringify(body) : (body as string | Uint8Array<ArrayBuffer>);
}

function search(query: Record<string, unknown> = {}): string {
  const all = Object.entries(query).flatMap(([name, value]) =>
    [value].flat().flatMap((it) => (it === undefined || it === null ? [] : [[name, String(it)]])),
  );
  return all.length ? `?${new URLSearchParams(all)}` : '';
}

const defined = (options: CallOptions): CallOptions =>
  Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined));

/** Waits, unless a signal ends it. */
export function pause(milliseconds: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const end = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', end);
      resolve();
    }, milliseconds);
    if (signal?.aborted) end();
    else signal?.addEventListener('abort', end, { once: true });
  });
}

/** A UUID of version 7 (RFC 9562). */
export function uuid7(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(10));
  const hex = Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
  const time = Date.now().toString(16).padStart(12, '0');
  const variant = (8 + (Number.parseInt(hex.charAt(3), 16) & 3)).toString(16);
  return `${time.slice(0, 8)}-${time.slice(8)}-7${hex.slice(0, 3)}-${variant}${hex.slice(4, 7)}-${hex.slice(7, 19)}`;
}

type Globals = {
  process?: {
    env?: Record<string, string | undefined>;
    versions?: Record<string, string>;
    platform?: string;
  };
  Deno?: { version: { deno: string } };
  Bun?: { version: string };
};

function environment(name: string): string | undefined {
  return (globalThis as Globals).process?.env?.[name];
}

function runtime(): string {
  const { process, Deno, Bun } = globalThis as Globals;
  const platform = process?.platform ? `; ${process.platform}` : '';
  if (Deno) return `deno ${Deno.version.deno}${platform}`;
  if (Bun) return `bun ${Bun.version}${platform}`;
  return process?.versions?.['node'] ? `node ${process.versions['node']}${platform}` : 'fetch';
}
