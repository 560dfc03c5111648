import { useQueryClient } from '@tanstack/react-query';
import { Send } from 'lucide-react';
import { useState } from 'react';
import { apiUrl } from '../app/config';
import { Button, Code, Segments } from '../kit/basics';
import kit from '../kit/kit.module.css';
import { sendFirst } from './queries';
import { explained, Rest } from '../kit/problems';
import { programs, type Language } from './programs';

const languages: readonly { value: Language; text: string }[] = [
  { value: 'curl', text: 'curl' },
  { value: 'node', text: 'Node' },
  { value: 'java', text: 'Java' },
  { value: 'python', text: 'Python' },
];

/** Programs that send a mail with the key, and a button that sends one from here. */
export function SendStep({
  domain,
  to,
  onSending,
}: {
  domain: string;
  to: string;
  onSending: (sending: boolean) => void;
}) {
  const client = useQueryClient();
  const [language, setLanguage] = useState<Language>('curl');
  const [busy, setBusy] = useState(false);
  const [rest, setRest] = useState<string[]>([]);
  const from = `hello@${domain}`;
  const act = async () => {
    setBusy(true);
    setRest([]);
    try {
      await sendFirst(client, from, to);
      onSending(true);
    } catch (error) {
      setRest(explained(error, []).rest);
      setBusy(false);
    }
  };
  return (
    <>
      <p>
        Run one of these with your key in <code className={kit.mono}>MAILROOM_API_KEY</code>, or send the
        email from here. It goes to {to}.
      </p>
      <div>
        <Segments label="Language" value={language} options={languages} onChange={setLanguage} />
      </div>
      <Code label="the program" wrap text={programs[language]({ url: `${apiUrl()}/api/emails`, from, to })} />
      <Rest of={rest} />
      <div className={kit.acts}>
        <Button kind="main" icon={Send} busy={busy} onClick={() => void act()}>
          Send test email
        </Button>
      </div>
    </>
  );
}
