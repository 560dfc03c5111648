/** Things that need attention. */
import { Link } from '@tanstack/react-router';
import { Flag, Gauge, Globe, OctagonX, TriangleAlert, Webhook, type LucideIcon } from 'lucide-react';
import type { ReactNode } from 'react';
import { Box, ICON, Time } from '../kit/basics';
import { counted, dot, number, percent } from '../words/formats';
import css from './overview.module.css';
import type { Overview } from './queries';

/** Share of a quota from which it is shown. */
const NEAR = 0.8;

interface Item {
  readonly id: string;
  readonly tone: 'bad' | 'warn' | 'plum' | 'mute';
  readonly icon: LucideIcon;
  readonly text: ReactNode;
  readonly link: ReactNode;
}

/** Domains that lost a record. */
export function broken(view: Overview) {
  return view.domains.nodes.filter(
    (domain) => domain.status === 'FAILED' || domain.status === 'TEMPORARY_FAILURE',
  );
}

/** Whether the account has a domain that may send. */
export function hasSender(view: Overview): boolean {
  return view.domains.nodes.some(
    (domain) => domain.status === 'VERIFIED' || domain.status === 'TEMPORARY_FAILURE',
  );
}

export function Todo({
  view,
  complained,
  domain,
  since,
}: {
  view: Overview;
  complained: number;
  domain: string | undefined;
  since: string | undefined;
}) {
  const items = [
    ...domains(view),
    ...endpoints(view),
    ...quotas(view),
    ...reports(complained, { domain, since }),
  ];
  if (items.length === 0) return null;
  return (
    <Box label="What needs attention">
      <ul className={css.todo}>
        {items.map(({ id, tone, icon: Icon, text, link }) => (
          <li key={id} data-tone={tone}>
            <Icon {...ICON} />
            <p>{text}</p>
            {link}
          </li>
        ))}
      </ul>
    </Box>
  );
}

function domains(view: Overview): Item[] {
  const link = (id: string) => (
    <Link to="/domains/$id" params={{ id }}>
      View DNS records
    </Link>
  );
  const lost = broken(view).map(({ id, name, status }): Item =>
    status === 'FAILED'
      ? {
          id,
          tone: 'bad',
          icon: OctagonX,
          text: (
            <>
              <strong>{name} cannot send.</strong> Mail from it is refused.
            </>
          ),
          link: link(id),
        }
      : {
          id,
          tone: 'warn',
          icon: TriangleAlert,
          text: (
            <>
              <strong>{name} is missing a DNS record.</strong> Mail from it is still sent for a time.
            </>
          ),
          link: link(id),
        },
  );
  const pending = view.domains.nodes
    .filter((domain) => domain.status === 'PENDING')
    .map(({ id, name }): Item => ({
      id,
      tone: 'mute',
      icon: Globe,
      text: (
        <>
          <strong>{name} is not verified.</strong> Publish its records to send from it.
        </>
      ),
      link: link(id),
    }));
  return [...lost, ...pending];
}

function endpoints(view: Overview): Item[] {
  return view.webhookEndpoints.nodes
    .filter(({ active, disabledReason, failingSince }) =>
      active ? failingSince !== null : disabledReason !== null,
    )
    .map(({ id, url, active, disabledReason, failingSince }): Item => ({
      id,
      icon: Webhook,
      tone: active ? 'warn' : 'bad',
      link: (
        <Link to="/webhooks/$id" params={{ id }}>
          View deliveries
        </Link>
      ),
      text: active ? (
        <>
          <strong>Webhook to {host(url)} has been failing</strong>
          {failingSince ? (
            <>
              {' '}
              since <Time at={failingSince} />
            </>
          ) : null}
          . Retrying.
        </>
      ) : (
        <>
          <strong>Webhook to {host(url)} is disabled.</strong> {dot(disabledReason ?? '')}
        </>
      ),
    }));
}

function quotas({ usage }: Overview): Item[] {
  return (
    [
      ['day', usage.daily],
      ['month', usage.monthly],
    ] as const
  ).flatMap(([name, { used, limit, resetsAt }]): Item[] => {
    if (limit === null || used < limit * NEAR) return [];
    const all = used >= limit;
    return [
      {
        id: name,
        tone: all ? 'bad' : 'warn',
        icon: Gauge,
        link: <Link to="/usage">View usage</Link>,
        text: all ? (
          <>
            <strong>The emails of this {name} (UTC) are used up.</strong> Mail is refused until{' '}
            <Time at={resetsAt} />.
          </>
        ) : (
          <>
            <strong>
              {percent(Math.floor((used / limit) * 100), 0)} of the emails of this {name} (UTC) are used.
            </strong>{' '}
            {number(limit - used)} are left until <Time at={resetsAt} />.
          </>
        ),
      },
    ];
  });
}

function reports(
  complained: number,
  list: { domain: string | undefined; since: string | undefined },
): Item[] {
  return complained === 0
    ? []
    : [
        {
          id: 'reports',
          tone: 'plum',
          icon: Flag,
          text: (
            <>
              <strong>{counted(complained, 'email')} reported as spam.</strong> The recipients are suppressed.
            </>
          ),
          link: (
            <Link to="/emails" search={{ status: 'COMPLAINED', ...list }}>
              View emails
            </Link>
          ),
        },
      ];
}

function host(url: string): string {
  return url.replace(/^https?:\/\//, '');
}
