/** The account's time zone, which this browser keeps so that the first page has it before the account is read. */
import { setZone } from '../words/formats';

const KEY = 'mailroom-zone';

/** Takes over the zone that is kept; false without one. */
export function restoreZone(): boolean {
  const zone = localStorage.getItem(KEY);
  if (zone) setZone(zone);
  return zone !== null;
}

export function keepZone(zone: string): void {
  localStorage.setItem(KEY, zone);
  setZone(zone);
}

export function forgetZone(): void {
  localStorage.removeItem(KEY);
}
