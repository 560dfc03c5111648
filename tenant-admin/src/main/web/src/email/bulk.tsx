/** Changes of the selected emails: cancel, send again, suppress the recipients. */
import { useQueryClient } from '@tanstack/react-query';
import { Ban, Download, Send, X } from 'lucide-react';
import { useRef, useState } from 'react';
import { Button, Note } from '../kit/basics';
import { save } from '../kit/csv';
import kit from '../kit/kit.module.css';
import { Confirm, Dialog } from '../kit/layers';
import type { Selection } from '../kit/selection';
import { SelectionBar } from '../kit/selection-bar';
import { counted, number } from '../words/formats';
import { emailsCsv } from './csv';
import type { EmailRow } from './queries';
import { cancelSeveral, sendSeveralAgain, suppressRecipients, type Several } from './several';

type Act = 'cancel' | 'again' | 'suppress';

/** The bar of the selected emails, with the acts on them. */
export default function Selected({
  ticks,
  rows,
  shown,
}: {
  ticks: Selection;
  rows: readonly EmailRow[];
  /** Number of rows of the page. */
  shown: number;
}) {
  const [act, setAct] = useState<Act>();
  return (
    <>
      <SelectionBar ticks={ticks} shown={shown} more={false} count={() => Promise.resolve(0)}>
        {rows.some((row) => row.lastEvent === 'scheduled') ? (
          <Button small icon={X} needs="SEND" onClick={() => setAct('cancel')}>
            Cancel scheduled
          </Button>
        ) : null}
        <Button small icon={Send} needs="SEND" onClick={() => setAct('again')}>
          Send again
        </Button>
        <Button small icon={Ban} needs="SUPPRESSIONS" onClick={() => setAct('suppress')}>
          Suppress recipients
        </Button>
        <Button small icon={Download} onClick={() => save('emails', emailsCsv(rows))}>
          Export
        </Button>
      </SelectionBar>
      {act ? <Bulk act={act} rows={rows} onClose={() => setAct(undefined)} onDone={ticks.clear} /> : null}
    </>
  );
}

interface Props {
  readonly act: Act;
  readonly rows: readonly EmailRow[];
  readonly onClose: () => void;
  readonly onDone: () => void;
}

function Bulk({ act, rows, onClose, onDone }: Props) {
  const client = useQueryClient();
  const [progress, setProgress] = useState(0);
  const [result, setResult] = useState<{ verb: string; several: Several }>();
  const [key] = useState(() => crypto.randomUUID());
  const scheduled = rows.filter((row) => row.lastEvent === 'scheduled').length;
  const addresses = [...new Set(rows.flatMap((row) => row.toEmails.map(address)))];
  // The question closes after its act, unless a result is shown in its place.
  const told = useRef(false);
  const closed = () => {
    if (!told.current) onClose();
  };
  const tell = (verb: string, several: Several) => {
    told.current = several.skipped.size > 0;
    if (told.current) setResult({ verb, several });
    else onDone();
  };
  const shown =
    progress > 0 ? (
      <p role="status">
        {number(progress)} of {number(rows.length)} done
      </p>
    ) : null;
  if (result)
    return (
      <Dialog title={`${counted(result.several.done, 'email')} ${result.verb}`} onClose={onDone}>
        <Note tone="warn">
          {[...result.several.skipped]
            .map(([reason, count]) => `${number(count)} left out: ${reason}`)
            .join('. ')}
          .
        </Note>
        <div className={kit.dialogActs}>
          <Button kind="main" onClick={onDone}>
            Done
          </Button>
        </div>
      </Dialog>
    );
  if (act === 'cancel')
    return (
      <Confirm
        title={`Cancel ${counted(scheduled, 'scheduled email')}?`}
        verb={`Cancel ${number(scheduled)}`}
        onClose={closed}
        act={async () => tell('cancelled', await cancelSeveral(client, rows, setProgress))}
      >
        <p>
          They are not sent. It cannot be taken back.
          {scheduled < rows.length
            ? ` ${number(rows.length - scheduled)} of the selected are not scheduled.`
            : ''}
        </p>
        {shown}
      </Confirm>
    );
  if (act === 'again')
    return (
      <Confirm
        title={`Send ${counted(rows.length, 'email')} again?`}
        verb={`Send ${number(rows.length)}`}
        keep="Cancel"
        mild
        onClose={closed}
        act={async () => tell('sent again', await sendSeveralAgain(client, rows, key, setProgress))}
      >
        <p>
          Each is sent at once as a new email with the same content and recipients, and counts against the
          quota. Emails of campaigns, with attachments or without stored content are left out.
        </p>
        {shown}
      </Confirm>
    );
  return (
    <Confirm
      title={`Suppress ${counted(addresses.length, 'recipient')}?`}
      verb={`Suppress ${number(addresses.length)}`}
      keep="Cancel"
      onClose={onClose}
      act={async () => {
        await suppressRecipients(client, addresses);
        onDone();
      }}
    >
      <p>No email of your account is sent to them any more, until they are removed from Suppressions.</p>
    </Confirm>
  );
}

/** The address alone of a recipient. */
function address(recipient: string): string {
  return /<([^<>]+)>\s*$/.exec(recipient)?.[1] ?? recipient;
}
