import { describe, expect, it } from 'vitest';
import { addressAt, addressesOf, moved, reasons, routesSentence, shadow } from './routing';

const routes = [
  { id: 'a', pattern: 'support', active: false },
  { id: 'b', pattern: 'shop-*', active: true },
  { id: 'c', pattern: 'shop-7', active: true },
  { id: 'd', pattern: '*', active: true },
];

describe('routes of received mail', () => {
  it('explain which of them applies to an address', () => {
    expect(reasons(routes, 'b', 'Shop-7@shop.test')).toEqual([
      'Route 2, shop-*, is the first active one that matches.',
      'Route 3, shop-7, matches too, but comes later.',
      'Route 4, *, matches too, but comes later.',
    ]);
    expect(reasons(routes.slice(0, 3), null, 'support@shop.test')).toEqual([
      'No active route matches, so the mail is stored.',
      'Route 1, support, matches too, but is off.',
    ]);
  });

  it('name the route for which one never applies', () => {
    expect(routes.map((_, index) => shadow(routes, index))).toEqual([undefined, undefined, 2, undefined]);
    expect(shadow([routes[3]!, routes[1]!], 1)).toBe(1);
    expect(shadow([routes[0]!, routes[0]!], 1)).toBeUndefined();
  });

  it('are summed up by what happens to other mail', () => {
    expect(routesSentence([routes[0]!], 'shop.test')).toBe('Mail to every address of shop.test is stored.');
    expect(routesSentence(routes.slice(0, 2), 'shop.test')).toMatch(/^1 route decides .* none matches/);
    expect(routesSentence(routes, 'shop.test')).toBe('3 routes decide on all mail to shop.test.');
  });

  it('move by one place and stay in the list', () => {
    expect(moved(['a', 'b', 'c'], 'c', -1)).toEqual(['a', 'c', 'b']);
    expect(moved(['a', 'b', 'c'], 'a', -1)).toEqual(['a', 'b', 'c']);
    expect(moved(['a', 'b', 'c'], 'c', 1)).toEqual(['a', 'b', 'c']);
  });

  it('have the addresses of a text, one a line', () => {
    expect(addressesOf(' a@b.test,\n c@d.test\n')).toEqual(['a@b.test', 'c@d.test']);
  });

  it('take the local part of an address alone', () => {
    expect(addressAt(' help ', 'shop.test')).toBe('help@shop.test');
    expect(addressAt('help@other.test', 'shop.test')).toBe('help@other.test');
  });
});
