import { useQuery, useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Button } from '../kit/basics';
import { CheckItem, Checklist, FindingItems, ofLevel } from '../kit/findings';
import kit from '../kit/kit.module.css';
import { Confirm, Dialog } from '../kit/layers';
import { counted } from '../words/formats';
import {
  audienceQuery,
  checksQuery,
  firstRecipient,
  previewQuery,
  startCampaign,
  UNDO_SECONDS,
  unscheduleCampaign,
} from './queries';

/** Asks before a campaign is sent. The start can be taken back for some seconds. */
export function Start({
  id,
  version,
  audience,
  scheduled,
  onClose,
  onStarted,
  children,
}: {
  id: string;
  version: number;
  audience: { readonly book: string; readonly filter: unknown };
  scheduled: boolean;
  onClose: () => void;
  onStarted: () => Promise<void>;
  children?: ReactNode;
}) {
  const client = useQueryClient();
  const reached = useQuery(audienceQuery(audience.book, audience.filter)).data;
  const preview = useQuery(previewQuery(id, version, firstRecipient)).data;
  const mails = reached ? reached.recipients - reached.suppressed : 0;
  const { data: checks, isPending } = useQuery(checksQuery(id, version));
  const errors = ofLevel(checks, 'ERROR');
  const warnings = ofLevel(checks, 'WARNING');
  if (isPending) return null;
  if (errors.length > 0)
    return (
      <Dialog title={`Fix ${counted(errors.length, 'error')} first`} onClose={onClose}>
        <div className={kit.dialogText}>
          <p>The campaign is not sent with {errors.length === 1 ? 'this error' : 'these errors'}.</p>
          <Checklist>
            <FindingItems findings={errors} />
          </Checklist>
        </div>
        <div className={kit.dialogActs}>
          <Button kind="main" onClick={onClose}>
            Back to the content
          </Button>
        </div>
      </Dialog>
    );
  const verb =
    mails > 0 ? `Send to ${reached?.estimated ? 'about ' : ''}${counted(mails, 'person', 'people')}` : 'Send';
  return (
    <Confirm
      title={mails > 0 ? `${verb}?` : 'Send the campaign?'}
      verb={verb}
      keep="Not yet"
      mild
      onClose={onClose}
      act={async () => {
        if (scheduled) await unscheduleCampaign(client, id);
        await startCampaign(client, id);
        await onStarted();
      }}
    >
      {preview ? (
        <p>
          <strong>
            <bdi>{preview.subject}</bdi>
          </strong>{' '}
          {preview.email ? (
            <span className={kit.quiet}>
              as <bdi>{preview.email}</bdi> reads it
            </span>
          ) : null}
        </p>
      ) : null}
      {children}
      {checks ? (
        <Checklist>
          {warnings.length > 0 ? (
            <FindingItems findings={warnings} />
          ) : (
            <CheckItem level="PASSED" noun="Checks">
              all passed.
            </CheckItem>
          )}
        </Checklist>
      ) : null}
      <p>You can take it back for {UNDO_SECONDS} seconds, and pause it later.</p>
    </Confirm>
  );
}
