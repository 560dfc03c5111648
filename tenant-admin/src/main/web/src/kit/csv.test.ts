import { describe, expect, it } from 'vitest';
import { Fault } from '../words/errors';
import { cell, csv, rowsOf, withoutGuard } from './csv';

describe('a file for spreadsheets', () => {
  it('quotes what has commas, quotes or lines, and disarms formulas', () => {
    expect(cell('a, b')).toBe('"a, b"');
    expect(cell('say "x"')).toBe('"say ""x"""');
    expect(cell('\n=1')).toBe('"\'\n=1"');
    for (const begin of ['=', '+', '-', '@', '\t', '\r', '\n', '\uff1d', '\uff0b', '\uff0d', '\uff20']) {
      expect(cell(`${begin}1`)).toMatch(/^"?'/);
      expect(withoutGuard(`'${begin}1`)).toBe(`${begin}1`);
    }
    expect(withoutGuard("'til")).toBe("'til");
    expect(cell(null)).toBe('');
    expect(cell(-3)).toBe('-3');
  });

  it('has a line for the columns and one for each row', () => {
    expect(csv(['To', 'Opens'], [['a@b.test', 2]])).toBe('To,Opens\r\na@b.test,2\r\n');
  });

  it('reads the pages up to its limit, and goes on when the server limits the requests', async () => {
    const asked: (string | null)[] = [];
    const page = async (after: string | null) => {
      asked.push(after);
      if (asked.length === 2) throw new Fault('rate_limit_exceeded', 'Wait', 429, 0.001);
      return {
        nodes: [after ?? 'first', 'other'],
        pageInfo: { hasNextPage: true, endCursor: `${asked.length}` },
      };
    };
    expect(await rowsOf(page, 3)).toEqual(['first', 'other', '1']);
    expect(asked).toEqual([null, '1', '1']);
  });
});
