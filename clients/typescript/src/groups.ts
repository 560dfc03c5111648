import { WaitTimeout } from './errors.js';
import {
  ContactsOperations,
  DomainsOperations,
  EmailsOperations,
  EventsOperations,
  SuppressionsOperations,
  type ContactsSaveAllQuery,
  type EventsListQuery,
} from './gen/groups.js';
import type * as T from './gen/types.js';
import { List, pause, type CallOptions } from './transport.js';

const BULK = 1_000;
const FINAL: T.EmailStatus[] = ['delivered', 'bounced', 'complained', 'failed'];

/** A mail, with a React element in place of its HTML if wished. */
export type NewEmail = T.Email & { react?: unknown };

/** A mail of a batch that was accepted. */
export interface Sent {
  accepted: true;
  id: string;
}

/** A mail of a batch that was refused. The others are not affected. */
export interface Rejected {
  accepted: false;
  name: T.ErrorName;
  message: string;
  statusCode: number;
}

/** Options of waiting. */
export interface WaitOptions extends CallOptions {
  /** Milliseconds after which waiting ends with a WaitTimeout. */
  within?: number | undefined;
  /** Milliseconds between two looks. */
  every?: number | undefined;
}

/** Options of following events. */
export interface FollowOptions extends CallOptions {
  /** Continues after this cursor. Without it, following begins with the oldest stored event. */
  after?: string | undefined;
  /** Milliseconds between two looks when there is nothing new. 5000 by default. */
  every?: number | undefined;
  /** Receives the cursor after the events before it were handled, to be stored. */
  onCursor?: ((cursor: string) => void) | undefined;
}

/** Operations of mails. */
export class Emails extends EmailsOperations {
  override async send(body: NewEmail, options?: CallOptions): Promise<T.AcceptedEmail> {
    return super.send(await this.#rendered(body), options);
  }

  /** Sends up to 100 mails independently of each other. The result has the order of the mails. */
  async sendBatch(mails: NewEmail[], options?: CallOptions): Promise<Array<Sent | Rejected>> {
    const rendered = await Promise.all(mails.map((mail) => this.#rendered(mail)));
    const { data } = await this.sendBatchOnce(rendered, options);
    return data.map((item) =>
      item.emailId === null
        ? {
            accepted: false,
            name: item.error.name,
            message: item.error.message,
            statusCode: item.error.statusCode,
          }
        : { accepted: true, id: item.emailId },
    );
  }

  /** Waits until the mail has a status that it keeps, or one of `until`. */
  waitFor(
    id: string,
    { until = FINAL, ...options }: WaitOptions & { until?: T.EmailStatus[] } = {},
  ): Promise<T.EmailDetail> {
    return wait(
      () => this.get(id, calls(options)),
      (email) => until.includes(email.status),
      (email) => `The mail ${id} is still ${email.status}`,
      { within: 120_000, every: 1_000, ...options },
    );
  }

  async #rendered({ react, ...mail }: NewEmail): Promise<T.Email> {
    if (react === undefined) return mail;
    return { ...mail, html: await (this.transport.options.render ?? reactEmail)(react) };
  }
}

/** Operations of domains. */
export class Domains extends DomainsOperations {
  /** Verifies a domain again and again until it is verified. */
  waitUntilVerified(id: string, options: WaitOptions = {}): Promise<T.Domain> {
    return wait(
      () => this.verify(id, calls(options)),
      (domain) => domain.status === 'verified',
      (domain) => `The domain ${domain.name} is still ${domain.status}`,
      { within: 1_800_000, every: 5_000, ...options },
    );
  }
}

/** Operations of contacts. */
export class Contacts extends ContactsOperations {
  /** Adds or updates any number of contacts, in calls of 1000. */
  async saveAll(
    contactBookId: string,
    contacts: Iterable<T.NewContact> | AsyncIterable<T.NewContact>,
    query: ContactsSaveAllQuery = {},
    options?: CallOptions,
  ): Promise<{ count: number; updated: number }> {
    const sum = { count: 0, updated: 0 };
    await inParts(contacts, options, async (part, its) => {
      const { count, updated } = await this.saveAllOnce(contactBookId, part, query, its);
      sum.count += count;
      sum.updated += updated;
    });
    return sum;
  }
}

/** Operations of suppressions. */
export class Suppressions extends SuppressionsOperations {
  /** Suppresses any number of addresses, in calls of 1000. */
  async addAll(
    suppressions: Iterable<T.NewSuppression> | AsyncIterable<T.NewSuppression>,
    options?: CallOptions,
  ): Promise<{ count: number }> {
    const sum = { count: 0 };
    await inParts(suppressions, options, async (part, its) => {
      sum.count += (await this.addAllOnce(part, its)).count;
    });
    return sum;
  }
}

/** Operations of events. */
export class Events extends EventsOperations {
  /** The stored events, oldest first. */
  list(query: EventsListQuery = {}, options?: CallOptions): List<T.Event> {
    return new List(async (after) => {
      const feed = await this.listOnce({ ...query, after: after || undefined }, options);
      return { items: feed.events, cursor: (feed.has_more && feed.next_cursor) || undefined };
    }, query.after ?? '');
  }

  /** The stored events and those to come, oldest first. It ends with the signal only. */
  async *follow({ after, every = 5_000, onCursor, ...options }: FollowOptions = {}): AsyncGenerator<T.Event> {
    for (let cursor = after; ;) {
      const feed = await this.listOnce({ after: cursor, limit: 100 }, options);
      yield* feed.events;
      if (feed.next_cursor !== null && feed.next_cursor !== cursor) {
        cursor = feed.next_cursor;
        onCursor?.(cursor);
      }
      if (!feed.has_more) await pause(every, options.signal);
    }
  }
}

/** The options of a call in those of waiting. */
function calls({ within: _within, every: _every, ...options }: WaitOptions): CallOptions {
  return options;
}

async function wait<T>(
  look: () => Promise<T>,
  reached: (found: T) => boolean,
  message: (found: T) => string,
  { within = 0, every = 0, signal }: WaitOptions,
): Promise<T> {
  for (const end = Date.now() + within; ;) {
    const found = await look();
    if (reached(found)) return found;
    if (Date.now() + every > end) throw new WaitTimeout(message(found), found);
    await pause(every, signal);
  }
}

/** Calls with parts of 1000 items. Each part has an Idempotency-Key of its own. */
async function inParts<T>(
  items: Iterable<T> | AsyncIterable<T>,
  options: CallOptions | undefined,
  call: (part: T[], options: CallOptions) => Promise<void>,
): Promise<void> {
  let part: T[] = [];
  let number = 0;
  const flush = async () => {
    number += 1;
    const key = options?.idempotencyKey;
    await call(part, { ...options, idempotencyKey: key === undefined ? undefined : `${key}-${number}` });
    part = [];
  };
  for await (const item of items) if (part.push(item) === BULK) await flush();
  if (part.length) await flush();
}

/** Renders with the package of the calling program; bundlers do not look for it. */
async function reactEmail(element: unknown): Promise<string> {
  const name = 'react-email';
  let loaded: { render: (element: unknown) => Promise<string> };
  try {
    loaded = (await import(/* webpackIgnore: true */ /* @vite-ignore */ name)) as typeof loaded;
  } catch (cause) {
    throw new Error('`react` needs the package react-email: npm install react-email react react-dom', {
      cause,
    });
  }
  return loaded.render(element);
}
