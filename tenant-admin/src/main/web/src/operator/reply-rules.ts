/** Rules for replies as lines of text: an action, for a pause with its seconds, and a pattern. */
import type { ReplyAction, ReplyRuleInput } from '../gen/graphql';
import type { Profile } from './queries';

type Rules = NonNullable<Profile['rules']>;

const actions: readonly ReplyAction[] = ['SLOW', 'PAUSE', 'PAUSE_ACCOUNT', 'GREYLIST', 'BLOCK', 'IGNORE'];

const LINE = /^([a-z_]+)(?::(\d+))?\s+(.+)$/;

export function linesOf(rules: Rules | null): string {
  return (rules ?? [])
    .map(
      ({ action, seconds, pattern }) =>
        `${action.toLowerCase()}${seconds === null ? '' : `:${seconds}`} ${pattern}`,
    )
    .join('\n');
}

/** The rules of a text, with the pages of known ones; a message if a line is none. */
export function rulesOf(text: string, known: Rules | null): ReplyRuleInput[] | string {
  const rules: ReplyRuleInput[] = [];
  for (const line of text.split('\n').map((one) => one.trim())) {
    if (line === '') continue;
    const parts = LINE.exec(line);
    const action = parts?.[1]?.toUpperCase() as ReplyAction | undefined;
    if (!parts || !action || !actions.includes(action))
      return `“${line}” is no rule: begin with ${actions.map((one) => one.toLowerCase()).join(', ')}, then a pattern.`;
    const pattern = parts[3]!;
    rules.push({
      action,
      pattern,
      seconds: parts[2] === undefined ? null : Number(parts[2]),
      page: known?.find((one) => one.pattern === pattern)?.page ?? null,
    });
  }
  return rules;
}
