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

const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

/** The time of a reset, which is at midnight of UTC: 1 Dec, 00:00 UTC. */
export function resetTime(iso: string): string {
  const at = new Date(iso);
  return `${at.getUTCDate()} ${months[at.getUTCMonth()]}, ${iso.slice(11, 16)} UTC`;
}
