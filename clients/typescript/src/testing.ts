// For tests: reads the mailbox of a standalone Mailroom, which catches every mail. Import it from `@mailroom/sdk/testing`.

/** The mail that a test waits for. */
export interface MailQuery {
  /** A recipient. */
  to: string;
  /** A part of the subject, without regard to case. */
  subject?: string;
  /** The time from which on the mail was received. */
  since?: Date;
  /** Milliseconds to wait. 30 000 by default. */
  timeout?: number;
}

/** A part of a mail that is neither the text nor the HTML. */
export interface ReceivedAttachment {
  filename: string;
  contentType: string;
  size: number;
  content(): Promise<Uint8Array>;
}

type Json = {
  id: string;
  mail_from: string;
  rcpt_to: string[];
  subject: string;
  received_at: string;
  text: string;
  html: string;
  headers: Record<string, string>;
  attachments: { filename: string; content_type: string; size: number }[];
};

/** A mail that has arrived. */
export class ReceivedMail {
  readonly id: string;
  /** The sender as it is shown. */
  readonly from: string;
  /** The addresses of all recipients, also those that are not shown. */
  readonly recipients: string[];
  readonly subject: string;
  readonly receivedAt: Date;
  /** Empty if there is none. */
  readonly text: string;
  /** Empty if there is none. */
  readonly html: string;
  /** By name, as the mail spells it. */
  readonly headers: Record<string, string>;
  readonly attachments: ReceivedAttachment[];

  /** @internal */
  constructor(json: Json, mailbox: string) {
    this.id = json.id;
    this.from = json.headers['From'] ?? json.mail_from;
    this.recipients = json.rcpt_to;
    this.subject = json.subject;
    this.receivedAt = new Date(json.received_at);
    this.text = json.text;
    this.html = json.html;
    this.headers = json.headers;
    this.attachments = json.attachments.map(({ filename, content_type, size }, at) => ({
      filename,
      contentType: content_type,
      size,
      content: async () =>
        new Uint8Array(
          await (await answer(`${mailbox}/messages/${json.id}/attachments/${at}`)).arrayBuffer(),
        ),
    }));
  }

  /** The links of the HTML and the addresses in the text, each once. */
  links(): string[] {
    const hrefs = [...this.html.matchAll(/\shref\s*=\s*(?:"([^"]*)"|'([^']*)')/gi)].map(
      ([, double, single]) => (double ?? single ?? '').replaceAll('&amp;', '&'),
    );
    const urls = [...this.text.matchAll(/https?:\/\/[^\s<>"'\])]+/g)].map(([url]) =>
      url.replace(/[.,;:!?]+$/, ''),
    );
    return [...new Set([...hrefs, ...urls])];
  }

  /** The first match in the text, or in the HTML if there is no text: its first group, if it has one. */
  code(pattern: RegExp): string {
    const content = this.text.trim() ? this.text : this.html.replace(/<[^>]*>/g, ' ');
    const match = new RegExp(pattern.source, pattern.flags.replace('g', '')).exec(content);
    if (!match) throw new Error(`There is no match of ${pattern} in the mail "${this.subject}":\n${content}`);
    return match[1] ?? match[0];
  }
}

const LONGEST_POLL = 20_000;

/** The mailbox of a standalone Mailroom. */
export class Mailbox {
  readonly #url: string;

  /** @param url the address; by default that in MAILROOM_TEST_MAILBOX, or http://localhost:8025 */
  constructor(url?: string) {
    const { process } = globalThis as { process?: { env?: Record<string, string | undefined> } };
    this.#url = (url ?? process?.env?.['MAILROOM_TEST_MAILBOX'] ?? 'http://localhost:8025').replace(
      /\/+$/,
      '',
    );
  }

  /** Waits for a mail, and returns the newest one that fits. */
  async waitFor(query: MailQuery): Promise<ReceivedMail> {
    const { to, subject, since, timeout = 30_000 } = query;
    const search = new URLSearchParams({
      to,
      ...(subject !== undefined && { subject }),
      ...(since && { since: since.toISOString() }),
    });
    const deadline = Date.now() + timeout;
    let left = timeout;
    do {
      search.set('wait', String(Math.ceil(Math.min(left, LONGEST_POLL) / 1_000)));
      const response = await answer(`${this.#url}/messages?${search}`);
      const [newest] = ((await response.json()) as { messages: Json[] }).messages;
      if (newest) return new ReceivedMail(newest, this.#url);
      left = deadline - Date.now();
    } while (left > 0);
    throw new Error(`No mail arrived at ${this.#url} in ${timeout} ms: ${JSON.stringify(query)}`);
  }

  /** Deletes the mails to a recipient. */
  async delete({ to }: { to: string }): Promise<void> {
    await answer(`${this.#url}/messages?${new URLSearchParams({ to })}`, { method: 'DELETE' });
  }
}

async function answer(url: string, init: RequestInit = {}): Promise<Response> {
  const response = await fetch(url, init);
  if (!response.ok) throw new Error(`The mailbox answered ${response.status} to ${url}`);
  return response;
}
