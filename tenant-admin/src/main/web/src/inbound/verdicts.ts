/** Verdicts on received mails. */
import type { Verdict } from '../gen/graphql';
import { verdictWord, type Word } from '../words/status';

interface Judged {
  readonly spamVerdict: Verdict;
  readonly virusVerdict: Verdict;
  readonly spfVerdict: Verdict;
  readonly dkimVerdict: Verdict;
  readonly dmarcVerdict: Verdict;
}

/** The verdicts with their names, in their order. */
export function verdicts(mail: Judged): readonly (readonly [string, Word])[] {
  return (
    [
      ['Spam', mail.spamVerdict],
      ['Virus', mail.virusVerdict],
      ['SPF', mail.spfVerdict],
      ['DKIM', mail.dkimVerdict],
      ['DMARC', mail.dmarcVerdict],
    ] as const
  ).map(([name, verdict]) => {
    const word = verdictWord(verdict);
    // An unclear result of the filter is a suspicion; the other checks could not decide.
    return [name, name === 'Spam' && verdict === 'GRAY' ? { ...word, text: 'Suspicious' } : word] as const;
  });
}

/** The worst verdict in one word, with its name unless all are good. */
export function worst(mail: Judged): Word {
  const all = verdicts(mail);
  const found = all.find(([, { tone }]) => tone === 'bad') ?? all.find(([, { tone }]) => tone === 'warn');
  return found
    ? { ...found[1], text: `${found[0]} ${found[1].text}` }
    : (all.find(([, { tone }]) => tone === 'good')?.[1] ?? all[0]![1]);
}

/** Explanation of a failed verdict; undefined if none failed. */
export function warning(mail: Judged): string | undefined {
  if (mail.virusVerdict === 'FAIL') return 'A virus was found in this email. Its files are harmful.';
  if (mail.dmarcVerdict === 'FAIL') return 'DMARC failed: the From address may be forged.';
  return mail.spamVerdict === 'FAIL' ? 'The filter takes this email for spam.' : undefined;
}
