import type { KeyPermission } from '../gen/graphql';
import kit from '../kit/kit.module.css';

export const permissionTexts: readonly (readonly [KeyPermission, string, string])[] = [
  ['EMAILS_SEND', 'Send mail', 'Enough for a program that only sends. Reads nothing.'],
  ['EMAILS_READ', 'Read emails', 'Status and history of mails of the domain.'],
  ['INBOUND_READ', 'Read inbound mail', 'Mail that the domain received.'],
  ['ANALYTICS_READ', 'Read reputation', 'Bounce and complaint rates.'],
  ['SEND', 'Everything', 'Includes all others.'],
];

/** The permissions of a key in words. */
export function permissionText(permissions: readonly KeyPermission[]): string {
  const texts = permissionTexts
    .filter(([permission]) => permissions.includes(permission))
    .map(([, text]) => text.toLowerCase());
  return permissions.includes('SEND') ? 'send mail, read all' : texts.join(', ');
}

/** Check boxes for the permissions of a key. */
export function Permissions({
  value,
  onChange,
  error,
}: {
  value: readonly KeyPermission[];
  onChange: (value: KeyPermission[]) => void;
  error: unknown;
}) {
  const all = value.includes('SEND');
  return (
    <fieldset className={kit.form}>
      <legend className={kit.label}>Permissions</legend>
      {permissionTexts.map(([permission, text, help]) => (
        <label key={permission} className={kit.check}>
          <input
            type="checkbox"
            checked={all || value.includes(permission)}
            disabled={all && permission !== 'SEND'}
            onChange={(event) =>
              onChange(
                event.target.checked ? [...value, permission] : value.filter((other) => other !== permission),
              )
            }
          />
          <div>
            {text}
            <span>{help}</span>
          </div>
        </label>
      ))}
      {error ? <p className={kit.wrong}>{String(error)}</p> : null}
    </fieldset>
  );
}
