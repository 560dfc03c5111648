import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { Download, Mail, RefreshCw } from 'lucide-react';
import { lazy, Suspense, useEffect, useState } from 'react';
import { useEvents, useLiveSince } from '../app/live';
import { useActs, useRecent } from '../app/open';
import { Announce } from '../kit/announce';
import {
  Box,
  Button,
  buttonClass,
  CopyButton,
  Facts,
  ICON,
  Id,
  Note,
  Segments,
  Status,
  Switch,
  Time,
} from '../kit/basics';
import { Diagnosis } from '../kit/diagnosis';
import kit from '../kit/kit.module.css';
import { Tabs } from '../kit/tabs';
import { Confirm } from '../kit/layers';
import { Failed, Live, Loading, Page } from '../kit/page';
import { counted, duration, full, number, shareText } from '../words/formats';
import { domainWord, isNeeded, isSending } from '../words/status';
import css from './domain.module.css';
import {
  deleteDomain,
  domainQuery,
  rotateDkim,
  switchWarmup,
  updateDomain,
  verifyDomain,
  type DomainDetail,
  type DomainView,
} from './queries';
import { RecordView } from './record';
import { Warmup } from './warmup';
import { explained, Rest } from '../kit/problems';
import { May } from '../kit/rights';
import { foundCount, letterTo, nameOf, sorted, zone } from './records';
import { names, type Tab } from './views';

/** The tabs beside the first one, which most visits do not open. */
const Standing = lazy(async () => ({ default: (await import('./standing')).Standing }));

/** Interval in which a domain that is not verified, or warms up, is read again. */
const CHANGING_INTERVAL_MS = 15_000;

export function DomainPage() {
  const { id } = useParams({ from: '/shell/domains/$id' });
  const client = useQueryClient();
  const query = useQuery({
    ...domainQuery(id),
    refetchInterval: ({ state }) =>
      state.data && (state.data.domain.status !== 'VERIFIED' || state.data.domain.warmup)
        ? CHANGING_INTERVAL_MS
        : false,
  });
  useEvents((events) => {
    if (events.some((event) => event.kind.startsWith('domain.')))
      void client.invalidateQueries({ queryKey: domainQuery(id).queryKey });
  });
  useRecent(query.data?.domain.name, `/domains/${id}`);
  const up = { to: '/domains', text: 'Domains' };
  if (!query.data) {
    return (
      <Page title="Domain" up={up}>
        {query.error ? (
          <Box>
            <Failed error={query.error} retry={() => void query.refetch()} />
          </Box>
        ) : (
          <Box>
            <Loading lines={6} />
          </Box>
        )}
      </Page>
    );
  }
  return <Shown view={query.data} up={up} />;
}

function Shown({ view, up }: { view: DomainView; up: { to: string; text: string } }) {
  const { domain } = view;
  const client = useQueryClient();
  const navigate = useNavigate();
  const { tab: given } = useSearch({ from: '/shell/domains/$id' });
  const tab = given !== undefined && Object.hasOwn(names, given) ? (given as Tab) : 'records';
  const [asking, setAsking] = useState<'delete' | 'rotate' | 'cold'>();
  const [checking, setChecking] = useState(false);
  const [rest, setRest] = useState<string[]>([]);
  const attempt = async (work: () => Promise<unknown>) => {
    setRest([]);
    try {
      await work();
    } catch (error) {
      setRest(explained(error, []).rest);
    }
  };
  const check = async () => {
    if (checking) return;
    setChecking(true);
    await attempt(async () => {
      await verifyDomain(client, domain.id);
    });
    setChecking(false);
  };
  const save = () => {
    const link = document.createElement('a');
    link.href = URL.createObjectURL(new Blob([zone(domain.records)], { type: 'text/plain' }));
    link.download = `${domain.name}.zone`;
    link.click();
    URL.revokeObjectURL(link.href);
  };
  const change = (setting: Partial<Pick<DomainDetail, 'openTracking' | 'clickTracking' | 'requireTls'>>) =>
    void attempt(() => updateDomain(client, { id: domain.id, ...setting }));
  useActs([
    { text: `Check the records of ${domain.name}`, act: () => void check(), key: 'r', needs: 'DOMAINS' },
    { text: `Download the zone file of ${domain.name}`, act: save },
    { text: `Delete ${domain.name}`, needs: 'DOMAINS', act: () => setAsking('delete') },
  ]);
  const since = useLiveSince();
  const keys = view.apiKeys.nodes.filter((key) => key.domainId === domain.id);
  return (
    <Page
      title={domain.name}
      up={up}
      after={
        <>
          <Status chip word={domainWord(domain.status)} />
          {domain.status === 'VERIFIED' ? null : <Live since={since} />}
        </>
      }
      needs="DOMAINS"
      acts={
        <>
          <Button icon={Download} onClick={save}>
            Zone file
          </Button>
          <Button kind="main" icon={RefreshCw} needs="DOMAINS" busy={checking} onClick={() => void check()}>
            Check now
          </Button>
        </>
      }
    >
      <div className={kit.grid}>
        <Announce
          text={`${domain.name} is ${domainWord(domain.status).text.toLowerCase()}, ${foundCount(domain.records)} of ${domain.records.length} records found`}
        />
        <Sentence domain={domain} />
        <Rest of={rest} />
        <Tabs
          label="Views of the domain"
          names={names}
          panelClass={kit.grid}
          tab={tab}
          onTab={(to) =>
            void navigate({
              to: '/domains/$id',
              params: { id: domain.id },
              search: { tab: to === 'records' ? undefined : to },
              replace: true,
            })
          }
        >
          {tab === 'records' ? null : (
            <Suspense fallback={<Loading lines={6} />}>
              <Standing tab={tab} id={domain.id} />
            </Suspense>
          )}
          {tab === 'records' ? (
            <div className={css.columns}>
              <Records domain={domain} />
              <div className={kit.grid}>
                <Box title="Sending" padded>
                  <Sending view={view} keys={keys} />
                </Box>
                <Box title="DKIM keys">
                  <div className={kit.boxBody}>
                    <Keys keys={domain.dkimKeys} />
                  </div>
                  <May right="DOMAINS">
                    <div className={kit.opt}>
                      <div>
                        <b>Make new keys</b>
                        <span>
                          {domain.dkimKeys.some((key) => !key.active)
                            ? 'Publish the records of the new pair: the old one signs until they are found.'
                            : 'The old pair signs until DNS has the new one.'}
                        </span>
                      </div>
                      <Button small onClick={() => setAsking('rotate')}>
                        Rotate
                      </Button>
                    </div>
                  </May>
                </Box>
                <Box title="Tracking and transport">
                  <div className={kit.opt}>
                    <div>
                      <b>Count opens</b>
                      <span>Adds a tracking pixel.</span>
                    </div>
                    <Switch
                      label="Count opens"
                      needs="DOMAINS"
                      on={domain.openTracking}
                      onChange={(openTracking) => change({ openTracking })}
                    />
                  </div>
                  <div className={kit.opt}>
                    <div>
                      <b>Count clicks</b>
                      <span>Rewrites links.</span>
                    </div>
                    <Switch
                      label="Count clicks"
                      needs="DOMAINS"
                      on={domain.clickTracking}
                      onChange={(clickTracking) => change({ clickTracking })}
                    />
                  </div>
                  <div className={kit.opt}>
                    <div>
                      <b>Require TLS</b>
                      <span>Mail waits, then fails, where a server has no valid certificate.</span>
                    </div>
                    <Switch
                      label="Require TLS"
                      needs="DOMAINS"
                      on={domain.requireTls}
                      onChange={(requireTls) => change({ requireTls })}
                    />
                  </div>
                </Box>
                <Warmup
                  domain={domain}
                  onChange={(on) =>
                    on ? void attempt(() => switchWarmup(client, domain.id, true)) : setAsking('cold')
                  }
                />
                <May right="DOMAINS">
                  <Box label="Delete">
                    <div className={kit.opt} data-first>
                      <div>
                        <b>Delete this domain</b>
                        <span>
                          {keys.length > 0
                            ? `Revokes its ${counted(keys.length, 'key')} at once.`
                            : 'It has no keys.'}
                        </span>
                      </div>
                      <Button small kind="bad" onClick={() => setAsking('delete')}>
                        Delete
                      </Button>
                    </div>
                  </Box>
                </May>
              </div>
            </div>
          ) : null}
        </Tabs>
      </div>
      {asking === 'delete' ? (
        <Confirm
          title={`Delete ${domain.name}?`}
          verb="Delete"
          name={domain.name}
          onClose={() => setAsking(undefined)}
          act={async () => {
            await deleteDomain(client, domain.id);
            await navigate({ to: '/domains' });
          }}
        >
          <p>
            {keys.length > 0 ? (
              <>
                {keys.length === 1 ? 'Its key stops' : `Its ${number(keys.length)} keys stop`} working at
                once: <strong>{keys.map((key) => key.name).join(', ')}</strong>.{' '}
              </>
            ) : null}
            Mail from it is no longer accepted. Sent mail stays in the log.
          </p>
        </Confirm>
      ) : null}
      {asking === 'cold' ? (
        <Confirm
          title="End the warm-up?"
          verb="End it"
          keep="Keep the limit"
          mild
          onClose={() => setAsking(undefined)}
          act={() => switchWarmup(client, domain.id, false)}
        >
          <p>
            Campaigns of <strong>{domain.name}</strong> that wait for tomorrow continue at once. Another
            warm-up begins with its first day again.
          </p>
        </Confirm>
      ) : null}
      {asking === 'rotate' ? (
        <Confirm
          title="Make new DKIM keys?"
          verb="Make new keys"
          keep="Keep the old pair"
          mild
          onClose={() => setAsking(undefined)}
          act={() => rotateDkim(client, domain.id)}
        >
          <p>
            Two records are added to the list. Publish them; the old pair of <strong>{domain.name}</strong>{' '}
            signs until they are found.
          </p>
        </Confirm>
      ) : null}
    </Page>
  );
}

/** The records in two groups, each with what was found of it. */
function Records({ domain }: { domain: DomainDetail }) {
  const [relative, setRelative] = useState(false);
  const { records } = domain;
  const groups = [
    ['Required', 'Needed to send.', records.filter(isNeeded)],
    ['Recommended', 'Mail is trusted more with them.', records.filter((record) => !isNeeded(record))],
  ] as const;
  return (
    <div className={kit.grid}>
      <div className={kit.acts}>
        <Segments
          label="Names"
          value={relative ? 'relative' : 'full'}
          options={[
            { value: 'full', text: 'Full names' },
            { value: 'relative', text: 'Relative names' },
          ]}
          onChange={(value) => setRelative(value === 'relative')}
        />
        <span className={kit.quiet}>
          {foundCount(records)} of {records.length} found
          <Ago since={domain.checks.checkedAt} />
        </span>
        <span className={css.share}>
          <CopyButton text={zone(records)} label="Copy all records">
            Copy all
          </CopyButton>
          <a className={buttonClass({ small: true })} href={letterTo(domain.name, records)}>
            <Mail {...ICON} size={15} />
            Email to a colleague
          </a>
        </span>
      </div>
      {groups.map(([title, use, group]) =>
        group.length > 0 ? (
          <Box
            key={title}
            title={title}
            side={
              <>
                <span>
                  {use} {foundCount(group)} of {group.length} found
                </span>
                <span className={`${kit.bar} ${css.found}`} aria-hidden="true">
                  <i style={{ width: `${(foundCount(group) / group.length) * 100}%` }} />
                </span>
              </>
            }
          >
            {sorted(group).map((record) => (
              <RecordView
                key={`${record.type} ${record.host} ${record.value}`}
                record={record}
                host={nameOf(record, domain.name, relative)}
              />
            ))}
          </Box>
        ) : null,
      )}
    </div>
  );
}

/** The state of the domain and what to do about it. */
function Sentence({ domain }: { domain: DomainDetail }) {
  const { checkedAt, failingSince, failsAt } = domain.checks;
  const checked = checkedAt !== null;
  const needed = domain.records.filter((record) => isNeeded(record) && record.status === 'FAILED').length;
  const advised = domain.records.filter((record) => !isNeeded(record) && record.status === 'FAILED').length;
  switch (domain.status) {
    case 'VERIFIED':
      return (
        <p className={kit.say}>
          <strong>{domain.name} can send.</strong>
          {advised > 0
            ? ` ${counted(advised, 'recommended record')} ${advised === 1 ? 'differs' : 'differ'}: mail may be trusted less.`
            : ' All its records are in DNS.'}
        </p>
      );
    case 'PENDING':
      return checked || needed > 0 ? (
        <Note tone="warn">
          <strong>
            {needed > 0
              ? `${counted(needed, 'required record')} ${needed === 1 ? 'is' : 'are'} missing or wrong.`
              : 'The records are not all found yet.'}
          </strong>{' '}
          Changes in DNS can take minutes to show. They are looked up every hour, and now by Check now.
        </Note>
      ) : (
        <p className={kit.say}>
          <strong>Publish these records at your DNS host, then check.</strong> Ownership and one DKIM record
          are needed to send.
        </p>
      );
    case 'TEMPORARY_FAILURE':
      return (
        <Note tone="warn">
          <strong>
            A record that signs your mail, or shows that the domain is yours,{' '}
            {failingSince ? (
              <>
                is gone from DNS since <Time at={failingSince} />
              </>
            ) : (
              'could not be looked up'
            )}
            .
          </strong>{' '}
          Mail is still sent.{' '}
          {failsAt ? (
            <>
              If the record is not back by{' '}
              <strong>
                <Time at={failsAt} />
              </strong>
              , sending from this domain stops. Publish it as below;{' '}
            </>
          ) : (
            'The name servers do not answer; '
          )}
          it is looked up every hour.
        </Note>
      );
    case 'FAILED':
      return (
        <Diagnosis
          tone="bad"
          verdict={`${domain.name} is suspended.`}
          effect={
            <>
              Emails from it are refused. A required record{' '}
              {failingSince ? (
                <>
                  is missing since <Time at={failingSince} />
                </>
              ) : (
                'was missing for too long'
              )}
              . Publish it as below, then check: emails are accepted again at once.
            </>
          }
        />
      );
  }
}

function Ago({ since }: { since: string | null }) {
  const [now, setNow] = useState(Date.now());
  useEffect(() => {
    setNow(Date.now());
    const timer = setInterval(() => setNow(Date.now()), 10_000);
    return () => clearInterval(timer);
  }, [since]);
  if (since === null) return <>, not checked yet</>;
  const age = now - Date.parse(since);
  return (
    <>
      , checked{' '}
      <time dateTime={since} title={full(since)}>
        {age < 10_000 ? 'just now' : `${duration(age)} ago`}
      </time>
    </>
  );
}

/** The selectors that sign, those that replace them once their records are found, and the age of the keys. */
function Keys({ keys }: { keys: DomainDetail['dkimKeys'] }) {
  const names = (active: boolean) =>
    keys
      .filter((key) => key.active === active)
      .map((key) => key.selector)
      .join(', ');
  const oldest = keys
    .filter((key) => key.active)
    .map((key) => key.createdAt)
    .sort()[0];
  return (
    <Facts
      items={[
        [
          'Signing with',
          <span key="active" className={kit.mono}>
            {names(true) || 'none'}
          </span>,
        ],
        names(false)
          ? [
              'Waiting for DNS',
              <span key="new" className={kit.mono}>
                {names(false)}
              </span>,
            ]
          : null,
        oldest
          ? [
              'Age',
              <span key="age" className={kit.num} title={full(oldest)}>
                {duration(Math.max(0, Date.now() - Date.parse(oldest)))}
              </span>,
            ]
          : null,
      ]}
    />
  );
}

function Sending({ view, keys }: { view: DomainView; keys: readonly { id: string; name: string }[] }) {
  const {
    domain,
    reputation: { figures },
  } = view;
  const tried = figures.delivered + figures.hardBounced;
  return (
    <Facts
      items={[
        [
          'Last 7 days',
          <span key="n" className={kit.num}>
            {counted(tried, 'email')}
          </span>,
        ],
        tried > 0
          ? [
              'Delivered',
              <span key="p" className={kit.num}>
                {shareText((figures.delivered / tried) * 100)}
              </span>,
            ]
          : null,
        [
          'API keys',
          keys.length > 0 ? (
            <Link key="keys" to="/api-keys">
              {keys.map((key) => key.name).join(', ')}
            </Link>
          ) : (
            'none'
          ),
        ],
        ['Mail', isSending(domain.status) ? 'accepted' : 'refused'],
        domain.transactionalPool ? ['Pool', domain.transactionalPool] : null,
        domain.campaignPool && domain.campaignPool !== domain.transactionalPool
          ? ['Pool of campaigns', domain.campaignPool]
          : null,
        ['Added', <Time key="added" at={domain.createdAt} />],
        domain.verifiedAt ? ['Verified', <Time key="verified" at={domain.verifiedAt} />] : null,
        ['Id', <Id key="id" id={domain.id} short />],
      ]}
    />
  );
}
