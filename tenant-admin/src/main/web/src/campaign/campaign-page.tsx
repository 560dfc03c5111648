import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate, useParams } from '@tanstack/react-router';
import { CalendarClock, Copy, Ellipsis, Pause, PencilLine, Play, Send, Trash2, Undo2 } from 'lucide-react';
import { lazy, Suspense, useRef, useState } from 'react';
import { useActs, useRecent } from '../app/open';
import { useStream } from '../app/stream';
import { CampaignProgressDocument } from '../gen/graphql';
import { Box, Button, buttonClass, ICON, Note, Status, Time } from '../kit/basics';
import { Diagnosis } from '../kit/diagnosis';
import kit from '../kit/kit.module.css';
import { Confirm, MenuButton, type MenuEntry } from '../kit/layers';
import { Failed, Live, Loading, Page } from '../kit/page';
import { explained, Rest } from '../kit/problems';
import { May } from '../kit/rights';
import { counted, number } from '../words/formats';
import { sampled, speed, type Sample } from '../words/speed';
import { campaignWord } from '../words/status';
import { isUsedUp, usedText } from '../words/warmup';
import css from './campaign.module.css';
import { Head } from './figures';
import { through, waiting } from './progress';
import {
  campaignQuery,
  deleteCampaign,
  duplicateCampaign,
  pauseCampaign,
  resumeCampaign,
  unscheduleCampaign,
  type CampaignView,
} from './queries';

const Content = lazy(() => import('./content').then((module) => ({ default: module.Content })));
const Preview = lazy(() => import('./content').then((module) => ({ default: module.Preview })));
const Over = lazy(() => import('./over-time').then((module) => ({ default: module.Over })));
const Reached = lazy(() => import('./results').then((module) => ({ default: module.Reached })));
const Lost = lazy(() => import('./results').then((module) => ({ default: module.Lost })));
const SendTest = lazy(() => import('./send-test'));
const Start = lazy(() => import('./start').then((module) => ({ default: module.Start })));
const Reschedule = lazy(() => import('./reschedule'));

/** Interval in which the results of a campaign that was sent are read again. */
const SENT_INTERVAL_MS = 15_000;

/** Time before its start in which a campaign can be taken back with one click. */
const SOON_MS = 60_000;

type Asking = 'delete' | 'test' | 'move' | 'preview' | 'start';

export function CampaignPage() {
  const { id } = useParams({ from: '/shell/campaigns/$id' });
  const client = useQueryClient();
  const query = useQuery({
    ...campaignQuery(id),
    refetchInterval: ({ state }) => (state.data?.status === 'SENT' ? SENT_INTERVAL_MS : false),
  });
  const [samples, setSamples] = useState<readonly Sample[]>([]);
  const live = query.data !== undefined && query.data.status !== 'SENT';
  const since = useStream(CampaignProgressDocument, live ? { id } : null, ({ campaignProgress }) => {
    const before = client.getQueryData(campaignQuery(id).queryKey);
    client.setQueryData(campaignQuery(id).queryKey, campaignProgress);
    setSamples((old) =>
      campaignProgress.status === 'RUNNING'
        ? sampled(old, { at: Date.now(), through: through(campaignProgress) })
        : [],
    );
    if (before && before.status !== campaignProgress.status) {
      void client.invalidateQueries({ queryKey: ['campaign', 'list'] });
      void client.invalidateQueries({ queryKey: ['account'] });
    }
  });
  useRecent(query.data?.name, `/campaigns/${id}`);
  const up = { to: '/campaigns', text: 'Campaigns' };
  if (!query.data) {
    return (
      <Page title="Campaign" up={up}>
        <Box>
          {query.error ? (
            <Failed error={query.error} retry={() => void query.refetch()} />
          ) : (
            <Loading lines={6} />
          )}
        </Box>
      </Page>
    );
  }
  return <Shown key={id} campaign={query.data} since={since} live={live} rate={speed(samples)} up={up} />;
}

function Shown({
  campaign,
  since,
  live,
  rate,
  up,
}: {
  campaign: CampaignView;
  since: Date | null;
  live: boolean;
  rate: number | undefined;
  up: { to: string; text: string };
}) {
  const { id, status, name } = campaign;
  const client = useQueryClient();
  const navigate = useNavigate();
  const [asking, setAsking] = useState<Asking>();
  const [busy, setBusy] = useState(false);
  const [rest, setRest] = useState<readonly string[]>([]);
  const [said, setSaid] = useState('');
  const working = useRef(false);
  const act = async (work: () => Promise<void>, done = '') => {
    if (working.current) return;
    working.current = true;
    setBusy(true);
    setRest([]);
    setSaid('');
    try {
      await work();
      setSaid(done);
    } catch (error) {
      const { fields, rest: others } = explained(error, []);
      setRest([...Object.values(fields), ...others]);
    } finally {
      working.current = false;
      setBusy(false);
    }
  };
  const pause = () =>
    void act(() => pauseCampaign(client, id), 'Paused. Emails already on their way still arrive.');
  const resume = () => void act(() => resumeCampaign(client, id));
  const unschedule = () => void act(() => unscheduleCampaign(client, id), 'Taken back. It is a draft again.');
  const edit = () => void navigate({ to: '/campaigns/compose', search: { id } });
  const editable = (status === 'DRAFT' || status === 'SCHEDULED') && campaign.startedAt === null;
  useActs([
    ...(status === 'RUNNING'
      ? [{ text: `Pause ${name}`, act: pause, key: 'p', needs: 'CAMPAIGNS' as const }]
      : []),
    ...(status === 'PAUSED' ? [{ text: `Resume ${name}`, act: resume, needs: 'CAMPAIGNS' as const }] : []),
    ...(editable ? [{ text: `Edit ${name}`, act: edit, needs: 'CAMPAIGNS' as const }] : []),
    { text: `Send test email of ${name}`, needs: 'CAMPAIGNS', act: () => setAsking('test') },
  ]);
  const more: MenuEntry[] = [
    ...(status === 'PAUSED' || (status === 'DRAFT' && !editable)
      ? [
          {
            kind: 'item' as const,
            text: 'Schedule resume',
            icon: CalendarClock,
            needs: 'CAMPAIGNS' as const,
            act: () => setAsking('move'),
          },
        ]
      : []),
    ...(status === 'SCHEDULED'
      ? [
          {
            kind: 'item' as const,
            text: 'Unschedule',
            icon: Undo2,
            needs: 'CAMPAIGNS' as const,
            act: unschedule,
          },
        ]
      : []),
    {
      kind: 'item',
      text: 'Duplicate',
      icon: Copy,
      needs: 'CAMPAIGNS',
      act: () =>
        void act(async () => {
          const copy = await duplicateCampaign(client, id);
          await navigate({ to: '/campaigns/compose', search: { id: copy } });
        }),
    },
    {
      kind: 'item',
      text: 'Delete',
      icon: Trash2,
      tone: 'bad',
      needs: 'CAMPAIGNS',
      act: () => setAsking('delete'),
    },
  ];
  const main =
    status === 'RUNNING' ? (
      <Button kind="main" icon={Pause} needs="CAMPAIGNS" busy={busy} onClick={pause}>
        Pause<kbd className={css.key}>P</kbd>
      </Button>
    ) : status === 'PAUSED' ? (
      <Button kind="main" icon={Play} needs="CAMPAIGNS" busy={busy} onClick={resume}>
        Resume
      </Button>
    ) : editable ? (
      <May right="CAMPAIGNS">
        <Link to="/campaigns/compose" search={{ id }} className={buttonClass({ kind: 'main' })}>
          <PencilLine {...ICON} />
          Edit
        </Link>
      </May>
    ) : status === 'DRAFT' ? (
      <Button kind="main" icon={Play} needs="CAMPAIGNS" onClick={() => setAsking('start')}>
        Send campaign
      </Button>
    ) : null;
  return (
    <Page
      title={name}
      up={up}
      after={
        <>
          <Status chip word={campaignWord(status)} />
          {live ? <Live since={since} /> : null}
        </>
      }
      needs="CAMPAIGNS"
      acts={
        <>
          <Button icon={Send} needs="CAMPAIGNS" onClick={() => setAsking('test')}>
            Send test email
          </Button>
          {status === 'RUNNING' ? null : (
            <MenuButton label="More" trigger={{ icon: Ellipsis, iconOnly: true }} entries={more} />
          )}
          {main}
        </>
      }
    >
      <div className={kit.grid}>
        {campaign.pausedReason && status === 'PAUSED' ? (
          <Diagnosis
            tone="warn"
            verdict="Mailroom paused this campaign."
            evidence={campaign.pausedReason}
            effect="Queued emails wait and keep their attempts. Resume it once the cause is gone."
          />
        ) : null}
        {campaign.warmup && status === 'RUNNING' && isUsedUp(campaign.warmup) && waiting(campaign) > 0 ? (
          <Note tone="info">
            <strong>The warm-up of its domain: {usedText(campaign.warmup)}.</strong> The campaign continues at{' '}
            <Time at={campaign.warmup.resetsAt} />, which is midnight UTC.
          </Note>
        ) : null}
        {status === 'SCHEDULED' && campaign.sendAt && Date.parse(campaign.sendAt) - Date.now() < SOON_MS ? (
          <Note tone="info">
            <strong>Sending starts in a few seconds.</strong>{' '}
            <Button small icon={Undo2} needs="CAMPAIGNS" busy={busy} onClick={unschedule}>
              Undo
            </Button>
          </Note>
        ) : null}
        <Rest of={rest} />
        <Head campaign={campaign} rate={rate} said={said} />
        <div className={css.columns}>
          <Suspense
            fallback={
              <Box>
                <Loading lines={6} />
              </Box>
            }
          >
            {campaign.startedAt ? (
              <Over campaign={campaign} />
            ) : (
              <Preview id={id} version={new Date(campaign.updatedAt).getTime()} sender={campaign.sender} />
            )}
          </Suspense>
          <div className={kit.grid}>
            <Suspense
              fallback={
                <Box>
                  <Loading lines={3} />
                </Box>
              }
            >
              {campaign.startedAt ? (
                <>
                  <Reached campaign={campaign} />
                  <Lost campaign={campaign} />
                </>
              ) : null}
              <Content
                campaign={campaign}
                onPreview={campaign.startedAt ? () => setAsking('preview') : undefined}
              />
            </Suspense>
          </div>
        </div>
      </div>
      {asking === 'delete' ? (
        <Confirm
          title={`Delete ${name}?`}
          verb="Delete"
          {...(campaign.startedAt ? { name } : {})}
          onClose={() => setAsking(undefined)}
          act={async () => {
            await deleteCampaign(client, id);
            await navigate({ to: '/campaigns' });
          }}
        >
          <p>
            {campaign.startedAt ? (
              <>
                Its figures are gone.{' '}
                {waiting(campaign) > 0 && status === 'PAUSED' ? (
                  <>
                    <strong>{counted(waiting(campaign), 'email')}</strong> that wait fail.{' '}
                  </>
                ) : null}
                Emails that were sent stay in the log.
              </>
            ) : (
              'It was never sent. A deleted campaign cannot be restored.'
            )}
          </p>
        </Confirm>
      ) : null}
      <Suspense fallback={null}>
        {asking === 'test' ? <SendTest id={id} onClose={() => setAsking(undefined)} /> : null}
        {asking === 'preview' ? (
          <Preview
            id={id}
            version={0}
            sender={campaign.sender}
            onClose={() => setAsking(undefined)}
            title={`${name}, ${number(campaign.totalContacts)} recipients`}
          />
        ) : null}
        {asking === 'start' ? (
          <Start
            id={id}
            version={new Date(campaign.updatedAt).getTime()}
            audience={{
              book: campaign.contactBookId,
              filter: Object.keys((campaign.filter ?? {}) as object).length > 0 ? campaign.filter : null,
            }}
            scheduled={false}
            onClose={() => setAsking(undefined)}
            onStarted={async () => {}}
          />
        ) : null}
        {asking === 'move' ? <Reschedule id={id} onClose={() => setAsking(undefined)} /> : null}
      </Suspense>
    </Page>
  );
}
