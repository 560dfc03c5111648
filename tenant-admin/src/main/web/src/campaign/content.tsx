/** Content and audience of a campaign. */
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { ChevronLeft, ChevronRight } from 'lucide-react';
import { useState } from 'react';
import { previewUrl } from '../app/queries';
import { Box, Button, Facts, Id, Segments, Time } from '../kit/basics';
import kit from '../kit/kit.module.css';
import { Dialog } from '../kit/layers';
import { MailFrame } from '../kit/mail-frame';
import { Failed, Loading } from '../kit/page';
import { frameViews, type FrameView } from '../kit/views';
import { counted, number } from '../words/formats';
import css from './campaign.module.css';
import { describeFilter } from './filter';
import { firstRecipient, previewQuery, type CampaignView } from './queries';

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

type View = FrameView | 'text';

/** The email of a recipient, in a box or in a dialog. Another version is read again. */
export function Preview({
  id,
  version,
  sender,
  title,
  onClose,
}: {
  id: string;
  version: number;
  sender: string;
  title?: string;
  onClose?: () => void;
}) {
  const [of, setOf] = useState(firstRecipient);
  const [view, setView] = useState<View>('desktop');
  const preview = useQuery(previewQuery(id, version, of));
  const data = preview.data;
  const views =
    data?.html && data.text ? [...frameViews, { value: 'text' as const, text: 'Text' }] : frameViews;
  const choice = <Segments label="View" value={view} options={views} onChange={setView} />;
  const body = !data ? (
    preview.error ? (
      <Failed error={preview.error} retry={() => void preview.refetch()} />
    ) : (
      <Loading lines={6} />
    )
  ) : (
    <>
      <div className={css.letter}>
        <b>
          <bdi>{data.subject}</bdi>
        </b>
        <span>
          <bdi>{sender}</bdi> to{' '}
          <bdi>
            {data.email ?? (of.recipient === 'EMPTY' ? 'a contact without data' : 'a sample contact')}
          </bdi>
        </span>
        <span className={css.choose}>
          <Button
            small
            icon={ChevronLeft}
            onClick={() => setOf({ recipient: 'PREVIOUS', contactId: data.contactId })}
          >
            Previous recipient
          </Button>
          <Button
            small
            icon={ChevronRight}
            onClick={() => setOf({ recipient: 'NEXT', contactId: data.contactId })}
          >
            Next recipient
          </Button>
          <Button small onClick={() => setOf({ recipient: 'EMPTY' })}>
            Contact without data
          </Button>
        </span>
        {data.missing.length > 0 ? (
          <span className={kit.wrong}>
            No value and no fallback: {data.missing.map((name) => `{{${name}}}`).join(', ')}
          </span>
        ) : null}
      </div>
      {data.html === null || (view === 'text' && data.text !== null) ? (
        <pre className={css.text} tabIndex={0} aria-label="The text" role="region">
          {data.text}
        </pre>
      ) : (
        <div className={css.mail}>
          <MailFrame
            html={data.html}
            url={previewUrl}
            title="The email"
            view={view === 'text' ? 'desktop' : view}
          />
        </div>
      )}
      <p className={kit.quiet}>Links have no effect. Remote images are blocked.</p>
    </>
  );
  if (onClose)
    return (
      <Dialog title={title ?? 'Preview'} wide onClose={onClose}>
        {choice}
        {body}
      </Dialog>
    );
  return (
    <Box title="Preview" side={choice}>
      <div className={`${kit.boxBody} ${kit.grid}`}>{body}</div>
    </Box>
  );
}
