import { expect, it } from 'vitest';
import page from '../../../../../../docs/glossary.md?raw';
import glossary from './glossary.json';
import { emailWord, outcomeWord } from './status';

const schema = Object.values(
  import.meta.glob<string>('../../../resources/graphql/*.graphqls', {
    query: '?raw',
    import: 'default',
    eager: true,
  }),
).join('\n');
const entries: readonly { label: string; meaning: string; graphql?: string[] }[] = [
  ...Object.values(glossary.states),
  ...Object.values(glossary.metrics),
];

/** The description of a field or value in the text of the schema. */
function description(reference: string): string | undefined {
  const [type, name] = reference.split('.');
  const body = new RegExp(`^(?:type|enum) ${type} \\{\\n(.*?)^\\}`, 'ms').exec(schema)?.[1] ?? '';
  return new RegExp(`^  "(.*)"\\n  ${name}\\b`, 'm').exec(body)?.[1];
}

it('describes states and metrics in GraphQL as the glossary does', () => {
  for (const { meaning, graphql } of entries)
    for (const reference of graphql ?? []) expect(description(reference), reference).toBe(meaning);
});

it('lists each state and metric in the documentation', () => {
  for (const { label, meaning } of entries) expect(page).toContain(`| ${label} | ${meaning} |`);
});

it('gives an email and its attempts the same words', () => {
  const { states } = glossary;
  expect(emailWord('PENDING', 'queued').text).toBe(states.queued.label);
  expect(emailWord('PENDING', 'delivery_delayed').text).toBe(outcomeWord('DEFERRED').text);
  expect(emailWord('COMPLAINED', 'complained').text).toBe(states.complained.label);
});
