/** The tab of a domain about names of its own for the links in its mails. */
import { queryOptions, useQuery, useQueryClient, type QueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { accepted, request } from '../app/graphql';
import { useEvents } from '../app/live';
import {
  CreateTrackingDomainDocument,
  DeleteTrackingDomainDocument,
  TrackingDomainsDocument,
  VerifyTrackingDomainDocument,
  type TrackingDomainsQuery,
} from '../gen/graphql';
import { Box, Button, CopyButton, cx, Status, Time } from '../kit/basics';
import { TextField } from '../kit/fields';
import { Form, useFields } from '../kit/form';
import kit from '../kit/kit.module.css';
import { Confirm } from '../kit/layers';
import { Empty, Failed, Loading } from '../kit/page';
import { explained, Rest } from '../kit/problems';
import { May } from '../kit/rights';
import { trackingWord } from '../words/status';
import css from './domain.module.css';
import { domainQuery } from './queries';

type Name = NonNullable<TrackingDomainsQuery['viewer']>['trackingDomains'][number];

/** Interval in which names are read again until they are active: a check takes seconds. */
const CHANGING_INTERVAL_MS = 5_000;

const trackingQuery = queryOptions({
  queryKey: ['domain', 'tracking'],
  queryFn: async () => (await request(TrackingDomainsDocument)).viewer!,
});

const again = (client: QueryClient) => client.invalidateQueries({ queryKey: trackingQuery.queryKey });

export function TrackingDomains({ id }: { id: string }) {
  const client = useQueryClient();
  const domain = useQuery(domainQuery(id)).data?.domain;
  const query = useQuery({
    ...trackingQuery,
    refetchInterval: ({ state }) =>
      state.data?.trackingDomains.some((name) => name.state !== 'ACTIVE') ? CHANGING_INTERVAL_MS : false,
  });
  useEvents((events) => {
    if (events.some((event) => event.kind.startsWith('tracking_domain.'))) void again(client);
  });
  if (!query.data || !domain) {
    return (
      <Box>
        {query.error ? (
          <Failed error={query.error} retry={() => void query.refetch()} />
        ) : (
          <Loading lines={4} />
        )}
      </Box>
    );
  }
  const names = query.data.trackingDomains.filter((name) => name.domainId === id);
  if (!query.data.offersTrackingDomains && names.length === 0) {
    return (
      <Box>
        <Empty title="Links have the name of this platform">
          <p>Its operator offers no tracking domains.</p>
        </Empty>
      </Box>
    );
  }
  const used = names.find((name) => name.used);
  return (
    <>
      <p className={kit.say} role="status">
        <strong>
          Links in new emails of {domain.name} begin with {used ? used.name : 'the name of this platform'}.
        </strong>{' '}
        {used ? 'So do unsubscribe links.' : 'With a tracking domain they begin with a name of yours.'}
      </p>
      <Box title="Tracking domains">
        {names.length === 0 ? (
          <p className={css.note}>
            None. Readers trust links more that have the name of the sender, and other senders cannot harm its
            reputation.
          </p>
        ) : (
          names.map((name) => <NameView key={name.id} name={name} />)
        )}
      </Box>
      {query.data.offersTrackingDomains ? (
        <May right="DOMAINS">
          <Box title="Add a tracking domain" padded>
            <Add key={names.length} domainId={id} domain={domain.name} />
          </Box>
        </May>
      ) : null}
    </>
  );
}

function NameView({ name }: { name: Name }) {
  const client = useQueryClient();
  const [asking, setAsking] = useState(false);
  const [busy, setBusy] = useState(false);
  const [rest, setRest] = useState<string[]>([]);
  const check = async () => {
    setBusy(true);
    setRest([]);
    try {
      accepted((await request(VerifyTrackingDomainDocument, { id: name.id })).verifyTrackingDomain);
      await again(client);
    } catch (error) {
      setRest(explained(error, []).rest);
    }
    setBusy(false);
  };
  return (
    <div
      className={cx(css.record, name.state === 'FAILING' ? css.bad : name.error !== null && css.warn)}
      data-tracking={name.name}
    >
      <div className={css.name}>
        <b>{name.name}</b>
        <span>
          {name.checkedAt ? (
            <>
              Checked <Time at={name.checkedAt} />
            </>
          ) : (
            'Not checked yet'
          )}
        </span>
        <div className={css.state}>
          <Status word={trackingWord(name.state)} />
        </div>
      </div>
      <dl>
        <dt>CNAME</dt>
        <dd>
          <span>{name.name}</span>
          <CopyButton text={name.name} label={`Copy the host of ${name.name}`} />
        </dd>
        <dt>Value</dt>
        <dd>
          <span>{name.target}</span>
          <CopyButton text={name.target} label={`Copy the value of ${name.name}`} />
        </dd>
      </dl>
      {name.error === null ? null : (
        <p className={css.fix}>
          {name.error}.{' '}
          {name.failingSince ? (
            <>
              It fails since <Time at={name.failingSince} />. After an hour new emails have the name of this
              platform again, until it works.
            </>
          ) : null}
        </p>
      )}
      <div className={css.fix}>
        <May right="DOMAINS">
          <Button small busy={busy} onClick={() => void check()}>
            Check now
          </Button>{' '}
          <Button small kind="bad" onClick={() => setAsking(true)}>
            Delete
          </Button>
        </May>
        <Rest of={rest} />
      </div>
      {asking ? (
        <Confirm
          title={`Delete ${name.name}?`}
          verb="Delete"
          onClose={() => setAsking(false)}
          act={async () => {
            accepted((await request(DeleteTrackingDomainDocument, { id: name.id })).deleteTrackingDomain);
            await again(client);
          }}
        >
          <p>
            New emails no longer have the name. Links in sent emails work for 90 more days if the CNAME record
            stays. Then they end: <strong>readers cannot follow them, nor unsubscribe by them.</strong>
          </p>
        </Confirm>
      ) : null}
    </div>
  );
}

function Add({ domainId, domain }: { domainId: string; domain: string }) {
  const client = useQueryClient();
  const fields = useFields(
    { name: '' },
    {
      name: (name: string) =>
        name.trim().toLowerCase().endsWith(`.${domain}`) ? null : `Enter a name that ends with .${domain}.`,
    },
    async ({ name }) => {
      const input = { domainId, name: name.trim() };
      accepted((await request(CreateTrackingDomainDocument, { input })).createTrackingDomain);
      await again(client);
    },
  );
  return (
    <Form fields={fields} label="Add a tracking domain">
      <TextField
        label="Name"
        placeholder={`links.${domain}`}
        help="Then publish its CNAME record. New emails have the name once it answers over HTTPS."
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        {...fields.form.getInputProps('name')}
      />
      <Rest of={fields.rest} />
      <div className={kit.dialogActs}>
        <Button type="submit" kind="main" busy={fields.busy}>
          Add
        </Button>
      </div>
    </Form>
  );
}
