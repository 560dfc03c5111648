/** Steps of an axis. */

/** At most five round steps from zero to a value or above it. */
export function ticks(max: number): number[] {
  const rough = Math.max(1, max) / 4;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = Math.max(
    1,
    [1, 2, 5, 10].map((factor) => factor * power).find((candidate) => candidate >= rough)!,
  );
  return Array.from({ length: Math.ceil(Math.max(1, max) / step) + 1 }, (_, index) => index * step);
}

/** Multiple of the median above which a bar leaves no height for the others. */
const UNEVEN = 10;

/** Whether a few values are so large that most of the others cannot be seen beside them. */
export function isUneven(values: readonly number[]): boolean {
  const shown = values.filter((value) => value > 0).toSorted((a, b) => a - b);
  return shown.length > 2 && shown.at(-1)! > UNEVEN * shown[Math.floor(shown.length / 2)]!;
}

const DAY_MS = 86_400_000;

/** The last days of UTC, as 2026-11-21, the present one last. */
export function lastDays(count: number, now = new Date()): string[] {
  return Array.from({ length: count }, (_, index) =>
    new Date(now.getTime() - (count - 1 - index) * DAY_MS).toISOString().slice(0, 10),
  );
}
