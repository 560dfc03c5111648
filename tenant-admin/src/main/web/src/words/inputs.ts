/** Values of inputs for times, which are in the account's zone. */
import { zoneName } from './formats';

/** The wall clock of the zone at a time: 2026-11-21 14:02:11. */
function wall(at: Date): string {
  return new Intl.DateTimeFormat('sv', {
    dateStyle: 'short',
    timeStyle: 'medium',
    timeZone: zoneName(),
  }).format(at);
}

/** The value of a datetime-local input for a time; the first ten characters are that of a date input. */
export function localInput(at: Date): string {
  return wall(at).slice(0, 16).replace(' ', 'T');
}

/** The time of such a value. Of a time that a change of the clocks skips it is one beside it. */
export function fromInput(value: string): Date {
  const wanted = Date.parse(`${value.length > 10 ? value : `${value}T00:00`}Z`);
  const ahead = (at: number) => Date.parse(`${wall(new Date(at)).replace(' ', 'T')}Z`) - at;
  return Number.isNaN(wanted) ? new Date(NaN) : new Date(wanted - ahead(wanted - ahead(wanted)));
}

/** The beginning of a day of the zone, some days later; null if the text is no day. */
export function dayStart(text: string | undefined, later = 0): string | null {
  const at = Date.parse(`${text}T12:00Z`) + later * 86_400_000;
  return Number.isNaN(at) ? null : fromInput(new Date(at).toISOString().slice(0, 10)).toISOString();
}

/** The error of a time that is not in the future; null if it is. */
export function future(value: string): string | null {
  return fromInput(value) > new Date() ? null : 'Choose a time in the future.';
}
