import { useQuery } from '@tanstack/react-query';
import { Pause } from 'lucide-react';
import { lazy, Suspense, useState, type ReactNode } from 'react';
import { useActs } from '../app/open';
import { Box, Button } from '../kit/basics';
import kit from '../kit/kit.module.css';
import { Empty, Failed, Live, Loading, Page } from '../kit/page';
import { counted } from '../words/formats';
import css from './operator.module.css';
import { destinationsQuery, type Destination } from './queries';
import { TrafficChart } from './traffic-chart';

const Destinations = lazy(() =>
  import('./destinations-table').then((module) => ({ default: module.Destinations })),
);
const dialogs = () => import('./stop-dialogs');
const HoldDestination = lazy(() => dialogs().then((module) => ({ default: module.HoldDestination })));
const ReleaseDestination = lazy(() => dialogs().then((module) => ({ default: module.ReleaseDestination })));

export function DestinationsPage() {
  const list = useQuery(destinationsQuery);
  const rows = list.data;
  const [idle, setIdle] = useState(false);
  const [holding, setHolding] = useState<string>();
  const [releasing, setReleasing] = useState<Destination>();
  useActs([{ text: 'Hold a destination', act: () => setHolding('') }]);
  return (
    <Page
      title="Destinations"
      after={<Live since={list.isRefetchError ? new Date(list.dataUpdatedAt) : null} />}
      acts={
        <Button icon={Pause} onClick={() => setHolding('')}>
          Hold a destination
        </Button>
      }
    >
      <div className={`${kit.grid} ${css.dense}`}>
        {list.error && !rows ? null : <p className={kit.say}>{rows ? sentence(rows) : '\u00a0'}</p>}
        <Box label="Destinations">
          {list.error && !rows ? (
            <Failed error={list.error} retry={() => void list.refetch()} />
          ) : rows?.length === 0 ? (
            <Empty title="None">
              <p>
                No mail was handed over in the last ten minutes, and no recipient domain puts mail off. Those
                that are contacted are listed here with their circuits.
              </p>
            </Empty>
          ) : (
            <Suspense fallback={<Loading lines={6} />}>
              <Destinations
                rows={rows}
                acts={{ hold: (row) => setHolding(row.domain), release: setReleasing }}
                idle={idle}
                onIdle={setIdle}
              />
            </Suspense>
          )}
        </Box>
        <TrafficChart />
      </div>
      <Suspense fallback={null}>
        {holding === undefined ? null : (
          <HoldDestination destination={holding} onClose={() => setHolding(undefined)} />
        )}
        {releasing ? <ReleaseDestination row={releasing} onClose={() => setReleasing(undefined)} /> : null}
      </Suspense>
    </Page>
  );
}

/** Destinations that need the operator: held ones, closed ones, and those that defer mail. */
function sentence(rows: readonly Destination[]): ReactNode {
  const held = rows.filter((row) => row.held !== null);
  const open = rows.filter((row) => row.circuit === 'OPEN' && row.held === null);
  const deferring = rows.filter((row) => row.deferred > 0);
  const worst = deferring.toSorted((one, other) => other.deferred - one.deferred)[0];
  const head =
    open.length > 0
      ? `${counted(open.length, 'destination')} ${open.length === 1 ? 'is' : 'are'} not contacted for a while.`
      : worst
        ? `${rows.length === 100 && deferring.length === 100 ? 'At least 100 destinations defer' : deferring.length === 1 ? '1 destination defers' : `${deferring.length} destinations defer`} mail.`
        : 'No destination defers mail.';
  return (
    <>
      <strong>{head}</strong>
      {worst ? (
        <>
          {' '}
          Most of the deferred mail is for <bdi>{worst.domain}</bdi>: {counted(worst.deferred, 'email')},
          tried {worst.attempts === 1 ? 'once' : `up to ${counted(worst.attempts, 'time')}`}.
        </>
      ) : null}
      {held.length > 0
        ? ` ${counted(held.length, 'destination')} ${held.length === 1 ? 'is' : 'are'} held.`
        : null}
    </>
  );
}
