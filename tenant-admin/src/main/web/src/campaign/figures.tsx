/** The figures of a campaign: how far it is. */
import { useEffect, useState, type ReactNode } from 'react';
import { Announce } from '../kit/announce';
import { Box, Time } from '../kit/basics';
import { Key, type Fill } from '../kit/key';
import kit from '../kit/kit.module.css';
import { counted, duration, number, shareText } from '../words/formats';
import { expectedEnd } from '../words/speed';
import { delayedUntil } from '../words/warmup';
import css from './campaign.module.css';
import { share, through, waiting } from './progress';
import type { CampaignView } from './queries';

/** The state of a campaign in a sentence, with a bar of the results. */
export function Head({
  campaign,
  rate,
  said,
}: {
  campaign: CampaignView;
  rate: number | undefined;
  said: string;
}) {
  const total = Math.max(
    1,
    campaign.status === 'SENT' ? through(campaign) : Math.max(campaign.totalContacts, through(campaign)),
  );
  const parts: readonly (readonly [string, Fill, number])[] = [
    ['Delivered', 'good', campaign.deliveredCount],
    [
      'Sent, not confirmed',
      'info',
      Math.max(
        0,
        campaign.sentCount - campaign.deliveredCount - campaign.bouncedCount - campaign.complainedCount,
      ),
    ],
    ['Spam complaints', 'plum', campaign.complainedCount],
    ['Bounced', 'bad', campaign.bouncedCount],
    ['Failed', 'warn', campaign.failedCount],
    ['Skipped', 'mute', campaign.skippedCount],
  ];
  const shown = parts.filter(([, fill, value]) => value > 0 || fill === 'good' || fill === 'bad');
  return (
    <Box label="Progress">
      <div className={css.big}>
        <p className={css.row}>
          <Sentence campaign={campaign} rate={rate} />
        </p>
        {campaign.startedAt ? (
          <Announce
            text={`Now ${number(through(campaign))} of ${number(campaign.totalContacts)} processed, ${number(campaign.bouncedCount + campaign.failedCount)} did not arrive`}
          />
        ) : null}
        {campaign.startedAt ? (
          <>
            <div className={css.wide} aria-hidden="true">
              {parts.map(([name, fill, value]) =>
                value > 0 && fill !== 'mute' ? (
                  <i key={name} data-fill={fill} style={{ width: `${(value / total) * 100}%` }} />
                ) : null,
              )}
            </div>
            <div className={css.legend}>
              {shown.map(([name, fill, value]) => (
                <Key key={name} fill={fill}>
                  {name} <b>{number(value)}</b>
                </Key>
              ))}
              {campaign.status === 'SENT' ? null : (
                <Key fill="rest">
                  Waiting <b>{number(waiting(campaign))}</b>
                </Key>
              )}
              <p role="status">
                {said
                  || (campaign.status === 'RUNNING'
                    ? 'Emails already in transit will still be delivered.'
                    : '')}
              </p>
            </div>
          </>
        ) : said ? (
          <p role="status" className={kit.quiet}>
            {said}
          </p>
        ) : null}
      </div>
    </Box>
  );
}

function Sentence({ campaign, rate }: { campaign: CampaignView; rate: number | undefined }): ReactNode {
  const people = `${number(through(campaign))} of ${number(campaign.totalContacts)} processed.`;
  const done = <b>{shareText(share(campaign))}</b>;
  switch (campaign.status) {
    case 'DRAFT':
      return campaign.startedAt ? (
        <>
          {done}
          <span>{people} It waits to be started again.</span>
        </>
      ) : (
        <span>
          <strong>This campaign is a draft.</strong> It is not sent before you start it. Its book has{' '}
          {counted(campaign.totalContacts, 'contact')}.
        </span>
      );
    case 'SCHEDULED':
      return (
        <span>
          <strong>
            It starts at {campaign.sendAt ? <Time at={campaign.sendAt} /> : 'its time'}
            {campaign.sendAt ? <Until at={campaign.sendAt} /> : null}.
          </strong>{' '}
          The contacts that are subscribed then get it.
        </span>
      );
    case 'RUNNING':
      return (
        <>
          {done}
          <span>
            {people}
            <End campaign={campaign} rate={rate} />
          </span>
        </>
      );
    case 'PAUSED':
      return campaign.startedAt ? (
        <>
          {done}
          <span>
            {people} <strong>{counted(waiting(campaign), 'person waits', 'people wait')}</strong> until you
            resume it.
          </span>
        </>
      ) : (
        <span>
          <strong>It did not start.</strong> Resume it to send it now.
        </span>
      );
    case 'SENT':
      return (
        <>
          <b>
            {shareText(campaign.sentCount > 0 ? (campaign.deliveredCount / campaign.sentCount) * 100 : 0)}
          </b>
          <span>
            of {counted(campaign.sentCount, 'email')} were delivered. The last one left at{' '}
            <Time at={campaign.updatedAt} />
            {took(campaign)}.
          </span>
        </>
      );
  }
}

/** The expected end of a campaign that runs; nothing while it is unknown. */
function End({ campaign, rate }: { campaign: CampaignView; rate: number | undefined }) {
  const day = delayedUntil(waiting(campaign), campaign.warmup);
  if (day !== null)
    return (
      <>
        {' '}
        With the warm-up of its domain it is done on about <strong>{day}</strong>, unless other campaigns
        share it.
      </>
    );
  const end = expectedEnd(waiting(campaign), rate, campaign.pace);
  if (end === null) return null;
  const by =
    rate === undefined
      ? 'At its pace'
      : rate < 1
        ? 'At the present speed'
        : `At ${number(Math.round(rate))} a second`;
  return (
    <>
      {' '}
      {by} the estimated finish is <strong>{end}</strong>.
    </>
  );
}

function took({ startedAt, updatedAt }: CampaignView): string {
  return startedAt
    ? `, after ${duration(new Date(updatedAt).getTime() - new Date(startedAt).getTime())}`
    : '';
}

function Until({ at }: { at: string }) {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 5000);
    return () => clearInterval(timer);
  }, []);
  const left = new Date(at).getTime() - now;
  return left > 0 ? <>, in {duration(left)}</> : null;
}
