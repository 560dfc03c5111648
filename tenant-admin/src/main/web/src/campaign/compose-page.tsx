import { useQuery } from '@tanstack/react-query';
import { Link, useSearch } from '@tanstack/react-router';
import { lazy, Suspense, useState } from 'react';
import { Box, buttonClass } from '../kit/basics';
import { Empty, Failed, Loading, Page, Refused } from '../kit/page';
import { useRights } from '../kit/rights';
import { localInput } from '../words/inputs';
import { isSending } from '../words/status';
import { choicesQuery, draftQuery } from './queries';
import { remembered } from './saving';
import { fresh, stored } from './values';

const Compose = lazy(() => import('./compose'));

const up = { to: '/campaigns', text: 'Campaigns' };

export function ComposePage() {
  const { id } = useSearch({ from: '/shell/campaigns/compose' });
  // The id that the page was opened with: saving a new draft puts another one into the URL.
  const [opened, setOpened] = useState(id);
  const [own, setOwn] = useState<string>();
  if (id !== opened && id !== own) setOpened(id);
  const rights = useRights();
  const choices = useQuery(choicesQuery);
  const draft = useQuery({ ...draftQuery(opened ?? ''), enabled: opened !== undefined });
  const error = choices.error ?? draft.error;
  if (rights.refusal('CAMPAIGNS'))
    return (
      <Page title="Compose" up={up}>
        <Box>
          <Refused right="CAMPAIGNS" />
        </Box>
      </Page>
    );
  if (error && (!choices.data || !draft.data)) {
    return (
      <Page title="Compose" up={up}>
        <Box>
          <Failed
            error={error}
            retry={() => {
              void choices.refetch();
              if (opened !== undefined) void draft.refetch();
            }}
          />
        </Box>
      </Page>
    );
  }
  if (!choices.data || (opened !== undefined && !draft.data))
    return (
      <Page title="Compose" up={up}>
        <Box>
          <Loading lines={6} />
        </Box>
      </Page>
    );
  const { data } = choices;
  if (draft.data && !['DRAFT', 'SCHEDULED'].includes(draft.data.status)) {
    return (
      <Page title={draft.data.name} up={up}>
        <Box>
          <Empty title="This campaign has started">
            <p>Its content and its recipients are fixed.</p>
            <Link to="/campaigns/$id" params={{ id: draft.data.id }} className={buttonClass({})}>
              See how far it is
            </Link>
          </Empty>
        </Box>
      </Page>
    );
  }
  const senders = data.domains.nodes
    .filter((domain) => isSending(domain.status))
    .map((domain) => domain.name);
  const values =
    draft.data && opened !== undefined
      ? stored(draft.data, data.brand, localInput)
      : (remembered() ?? fresh(data, senders[0]));
  const waiting = (
    <Page title="Compose" up={up}>
      <Box>
        <Loading lines={6} />
      </Box>
    </Page>
  );
  return (
    <Suspense fallback={waiting}>
      <Compose
        key={opened ?? 'new'}
        id={opened}
        initial={values}
        scheduled={opened !== undefined && draft.data?.status === 'SCHEDULED'}
        choices={data}
        senders={senders}
        onSaved={setOwn}
      />
    </Suspense>
  );
}
