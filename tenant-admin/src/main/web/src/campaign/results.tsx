/** The results of a campaign that was started: what people did, and what came back. */
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Ban, CornerUpLeft, Flag, OctagonX, type LucideIcon } from 'lucide-react';
import { Box, Status } from '../kit/basics';
import kit from '../kit/kit.module.css';
import { number, percent } from '../words/formats';
import type { Tone } from '../words/status';
import css from './campaign.module.css';
import { causesQuery, type CampaignView } from './queries';

/** Interval in which the causes are read again while a campaign runs. */
const RUNNING_INTERVAL_MS = 10_000;

/** Opens, clicks and complaints as shares of the delivered mails. */
export function Reached({ campaign }: { campaign: CampaignView }) {
  const { deliveredCount } = campaign;
  const of = (value: number) => (deliveredCount > 0 ? Math.min(100, (value / deliveredCount) * 100) : 0);
  const rows = [
    ['Delivered', deliveredCount, 'good'],
    ['Opened', campaign.openedCount, 'good'],
    ['Clicked', campaign.clickedCount, 'good'],
    ['Unsubscribed', campaign.unsubscribedCount, 'plum'],
  ] as const;
  return (
    <Box title="Engagement" side={<span>of those delivered</span>}>
      <ul className={css.funnel}>
        {rows.map(([name, value, fill], index) => (
          <li key={name}>
            <span>{name}</span>
            <span aria-hidden="true">
              {value > 0 ? <i data-fill={fill} style={{ width: `${of(value)}%` }} /> : null}
            </span>
            <span>{number(value)}</span>
            <span className={kit.quiet}>
              {index > 0 && deliveredCount > 0
                ? percent(of(value), of(value) === 0 ? 0 : of(value) < 1 ? 2 : 1)
                : ''}
            </span>
          </li>
        ))}
      </ul>
      <p className={`${kit.boxBody} ${kit.quiet}`}>
        Opens of image proxies and programs are left out.
        {deliveredCount > 0 && campaign.openedCount === 0 && campaign.clickedCount === 0
          ? ' Opens and clicks are counted only while tracking is on for the domain of the sender.'
          : ''}
      </p>
    </Box>
  );
}

/** Mails that did not arrive, by their causes as far as these are known, and reports of spam. */
export function Lost({ campaign }: { campaign: CampaignView }) {
  const came = campaign.bouncedCount + campaign.complainedCount;
  const { data } = useQuery({
    ...causesQuery(campaign.id),
    enabled: came > 0,
    refetchInterval: campaign.status === 'RUNNING' ? RUNNING_INTERVAL_MS : false,
  });
  const causes = (data ?? []).filter(({ cause }) => cause !== 'complaint');
  const known = causes.reduce((sum, { count }) => sum + count, 0);
  const rows: readonly (readonly [Tone, string, LucideIcon, number])[] = [
    ...causes.map(({ meaning, count }) => ['bad', meaning, CornerUpLeft, count] as const),
    [
      'bad',
      known > 0 ? 'Refused for another reason' : 'Bounced',
      CornerUpLeft,
      Math.max(0, campaign.bouncedCount - known),
    ],
    ['plum', 'Spam complaints', Flag, campaign.complainedCount],
    ['bad', 'Could not be sent', OctagonX, campaign.failedCount],
    ['mute', 'Suppressed or unsubscribed', Ban, campaign.skippedCount],
  ];
  const shown = rows.filter(([, , , value]) => value > 0);
  const lists = (
    [
      ['BOUNCED', 'Bounced emails', campaign.bouncedCount],
      ['COMPLAINED', 'Spam complaints', campaign.complainedCount],
      ['FAILED', 'Failed emails', campaign.failedCount],
    ] as const
  ).filter(([, , value]) => value > 0);
  return (
    <Box
      title="Not delivered"
      side={<span>{number(shown.reduce((sum, [, , , value]) => sum + value, 0))} in all</span>}
    >
      {shown.length === 0 ? (
        <p className={`${kit.boxBody} ${kit.quiet}`}>No results yet.</p>
      ) : (
        <ul className={css.lines}>
          {shown.map(([tone, text, icon, value], index) => (
            <li key={`${text} ${index}`}>
              <Status word={{ tone, text, icon }} />
              <span>{number(value)}</span>
            </li>
          ))}
        </ul>
      )}
      {lists.length > 0 ? (
        <p className={css.lists}>
          {lists.map(([status, text]) => (
            <Link key={status} to="/emails" search={{ campaign: campaign.id, status }}>
              {text}
            </Link>
          ))}
        </p>
      ) : null}
    </Box>
  );
}
