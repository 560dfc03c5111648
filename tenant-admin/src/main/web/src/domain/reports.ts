/** Words about the standing of a domain with receivers. */
import { counted, shareText } from '../words/formats';
import type { Dmarc, ReadinessRow } from './queries';

/** Sentence on the rules for bulk senders that a domain keeps. */
export function readinessSentence(checks: readonly Pick<ReadinessRow, 'result'>[]): string {
  const failed = checks.filter(({ result }) => result === 'FAIL').length;
  const warned = checks.filter(({ result }) => result === 'WARN').length;
  if (failed > 0) return `${counted(failed, 'rule')} ${failed === 1 ? 'is' : 'are'} not kept.`;
  if (warned > 0) return `No rule is broken, and ${counted(warned, 'rule')} could be kept better.`;
  return 'The domain keeps to all rules that are checked.';
}

/** Sentence on the reports of receivers. */
export function reportSentence({ reports, unverified, total, address }: Dmarc): string {
  const apart =
    unverified > 0
      ? ` ${counted(unverified, 'report')} without a proven sender ${unverified === 1 ? 'is' : 'are'} left out.`
      : '';
  if (reports > 0 && total.count === 0) return `Receivers reported no email in 30 days.${apart}`;
  if (reports > 0)
    return `Receivers reported ${counted(total.count, 'email')} in 30 days; ${shareText((total.passed / total.count) * 100)} passed DMARC.${apart}`;
  if (address === null) return 'This installation does not receive reports.';
  return `No report arrived in 30 days. Receivers send them once a day.${apart}`;
}

const names: Record<string, string> = {
  gmail: 'Gmail',
  outlook: 'Outlook.com',
  microsoft: 'Microsoft 365',
  gmx: 'GMX',
  other: 'All others',
  relay: 'Your relay',
};

/** The name of a provider as people know it. */
export function providerName(provider: string): string {
  return names[provider] ?? provider.charAt(0).toUpperCase() + provider.slice(1);
}
