import type { KeyPermission, Right } from '../gen/graphql';
import kit from '../kit/kit.module.css';
import { useRights } from '../kit/rights';

interface PermissionText {
  readonly permission: KeyPermission;
  readonly text: string;
  readonly help: string;
  /** The right that the reader needs to give it to a key of the account. */
  readonly right?: Right;
}

/** Permissions of all keys. */
const ofDomains: readonly PermissionText[] = [
  {
    permission: 'EMAILS_SEND',
    text: 'Send only',
    help: 'Enough for a program that sends. Reads nothing.',
  },
  {
    permission: 'EMAILS_SANDBOX',
    text: 'Send to the sandbox',
    help: 'For tests: other recipients are refused.',
  },
  { permission: 'EMAILS_READ', text: 'Read emails', help: 'Status and history of emails.' },
  { permission: 'INBOUND_READ', text: 'Read inbound mail', help: 'Mail that was received.' },
  { permission: 'ANALYTICS_READ', text: 'Read reputation', help: 'Bounce and complaint rates.' },
  { permission: 'SEND', text: 'Send and read mail', help: 'All of the above except the sandbox.' },
];

/** Permissions of keys of the whole account only. */
const ofAccounts: readonly PermissionText[] = [
  { permission: 'DOMAINS_READ', text: 'Read domains', help: 'Records and their state.' },
  {
    permission: 'DOMAINS_WRITE',
    text: 'Change domains',
    help: 'Adds, checks and deletes.',
    right: 'DOMAINS',
  },
  { permission: 'TEMPLATES_READ', text: 'Read templates', help: 'Also fills them in.' },
  {
    permission: 'TEMPLATES_WRITE',
    text: 'Change templates',
    help: 'Adds, changes and deletes.',
    right: 'TEMPLATES',
  },
  { permission: 'CONTACTS_READ', text: 'Read contacts', help: 'Books and their contacts.' },
  {
    permission: 'CONTACTS_WRITE',
    text: 'Change contacts',
    help: 'Adds, imports and deletes.',
    right: 'CONTACTS',
  },
  { permission: 'CAMPAIGNS_READ', text: 'Read campaigns', help: 'Content and results.' },
  {
    permission: 'CAMPAIGNS_WRITE',
    text: 'Change campaigns',
    help: 'Drafts and pauses. Starts nothing.',
    right: 'CAMPAIGNS',
  },
  {
    permission: 'CAMPAIGNS_SEND',
    text: 'Start campaigns',
    help: 'Starts, schedules, resumes and tests.',
    right: 'CAMPAIGNS',
  },
  { permission: 'SUPPRESSIONS_READ', text: 'Read suppressions', help: 'Addresses that we do not send to.' },
  {
    permission: 'SUPPRESSIONS_WRITE',
    text: 'Change suppressions',
    help: 'Adds and removes addresses.',
    right: 'SUPPRESSIONS',
  },
  { permission: 'WEBHOOKS_READ', text: 'Read webhooks', help: 'Endpoints and their calls.' },
  {
    permission: 'WEBHOOKS_WRITE',
    text: 'Change webhooks',
    help: 'Adds endpoints, which get the events of the account.',
    right: 'WEBHOOKS',
  },
  { permission: 'EVENTS_READ', text: 'Read events', help: 'The feed of events.' },
  { permission: 'USAGE_READ', text: 'Read usage', help: 'Plan limits.' },
];

const all = [...ofDomains, ...ofAccounts];

/** Permissions in a list; more of them are counted. */
const MAX_LISTED = 4;

/** The permissions of a key in words. */
export function permissionText(permissions: readonly KeyPermission[]): string {
  const texts = all
    .filter(({ permission }) => permissions.includes(permission))
    .map(({ text }) => text.toLowerCase());
  return texts.length > MAX_LISTED
    ? `${texts.slice(0, MAX_LISTED - 1).join(', ')} and ${texts.length - MAX_LISTED + 1} more`
    : texts.join(', ');
}

/** Uses of a key of the whole account, with the permissions for each. */
export const presets: readonly { readonly text: string; readonly permissions: readonly KeyPermission[] }[] = [
  { text: 'Sending', permissions: ['EMAILS_SEND'] },
  { text: 'CI, sandbox only', permissions: ['EMAILS_SANDBOX'] },
  { text: 'Deployment of templates and domains', permissions: ['DOMAINS_WRITE', 'TEMPLATES_WRITE'] },
  {
    text: 'Agent, read only',
    permissions: all.map(({ permission }) => permission).filter((permission) => permission.endsWith('_READ')),
  },
  {
    text: 'Agent that prepares campaigns',
    permissions: [
      'EMAILS_SEND',
      'EMAILS_READ',
      'ANALYTICS_READ',
      'DOMAINS_READ',
      'TEMPLATES_WRITE',
      'CONTACTS_WRITE',
      'CAMPAIGNS_WRITE',
      'SUPPRESSIONS_READ',
      'EVENTS_READ',
      'USAGE_READ',
    ],
  },
];

/** Check boxes for the permissions of a key. */
export function Permissions({
  ofAccount,
  value,
  onChange,
  error,
}: {
  ofAccount: boolean;
  value: readonly KeyPermission[];
  onChange: (value: KeyPermission[]) => void;
  error: unknown;
}) {
  const { may } = useRights();
  const shown = (ofAccount ? all : ofDomains).filter(
    ({ permission, right }) => may(right) || value.includes(permission),
  );
  return (
    <fieldset className={kit.form}>
      <legend className={kit.label}>Permissions</legend>
      {shown.map(({ permission, text, help }) => {
        const included = isIncluded(permission, value);
        return (
          <label key={permission} className={kit.check}>
            <input
              type="checkbox"
              checked={included || value.includes(permission)}
              disabled={included}
              onChange={(event) =>
                onChange(
                  event.target.checked
                    ? [...value, permission]
                    : value.filter((other) => other !== permission),
                )
              }
            />
            <div>
              {text}
              <span>{help}</span>
            </div>
          </label>
        );
      })}
      {error ? <p className={kit.wrong}>{String(error)}</p> : null}
    </fieldset>
  );
}

/** Whether a reader with some rights may give the permission to a key of the account. */
export function mayGive(permission: KeyPermission, may: (right: Right | undefined) => boolean): boolean {
  return may(all.find((each) => each.permission === permission)?.right);
}

/** Whether the key of a domain may have the permission. */
export function isOfDomains(permission: KeyPermission): boolean {
  return ofDomains.some((each) => each.permission === permission);
}

/** Whether another one of the permissions includes this one. */
export function isIncluded(permission: KeyPermission, held: readonly KeyPermission[]): boolean {
  const write = permission.replace(/_READ$/, '_WRITE') as KeyPermission;
  return (
    (write !== permission && held.includes(write))
    || (held.includes('SEND')
      && (['EMAILS_SEND', 'EMAILS_READ', 'INBOUND_READ', 'ANALYTICS_READ'] as KeyPermission[]).includes(
        permission,
      ))
  );
}
