/** Properties of a contact as lines of a form. */

export interface Entry {
  readonly name: string;
  readonly text: string;
  /** Whether the text is JSON, because the value is no text. */
  readonly json: boolean;
}

/** The lines for the stored properties. */
export function entriesOf(properties: unknown): Entry[] {
  return Object.entries((properties ?? {}) as Record<string, unknown>).map(([name, value]) =>
    typeof value === 'string'
      ? { name, text: value, json: false }
      : { name, text: JSON.stringify(value), json: true },
  );
}

/** The properties for the lines: numbers, lists and the like keep their kind unless the text is no longer JSON. */
export function propertiesOf(entries: readonly Entry[]): Record<string, unknown> {
  return Object.fromEntries(
    entries
      .filter((entry) => entry.name.trim() !== '')
      .map(({ name, text, json }) => [name.trim(), json ? parsed(text) : text]),
  );
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
