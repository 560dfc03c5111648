/** Sample values of placeholders, as the JSON that the reader edits. */

/** A sample with a value for each placeholder: its name in words. */
export function sampleOf(variables: readonly string[]): string {
  return text(Object.fromEntries(variables.map((name) => [name, words(name)])));
}

/** The values of a sample, or the reason for which it has none. */
export function parsed(sample: string): { values: Record<string, unknown>; error?: string } {
  try {
    const value: unknown = JSON.parse(sample.trim() || '{}');
    if (typeof value === 'object' && value !== null && !Array.isArray(value))
      return { values: value as Record<string, unknown> };
    return { values: {}, error: 'Enter an object, as in {"name": "Ines"}.' };
  } catch (error) {
    return { values: {}, error: `This is not JSON: ${(error as Error).message}.` };
  }
}

/** The sample with values for more placeholders. */
export function withMissing(sample: string, missing: readonly string[]): string {
  return text({
    ...parsed(sample).values,
    ...Object.fromEntries(missing.map((name) => [name, words(name)])),
  });
}

function text(values: Record<string, unknown>): string {
  return JSON.stringify(values, null, 2);
}

function words(name: string): string {
  return name.replace(/[._-]+/g, ' ').trim() || name;
}
