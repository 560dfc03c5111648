/** An address of a pool. */
export interface Member {
  readonly source: string;
  readonly weight: number;
}

/** The addresses, one a line; a weight of 1 is left out. */
export function linesOfMembers(members: readonly Member[]): string {
  return members.map(({ source, weight }) => (weight === 1 ? source : `${source} ${weight}`)).join('\n');
}

/** The addresses of a text; or what is wrong with it. */
export function membersOf(text: string): readonly Member[] | string {
  const members: Member[] = [];
  for (const line of text.split('\n').map((one) => one.trim())) {
    if (line === '') continue;
    const [source = '', weight = '1', ...others] = line.split(/[\s,]+/);
    if (others.length > 0 || !/^([1-9]\d?|100)$/.test(weight))
      return `“${line}” must be a name, and a weight from 1 to 100.`;
    members.push({ source, weight: Number(weight) });
  }
  return members;
}
