/** Words and rules of the routes of received mail. */
import type { ForwardMode, InboundAction, InboundSpamRule } from '../gen/graphql';
import { counted } from '../words/formats';

export interface Routed {
  readonly id: string;
  readonly pattern: string;
  readonly active: boolean;
}

/** Names of the actions, in the order in which they are offered. */
export const actions: Record<InboundAction, string> = {
  STORE: 'Store',
  WEBHOOK: 'Store, event with source',
  FORWARD: 'Store and forward',
  REJECT: 'Refuse',
  DROP: 'Drop',
};

/** Effects of the actions on a mail. */
export const effects: Record<InboundAction, string> = {
  STORE: 'It is stored, and reported to webhooks as email.received.',
  WEBHOOK:
    'It is stored, and its event email.received has a link to the source, which works for an hour without a key.',
  FORWARD: 'It is stored, reported to webhooks as email.received, and forwarded.',
  REJECT: 'It is refused: the sender learns that there is no such address.',
  DROP: 'It is accepted and forgotten.',
};

export const forwardModes: Record<ForwardMode, string> = {
  REWRITE: 'Replace From by your address',
  KEEP: 'Keep From',
};

export const spamRules: Record<InboundSpamRule, string> = {
  MARK: 'Keep, marked',
  DROP: 'Drop',
  REJECT: 'Refuse',
};

/** Whether mail to the address may be kept, so that the rule for spam matters. */
export function keeps(action: InboundAction): boolean {
  return action === 'STORE' || action === 'WEBHOOK' || action === 'FORWARD';
}

/** Whether a pattern matches the local part of an address. */
function matches(pattern: string, local: string): boolean {
  return pattern.endsWith('*') ? local.startsWith(pattern.slice(0, -1)) : local === pattern;
}

/** The number, from 1, of the active route for which the one at an index never applies; undefined without one. */
export function shadow(routes: readonly Routed[], index: number): number | undefined {
  const { pattern } = routes[index]!;
  const prefix = pattern.endsWith('*');
  const at = routes
    .slice(0, index)
    .findIndex(
      (before) =>
        before.active
        && (before.pattern.endsWith('*')
          ? matches(before.pattern, prefix ? pattern.slice(0, -1) : pattern)
          : before.pattern === pattern),
    );
  return at < 0 ? undefined : at + 1;
}

/** The address that a text means at a domain: the text is an address, or its local part. */
export function addressAt(text: string, domain: string): string {
  const address = text.trim();
  return address.includes('@') ? address : `${address}@${domain}`;
}

/** Reasons for which the route with an id applies to an address, or none does; one sentence each. */
export function reasons(routes: readonly Routed[], id: string | null, address: string): string[] {
  const local = address.slice(0, address.lastIndexOf('@')).toLowerCase();
  const at = routes.findIndex((route) => route.id === id);
  const others = routes.flatMap((route, index) => {
    if (index === at || !matches(route.pattern, local)) return [];
    const name = `Route ${index + 1}, ${route.pattern},`;
    return route.active ? [`${name} matches too, but comes later.`] : [`${name} matches too, but is off.`];
  });
  return [
    at < 0
      ? 'No active route matches, so the mail is stored.'
      : `Route ${at + 1}, ${routes[at]!.pattern}, is the first active one that matches.`,
    ...others,
  ];
}

/** The addresses of a text, which separates them by lines, blanks or commas. */
export function addressesOf(text: string): string[] {
  return text.split(/[\s,;]+/).filter(Boolean);
}

/** Sentence on the routes of a domain. */
export function routesSentence(routes: readonly Routed[], domain: string): string {
  const active = routes.filter((route) => route.active);
  if (active.length === 0) return `Mail to every address of ${domain} is stored.`;
  return active.some(({ pattern }) => pattern === '*')
    ? `${counted(active.length, 'route')} ${active.length === 1 ? 'decides' : 'decide'} on all mail to ${domain}.`
    : `${counted(active.length, 'route')} ${active.length === 1 ? 'decides' : 'decide'} on mail to ${domain}. Mail that none matches is stored.`;
}

/** The ids of a list with one of them moved up (-1) or down (1). */
export function moved(ids: readonly string[], id: string, by: -1 | 1): string[] {
  const at = ids.indexOf(id);
  const others = ids.filter((other) => other !== id);
  return others.toSpliced(Math.min(Math.max(at + by, 0), others.length), 0, id);
}
