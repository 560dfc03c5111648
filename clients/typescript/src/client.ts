import { MailroomError } from './errors.js';
import {
  AnalyticsOperations,
  CampaignsOperations,
  ContactBooksOperations,
  InboundOperations,
  KeyOperations,
  TemplatesOperations,
  TrackingDomainsOperations,
  UsageOperations,
  WebhooksOperations,
} from './gen/groups.js';
import { Contacts, Domains, Emails, Events, Suppressions } from './groups.js';
import { Transport, type CallOptions, type ClientOptions } from './transport.js';

/** The result of a call that does not throw. */
export type Result<T> = { data: T; error: null } | { data: null; error: MailroomError };

/** The same client whose calls return `{ data, error }`. Other errors, such as those of your own code, are thrown. */
export type Safe<G> = {
  [K in keyof G]: G[K] extends (...given: infer A) => Promise<infer R>
    ? (...given: A) => Promise<Result<R>>
    : G[K];
};

/** The client of a Mailroom server. */
export class Mailroom {
  readonly emails: Emails;
  readonly domains: Domains;
  readonly trackingDomains: TrackingDomainsOperations;
  readonly templates: TemplatesOperations;
  readonly contactBooks: ContactBooksOperations;
  readonly contacts: Contacts;
  readonly campaigns: CampaignsOperations;
  readonly suppressions: Suppressions;
  readonly webhooks: WebhooksOperations;
  readonly inbound: InboundOperations;
  readonly analytics: AnalyticsOperations;
  readonly events: Events;
  readonly usage: UsageOperations;
  readonly key: KeyOperations;
  readonly #transport: Transport;

  constructor(options: ClientOptions = {}) {
    const transport = new Transport(options);
    this.#transport = transport;
    this.emails = new Emails(transport);
    this.domains = new Domains(transport);
    this.trackingDomains = new TrackingDomainsOperations(transport);
    this.templates = new TemplatesOperations(transport);
    this.contactBooks = new ContactBooksOperations(transport);
    this.contacts = new Contacts(transport);
    this.campaigns = new CampaignsOperations(transport);
    this.suppressions = new Suppressions(transport);
    this.webhooks = new WebhooksOperations(transport);
    this.inbound = new InboundOperations(transport);
    this.analytics = new AnalyticsOperations(transport);
    this.events = new Events(transport);
    this.usage = new UsageOperations(transport);
    this.key = new KeyOperations(transport);
  }

  /** The same client whose calls return `{ data, error }` in place of throwing errors of the API. */
  get safe(): { [K in keyof Omit<Mailroom, 'safe' | 'request' | 'toString'>]: Safe<Mailroom[K]> } {
    return new Proxy(this, {
      get: (client, name) => safe(Reflect.get(client, name, client) as object),
    }) as never;
  }

  /**
   * Calls an operation that is newer than this package, and returns the body of the response. A POST is repeated only
   * with an `idempotencyKey`.
   */
  request<T = unknown>(method: string, path: string, body?: unknown, options?: CallOptions): Promise<T> {
    const key = options?.idempotencyKey !== undefined;
    return this.#transport.json({ id: path, method: method.toUpperCase(), path, body, key }, options);
  }

  toString(): string {
    return this.#transport.toString();
  }
}

function safe(group: object): object {
  return new Proxy(group, {
    get(target, name) {
      const member: unknown = Reflect.get(target, name, target);
      if (typeof member !== 'function') return member;
      return (...given: unknown[]) => {
        const result: unknown = member.apply(target, given);
        return result instanceof Promise ? result.then((data) => ({ data, error: null }), caught) : result;
      };
    },
  });
}

function caught(error: unknown): Result<never> {
  if (error instanceof MailroomError) return { data: null, error };
  throw error;
}
