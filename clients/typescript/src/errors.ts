import type { ErrorName } from './gen/types.js';

/** A field that the API refused. */
export interface FieldError {
  /** Its path in the body, such as `to[1]`. */
  field: string;
  message: string;
}

/** Properties of a failed call. */
export interface Failure {
  name: ErrorName;
  message: string;
  statusCode?: number | undefined;
  details?: FieldError[] | undefined;
  requestId?: string | undefined;
  docsUrl?: string | undefined;
  retryAfter?: number | undefined;
  idempotencyKey?: string | undefined;
  attempts?: number | undefined;
  headers?: Headers | undefined;
  cause?: unknown;
}

/** A failed call. `name` is the name of the API's error; subclasses group them. */
export class MailroomError extends Error {
  override readonly name: ErrorName;
  /** The HTTP status; undefined if there was no response. */
  readonly statusCode: number | undefined;
  /** The fields that were refused. */
  readonly details: FieldError[];
  /** The id of the last attempt, which is in the server's log. */
  readonly requestId: string | undefined;
  /** A page that explains the error. */
  readonly docsUrl: string | undefined;
  /** Seconds after which the call may be repeated. */
  readonly retryAfter: number | undefined;
  /** The key with which the call can be repeated safely. */
  readonly idempotencyKey: string | undefined;
  /** The number of requests that were sent. */
  readonly attempts: number;
  /** The headers of the last response. */
  readonly headers: Headers | undefined;

  constructor(failure: Failure) {
    super(failure.message, { cause: failure.cause });
    this.name = failure.name;
    this.statusCode = failure.statusCode;
    this.details = failure.details ?? [];
    this.requestId = failure.requestId;
    this.docsUrl = failure.docsUrl;
    this.retryAfter = failure.retryAfter;
    this.idempotencyKey = failure.idempotencyKey;
    this.attempts = failure.attempts ?? 0;
    this.headers = failure.headers;
  }
}

/** 400, 413, 415: the request is malformed, or the state of the resource forbids it. */
export class InvalidRequest extends MailroomError {}

/** 401: the API key is missing, unknown, revoked or expired. */
export class Unauthenticated extends MailroomError {}

/** 403 `forbidden`: the API key lacks a permission, or is of the wrong kind. */
export class PermissionDenied extends MailroomError {
  /** The permission that the operation needs, if the server named it. */
  get requiredPermission(): string | undefined {
    return /scope="([^"]+)"/.exec(this.headers?.get('www-authenticate') ?? '')?.[1];
  }
}

/** Any other 403: a rule of the account, the domain or the plan. */
export class Refused extends MailroomError {}

/** 404. */
export class NotFound extends MailroomError {}

/** 409. */
export class Conflict extends MailroomError {}

/** 429: too many requests in a short time. */
export class RateLimited extends MailroomError {}

/** 429: the daily or monthly quota is used up. */
export class QuotaExceeded extends MailroomError {}

/** 5xx. */
export class ServerFailure extends MailroomError {}

/** There was no response: no connection, a broken one, or none in time. */
export class ConnectionFailure extends MailroomError {}

/** A state was not reached in time. */
export class WaitTimeout<T = unknown> extends Error {
  override readonly name = 'wait_timeout';

  constructor(
    message: string,
    /** The value that was read last. */
    readonly last: T,
  ) {
    super(message);
  }
}

/** The error of a status and a name. */
export function errorOf(failure: Failure & { statusCode: number }): MailroomError {
  return new (classOf(failure.statusCode, failure.name))(failure);
}

function classOf(status: number, name: ErrorName): typeof MailroomError {
  if (status === 401) return Unauthenticated;
  if (status === 403) return name === 'forbidden' ? PermissionDenied : Refused;
  if (status === 404) return NotFound;
  if (status === 409) return Conflict;
  if (status === 429) return name === 'daily_monthly_limit_reached' ? QuotaExceeded : RateLimited;
  if (status >= 500) return ServerFailure;
  if (status >= 400) return InvalidRequest;
  return MailroomError;
}
