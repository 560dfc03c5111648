import { describe, expect, it } from 'vitest';
import { expectedEnd, sampled, speed, type Sample } from './speed';

describe('the speed of a campaign', () => {
  it('is measured over the last half minute', () => {
    const samples = [0, 10_000, 20_000, 40_000].reduce<readonly Sample[]>(
      (all, at) => sampled(all, { at, through: at / 100 }),
      [],
    );
    expect(samples.map((sample) => sample.at)).toEqual([10_000, 20_000, 40_000]);
    expect(speed(samples)).toBe(10);
    expect(speed(samples.slice(0, 1))).toBeUndefined();
    expect(
      speed([
        { at: 0, through: 5 },
        { at: 9000, through: 5 },
      ]),
    ).toBeUndefined();
  });

  it('tells when the campaign ends', () => {
    const now = new Date(2026, 10, 22, 14, 30, 20).getTime();
    expect(expectedEnd(600, 10, null, now)).toBe('14:31');
    expect(expectedEnd(600, 10, 60, now)).toBe('14:40');
    expect(expectedEnd(600, undefined, 60, now)).toBe('14:40');
    expect(expectedEnd(600, 0.5, 60, now)).toBe('14:50');
    expect(expectedEnd(86_400, 1, null, now)).toBe('23 Nov, 14:30');
    expect(expectedEnd(600, undefined, null, now)).toBeNull();
    expect(expectedEnd(0, 10, null, now)).toBeNull();
  });
});
