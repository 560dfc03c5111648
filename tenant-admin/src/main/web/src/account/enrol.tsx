import { useNavigate } from '@tanstack/react-router';
import { lazy, Suspense } from 'react';
import { session } from '../app/session';
import { Button } from '../kit/basics';
import { Loading } from '../kit/page';
import { Frame, Text } from './frame';

const Setup = lazy(() =>
  import('./second-factor-setup').then((module) => ({ default: module.SecondFactorSetup })),
);

/** The only page of an operator whose required second factor is missing. */
export function EnrolPage() {
  const navigate = useNavigate();
  const done = async () => {
    const token = await session.token();
    if (token !== null) await session.renewed(token);
    await navigate({ to: '/' });
  };
  return (
    <Frame
      title="Set up a second factor"
      foot={
        <Button
          kind="bare"
          onClick={() => void session.signOut().then(() => navigate({ to: '/login', search: {} }))}
        >
          Sign out
        </Button>
      }
    >
      <Text>
        <p>Operators of this platform need a second factor. Set it up to continue.</p>
      </Text>
      <Suspense fallback={<Loading lines={4} />}>
        <Setup onDone={() => void done()} />
      </Suspense>
    </Frame>
  );
}
