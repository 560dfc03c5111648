import { useQuery } from '@tanstack/react-query';
import { Download } from 'lucide-react';
import { useState, type ReactNode } from 'react';
import { apiUrl } from '../app/config';
import { useRecent } from '../app/open';
import { watched } from '../app/watch';
import { Button, Code, Facts, Id, Note, Status, Time } from '../kit/basics';
import kit from '../kit/kit.module.css';
import { Failed, Loading } from '../kit/page';
import { explained, Rest } from '../kit/problems';
import { DrawerFrame } from '../kit/split';
import { Table } from '../kit/table';
import { Tabs } from '../kit/tabs';
import { number, size } from '../words/formats';
import css from './inbound.module.css';
import { download, headersQuery, mailQuery, previewQuery, type InboundMail } from './queries';
import { verdicts, warning, worst } from './verdicts';

const tabs = ['message', 'text', 'headers', 'files'] as const;
export type Tab = (typeof tabs)[number];

/** Length to which the server cuts a text. */
const MAX_SHOWN = 1_048_576;

const names: Record<Tab, string> = { message: 'Message', text: 'Text', headers: 'Headers', files: 'Files' };

/** A received mail beside the list. */
export function Drawer({
  id,
  tab: given,
  onTab,
  onClose,
  previous,
  next,
}: {
  id: string;
  tab: string | undefined;
  onTab: (tab: Tab) => void;
  onClose: () => void;
  previous: (() => void) | undefined;
  next: (() => void) | undefined;
}) {
  const query = useQuery(mailQuery(id));
  const mail = query.data;
  const tab = tabs.find((name) => name === given) ?? 'message';
  useRecent(
    mail ? `${mail.email.subject || 'No subject'}, from ${mail.email.fromEmail}` : undefined,
    `/inbound?open=${id}`,
  );
  return (
    <DrawerFrame
      id={id}
      onClose={onClose}
      previous={previous}
      next={next}
      noun="mail"
      status={mail ? <Status chip word={worst(mail.email)} /> : null}
      title={mail ? mail.email.subject || 'No subject' : null}
      facts={mail ? <MailFacts mail={mail} /> : null}
      acts={mail && !watched() ? <Save id={id} text="Save as .eml" /> : null}
    >
      {query.error && !mail ? (
        <Failed error={query.error} retry={() => void query.refetch()} />
      ) : mail ? (
        <>
          {warning(mail.email) ? (
            <div className={css.warning}>
              <Note tone="bad">{warning(mail.email)}</Note>
            </div>
          ) : null}
          <Tabs
            label="Views of the email"
            names={names}
            counts={{ files: mail.files.length }}
            tab={tab}
            onTab={onTab}
            panelClass={css.panel}
            stop
          >
            {panel(tab, id, mail)}
          </Tabs>
        </>
      ) : (
        <Loading lines={6} />
      )}
    </DrawerFrame>
  );
}

/** A button that saves the message, or one of its files. */
function Save({
  id,
  position = null,
  label,
  text,
}: {
  id: string;
  position?: number | null;
  label?: string;
  text: string;
}) {
  const [busy, setBusy] = useState(false);
  const [rest, setRest] = useState<readonly string[]>([]);
  const act = () => {
    setBusy(true);
    setRest([]);
    download(id, position)
      .catch((error: unknown) => setRest(explained(error, []).rest))
      .finally(() => setBusy(false));
  };
  return (
    <>
      <Button small icon={Download} aria-label={label} busy={busy} onClick={act}>
        {text}
      </Button>
      <Rest of={rest} />
    </>
  );
}

function MailFacts({ mail: { email, recipients } }: { mail: InboundMail }) {
  return (
    <Facts
      items={[
        [
          'From',
          <bdi key="from">{email.fromName ? `${email.fromName} <${email.fromEmail}>` : email.fromEmail}</bdi>,
        ],
        ['To', <bdi key="to">{email.toEmails.join(', ') || 'none'}</bdi>],
        email.ccEmails.length > 0 && ['Cc', <bdi key="cc">{email.ccEmails.join(', ')}</bdi>],
        recipients.join() !== email.toEmails.join() && [
          'Received for',
          <bdi key="for">{recipients.join(', ')}</bdi>,
        ],
        ['Received', <Time key="at" at={email.createdAt} />],
        [
          'Checks',
          <span key="checks" className={css.checks}>
            {verdicts(email).map(([name, word]) => (
              <span key={name}>
                <span className={kit.quiet}>{name}</span> <Status word={word} />
              </span>
            ))}
          </span>,
        ],
        ['Id', <Id key="id" id={email.id} />],
      ]}
    />
  );
}

function panel(tab: Tab, id: string, mail: InboundMail): ReactNode {
  switch (tab) {
    case 'message':
      return <Message id={id} mail={mail} />;
    case 'text':
      return <Text mail={mail} />;
    case 'headers':
      return <Headers id={id} />;
    case 'files':
      return <Files id={id} mail={mail} />;
  }
}

function Text({ mail }: { mail: InboundMail }) {
  if (mail.text === null) return <p className={kit.quiet}>The email has no text part.</p>;
  return (
    <>
      {mail.truncated ? (
        <div className={css.cut}>
          <Note tone="info">
            The text is longer than {number(MAX_SHOWN)} characters: only its beginning is shown. A program can
            read the whole email.
          </Note>
        </div>
      ) : null}
      <Code label="the text" text={mail.text} wrap />
    </>
  );
}

function Message({ id, mail }: { id: string; mail: InboundMail }) {
  const preview = useQuery(previewQuery(id));
  if (preview.error && preview.data === undefined)
    return <Failed error={preview.error} retry={() => void preview.refetch()} />;
  if (preview.data === undefined) return <Loading lines={6} />;
  if (preview.data === null)
    return mail.text === null ? (
      <p className={kit.quiet}>The email has no content besides its files.</p>
    ) : (
      <Text mail={mail} />
    );
  return (
    <div className={kit.grid}>
      <iframe key={preview.data} className={css.mail} title="The email" sandbox="" src={preview.data} />
      <p className={kit.quiet}>Remote images are blocked, and nothing in the email can run.</p>
    </div>
  );
}

function Headers({ id }: { id: string }) {
  const headers = useQuery(headersQuery(id));
  if (headers.error && !headers.data)
    return <Failed error={headers.error} retry={() => void headers.refetch()} />;
  if (!headers.data) return <Loading lines={6} />;
  return (
    <Code
      label="the headers"
      text={headers.data.map(({ name, value }) => `${name}: ${value}`).join('\n')}
      wrap
    />
  );
}

type Attached = InboundMail['files'][number];

function Files({ id, mail }: { id: string; mail: InboundMail }) {
  if (mail.files.length === 0) return <p className={kit.quiet}>The email has no files.</p>;
  return (
    <div className={kit.grid}>
      <Table
        label="Files"
        rows={mail.files}
        id={(file) => String(file.position)}
        columns={[
          {
            head: 'Name',
            grow: true,
            narrow: 1,
            cell: (file) => <bdi>{file.filename || 'without a name'}</bdi>,
          },
          {
            head: 'Type',
            upTo: true,
            narrow: 3,
            cell: (file) => <span className={kit.quiet}>{file.contentType}</span>,
          },
          { head: 'Size', right: true, narrow: 4, cell: (file) => size(file.size) },
          ...(watched()
            ? []
            : [
                {
                  head: 'Act',
                  right: true,
                  narrow: 2 as const,
                  cell: (file: Attached) => (
                    <Save
                      id={id}
                      position={file.position}
                      label={`Save ${file.filename || 'the file'}`}
                      text="Save"
                    />
                  ),
                },
              ]),
        ]}
      />
      <p className={kit.quiet}>A program reads the content of a file with a key. The files count from 0:</p>
      <Code
        label="the command"
        text={`curl ${apiUrl()}/api/inbound/${id}/attachments/${mail.files[0]!.position} \\\n  -H "Authorization: Bearer $MAILROOM_API_KEY" -o file`}
      />
    </div>
  );
}
