/** The text, the headers and the source of an email, as far as they are stored. */
import { useQuery } from '@tanstack/react-query';
import { Download } from 'lucide-react';
import { useState } from 'react';
import { watched } from '../app/watch';
import { Button, Code } from '../kit/basics';
import { saveAs } from '../kit/csv';
import kit from '../kit/kit.module.css';
import { Failed, Loading } from '../kit/page';
import { counted } from '../words/formats';
import { Cut } from './detail';
import { contentQuery, type EmailDetail } from './queries';
import ReadingReason from './reason';
import { headers, source, textOf } from './source';

export default function Content({ email, part }: { email: EmailDetail; part: 'text' | 'headers' }) {
  const content = useQuery(contentQuery(email.id));
  const [raw, setRaw] = useState(false);
  if (content.data === undefined && watched()) return <ReadingReason id={email.id} />;
  if (content.error) return <Failed error={content.error} retry={() => void content.refetch()} />;
  if (content.isPending) return <Loading />;
  const stored = content.data;
  if (part === 'headers')
    return (
      <div className={kit.grid}>
        {stored ? (
          <div className={kit.acts}>
            <Button small aria-pressed={raw} onClick={() => setRaw(!raw)}>
              Source
            </Button>
            <Button
              small
              icon={Download}
              onClick={() => saveAs(`${email.id}.eml`, source(email, stored), 'message/rfc822')}
            >
              Download .eml
            </Button>
          </div>
        ) : null}
        {stored?.truncated ? <Cut /> : null}
        <Code
          label={raw ? 'the source' : 'the headers'}
          text={stored && raw ? source(email, stored) : headers(email, stored?.headers)}
          wrap
        />
        <p className={kit.quiet}>
          {stored ? '' : 'The content is no longer stored: custom headers are not shown. '}
          DKIM signatures and the fields for unsubscription and tracking are added for each recipient when the
          email is sent.
          {stored && stored.attachmentCount > 0
            ? ` The source is without ${counted(stored.attachmentCount, 'attachment')}.`
            : ''}
        </p>
      </div>
    );
  if (!stored) return <p className={kit.quiet}>The content is no longer stored.</p>;
  return (
    <>
      {stored.truncated ? <Cut /> : null}
      {stored.text === null && stored.html !== null ? (
        <p className={kit.quiet}>No text part was sent. This is the text of the HTML.</p>
      ) : null}
      <Code label="the text" text={stored.text ?? textOf(stored.html ?? '')} wrap />
    </>
  );
}
