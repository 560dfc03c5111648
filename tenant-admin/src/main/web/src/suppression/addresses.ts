/** Addresses of a text. */
import { rules } from '../kit/form';
import { number } from '../words/formats';

/** Largest number of addresses that are added at once. */
const MAX_ADDRESSES = 1000;

/** The addresses of a text, each once: they are separated by lines, blanks, commas or semicolons. */
export function addressesOf(text: string): readonly string[] {
  return [...new Set(text.split(/[\s,;]+/).filter(Boolean))];
}

/** Reason for which the addresses of a text cannot be added; null if they can. */
export function problemOf(text: string): string | null {
  const addresses = addressesOf(text);
  if (addresses.length === 0) return 'Enter an address.';
  if (addresses.length > MAX_ADDRESSES)
    return `These are ${number(addresses.length)} addresses; at most ${number(MAX_ADDRESSES)} are added at once.`;
  const wrong = addresses.find((address) => rules.email(address) !== null);
  return wrong === undefined ? null : `${wrong} is not an address.`;
}
