/** Content and audience of a campaign. */
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState, type ReactNode } from 'react';
import { Box, Facts, Id, Segments, Time } from '../kit/basics';
import kit from '../kit/kit.module.css';
import { Dialog } from '../kit/layers';
import { Failed, Loading } from '../kit/page';
import { frameViews, type FrameView } from '../kit/views';
import { counted, number } from '../words/formats';
import css from './campaign.module.css';
import { describeFilter } from './filter';
import { previewQuery, type CampaignView } from './queries';

export function Content({
  campaign,
  onPreview,
}: {
  campaign: CampaignView;
  onPreview: (() => void) | undefined;
}) {
  return (
    <Box
      title="Content"
      side={
        onPreview ? (
          <button type="button" className={kit.linkish} onClick={onPreview}>
            Preview
          </button>
        ) : undefined
      }
    >
      <div className={kit.boxBody}>
        <Facts
          items={[
            ['Subject', <bdi key="subject">{campaign.subject}</bdi>],
            ['From', <bdi key="from">{campaign.sender}</bdi>],
            campaign.replyTo.length > 0 && ['Reply to', <bdi key="reply">{campaign.replyTo.join(', ')}</bdi>],
            [
              'To',
              <span key="to">
                <Link to="/contacts/$id" params={{ id: campaign.contactBookId }}>
                  <bdi>{campaign.contactBookName}</bdi>
                </Link>
                ,{' '}
                {campaign.startedAt
                  ? `${number(campaign.totalContacts)} subscribed at the start`
                  : counted(campaign.totalContacts, 'contact')}
              </span>,
            ],
            Object.keys((campaign.filter ?? {}) as object).length > 0 && [
              'Only',
              describeFilter(campaign.filter),
            ],
            campaign.templateId
              ? [
                  'Content',
                  <span key="template">
                    <Link to="/templates/$id" params={{ id: campaign.templateId }}>
                      From a template
                    </Link>
                    {campaign.startedAt ? (
                      <>
                        , fixed at <Time at={campaign.startedAt} />
                      </>
                    ) : (
                      ''
                    )}
                  </span>,
                ]
              : null,
            campaign.pace ? ['Pace', `at most ${number(campaign.pace)} a minute`] : null,
            campaign.startedAt
              ? ['Started', <Time key="started" at={campaign.startedAt} />]
              : ['Created', <Time key="created" at={campaign.createdAt} />],
            ['Id', <Id key="id" id={campaign.id} short />],
          ]}
        />
      </div>
    </Box>
  );
}

/** The HTML in a sandbox, in a box or in a dialog. Another version is read again. */
export function Preview({
  id,
  version,
  title,
  onClose,
  children,
}: {
  id: string;
  version: number;
  title?: string;
  onClose?: () => void;
  children?: ReactNode;
}) {
  const preview = useQuery(previewQuery(id, version));
  const [view, setView] = useState<FrameView>('desktop');
  const choice = <Segments label="View" value={view} options={frameViews} onChange={setView} />;
  const frame =
    preview.error && !preview.data ? (
      <Failed error={preview.error} retry={() => void preview.refetch()} />
    ) : preview.data ? (
      <iframe
        key={preview.data}
        className={css.mail}
        data-width={view}
        title="The email"
        sandbox=""
        src={preview.data}
      />
    ) : (
      <Loading lines={6} />
    );
  const hint = <p className={kit.quiet}>For a sample contact. Remote images are blocked.</p>;
  if (onClose)
    return (
      <Dialog title={title ?? 'Preview'} wide onClose={onClose}>
        {choice}
        {frame}
        {hint}
      </Dialog>
    );
  return (
    <Box title="Preview" side={choice}>
      <div className={`${kit.boxBody} ${kit.grid}`}>
        {children}
        {frame}
        {hint}
      </div>
    </Box>
  );
}
