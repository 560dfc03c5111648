import { diffLines } from 'diff';

/** A line of a comparison, or a number of lines that are equal and left out. */
export type Line =
  | { readonly kind: 'same' | 'added' | 'removed'; readonly text: string }
  | { readonly kind: 'gap'; readonly count: number };

/** Equal lines beside a change that are shown. */
const CONTEXT = 2;

/** Time after which long texts with little in common are shown as replaced. */
const TIMEOUT_MS = 500;

/** The lines in which two texts differ, with those beside them; none if they are equal. */
export function compare(before: string, after: string): Line[] {
  if (before === after) return [];
  const parts = diffLines(before, after, { timeout: TIMEOUT_MS }) ?? [
    { value: before, removed: true, added: false },
    { value: after, removed: false, added: true },
  ];
  return parts.flatMap((part, index): Line[] => {
    const lines = part.value.replace(/\n$/, '').split('\n');
    const kind = part.added ? 'added' : part.removed ? 'removed' : 'same';
    const all = lines.map((text) => ({ kind, text }) as const);
    if (kind !== 'same') return part.value === '' ? [] : all;
    const head = index === 0 ? 0 : CONTEXT;
    const tail = index === parts.length - 1 ? 0 : CONTEXT;
    const left = lines.length - head - tail;
    if (left <= 1) return all;
    return [...all.slice(0, head), { kind: 'gap', count: left }, ...all.slice(lines.length - tail)];
  });
}

/** HTML with a line for each element, so that one long line can be compared too. */
export function inLines(html: string): string {
  return html.replace(/>[ \t]*</g, '>\n<');
}
