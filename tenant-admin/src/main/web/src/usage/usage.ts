/** The used part of a limit. */

/** Share from which the use of a limit warns. */
const WARNING = 0.8;

interface Used {
  readonly used: number;
  readonly limit: number | null;
}

export function share({ used, limit }: Used): number {
  return limit === null ? 0 : limit === 0 ? 1 : used / limit;
}

export function level(usage: Used): 'fine' | 'near' | 'reached' {
  const value = share(usage);
  return usage.limit !== null && value >= 1
    ? 'reached'
    : usage.limit !== null && value >= WARNING
      ? 'near'
      : 'fine';
}
