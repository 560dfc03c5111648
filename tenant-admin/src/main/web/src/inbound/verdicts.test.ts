import { describe, expect, it } from 'vitest';
import { verdicts, warning, worst } from './verdicts';

const mail = {
  spamVerdict: 'PASS',
  virusVerdict: 'DISABLED',
  spfVerdict: 'PASS',
  dkimVerdict: 'GRAY',
  dmarcVerdict: 'PASS',
} as const;

describe('verdicts on received emails', () => {
  it('have a name and a word each', () => {
    expect(verdicts(mail).map(([name, word]) => `${name} ${word.text}`)).toEqual([
      'Spam PASS',
      'Virus Not checked',
      'SPF PASS',
      'DKIM Unknown',
      'DMARC PASS',
    ]);
  });

  it('are summed up by the worst', () => {
    expect(worst(mail).text).toBe('DKIM Unknown');
    expect(worst({ ...mail, spamVerdict: 'GRAY' }).text).toBe('Spam Suspicious');
    expect(worst({ ...mail, dmarcVerdict: 'FAIL' })).toMatchObject({ text: 'DMARC FAIL', tone: 'bad' });
    expect(worst({ ...mail, dkimVerdict: 'PASS' })).toMatchObject({ text: 'PASS', tone: 'good' });
  });

  it('warn of forgery, spam and viruses', () => {
    expect(warning(mail)).toBeUndefined();
    expect(warning({ ...mail, dmarcVerdict: 'FAIL' })).toMatch(/forged/);
    expect(warning({ ...mail, virusVerdict: 'FAIL', dmarcVerdict: 'FAIL' })).toMatch(/virus/);
  });
});
