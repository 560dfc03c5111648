/** Parts of a JSON value. */

/** Names and values of an object or a list; null for other values. */
export function entriesOf(value: unknown): readonly (readonly [string, unknown])[] | null {
  return value !== null && typeof value === 'object' ? Object.entries(value) : null;
}

/** The path of a part, as programs write it: events[0].data["message-id"]. */
export function pathOf(path: string, name: string, inList: boolean): string {
  if (inList) return `${path}[${name}]`;
  if (!/^[A-Za-z_$][\w$]*$/.test(name)) return `${path}[${JSON.stringify(name)}]`;
  return path === '' ? name : `${path}.${name}`;
}
