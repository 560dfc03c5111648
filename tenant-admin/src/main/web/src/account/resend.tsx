import { useState } from 'react';
import { accepted, send } from '../app/graphql';
import { ResendVerificationDocument } from '../gen/graphql';
import { Button, Note } from '../kit/basics';
import { explained, Rest } from '../kit/problems';

/** A button that has the link mailed again. */
export function ResendLink({ email }: { email: string }) {
  const [state, setState] = useState<'idle' | 'busy' | 'sent'>('idle');
  const [rest, setRest] = useState<string[]>([]);
  const act = async () => {
    setState('busy');
    setRest([]);
    try {
      await resend(email);
      setState('sent');
    } catch (error) {
      setRest(explained(error, []).rest);
      setState('idle');
    }
  };
  if (state === 'sent') return <Note tone="good">Another email is on its way.</Note>;
  return (
    <>
      <Rest of={rest} />
      <Button wide busy={state === 'busy'} onClick={() => void act()}>
        Send the email again
      </Button>
    </>
  );
}

/** Has the link for the address mailed again. */
export async function resend(email: string): Promise<void> {
  accepted((await send(ResendVerificationDocument, { input: { email } }, null)).resendVerification);
}
