/** Filters of the list of emails beside the search. */
import { useQuery } from '@tanstack/react-query';
import { ListFilter, Send, X } from 'lucide-react';
import { useState } from 'react';
import type { EmailState } from '../gen/graphql';
import { apiUrl } from '../app/config';
import { Button, Code } from '../kit/basics';
import { Choices } from '../kit/choices';
import { FilterInput } from '../kit/filter';
import kit from '../kit/kit.module.css';
import { Empty } from '../kit/page';
import { number, time, zoneName } from '../words/formats';
import { fromInput, localInput } from '../words/inputs';
import glossary from '../words/glossary.json';
import css from './email.module.css';
import type { EmailsSearch } from './emails-page';
import { chosenStates, periods, states, statusOf, streams } from './filters';
import { campaignNameQuery, sendersQuery } from './queries';

const stateNames = (Object.keys(states) as EmailState[]).map(
  (state) => [state, glossary.states[state.toLowerCase() as Lowercase<EmailState>].label] as const,
);

export default function Picks({
  search,
  onChange,
}: {
  search: EmailsSearch;
  onChange: (change: EmailsSearch) => void;
}) {
  const { data } = useQuery(sendersQuery);
  const [custom, setCustom] = useState(false);
  const chosen = chosenStates(search.status);
  const first = stateNames.find(([state]) => state === chosen[0])?.[1] ?? '';
  return (
    <>
      {search.campaign ? (
        <CampaignFilter id={search.campaign} onClear={() => onChange({ campaign: undefined })} />
      ) : null}
      <Choices
        icon={ListFilter}
        text={
          chosen.length === 0
            ? 'Any status'
            : chosen.length === 1
              ? first
              : `${first} and ${number(chosen.length - 1)} more`
        }
        label="Status"
        choices={stateNames}
        chosen={chosen}
        onChange={(next) => onChange({ status: statusOf(next) })}
      />
      <select
        className={`${kit.input} ${css.pick}`}
        aria-label="Domain"
        value={search.domain ?? ''}
        onChange={(event) => onChange({ domain: event.target.value || undefined })}
      >
        <option value="">All domains</option>
        {data?.domains.nodes.map((domain) => (
          <option key={domain.id} value={domain.id}>
            {domain.name}
          </option>
        ))}
      </select>
      <select
        className={`${kit.input} ${css.pick}`}
        aria-label="Stream"
        value={search.stream ?? ''}
        onChange={(event) =>
          onChange({
            stream:
              event.target.value === '' ? undefined : (event.target.value as 'transactional' | 'campaign'),
          })
        }
      >
        <option value="">All types</option>
        {Object.entries(streams).map(([value, { text }]) => (
          <option key={value} value={value}>
            {text}
          </option>
        ))}
      </select>
      <select
        className={`${kit.input} ${css.pick}`}
        aria-label="Time"
        value={custom || search.until ? 'custom' : (search.period ?? '')}
        onChange={(event) => {
          setCustom(event.target.value === 'custom');
          if (event.target.value === 'custom') return;
          onChange({
            period: periods.find(([period]) => period === event.target.value)?.[0],
            since: undefined,
            until: undefined,
          });
        }}
      >
        <option value="">{search.since && !search.until ? `Since ${time(search.since)}` : 'Any time'}</option>
        {periods.map(([value, text]) => (
          <option key={value} value={value}>
            {text}
          </option>
        ))}
        <option value="custom">From … until …</option>
      </select>
      {custom || search.until ? (
        <>
          <input
            className={`${kit.input} ${css.pick}`}
            type="datetime-local"
            aria-label="Accepted from"
            title={zoneName()}
            value={search.since ? localInput(new Date(search.since)) : ''}
            onChange={(event) => onChange({ since: instant(event.target.value), period: undefined })}
          />
          <input
            className={`${kit.input} ${css.pick}`}
            type="datetime-local"
            aria-label="Accepted before"
            title={zoneName()}
            value={search.until ? localInput(new Date(search.until)) : ''}
            onChange={(event) => onChange({ until: instant(event.target.value), period: undefined })}
          />
        </>
      ) : null}
      <span className={css.tag}>
        <FilterInput label="Tag or tag=value" value={search.tag} onChange={(tag) => onChange({ tag })} />
      </span>
    </>
  );
}

/** The time of a datetime-local input; undefined if it is empty. */
function instant(local: string): string | undefined {
  return local === '' ? undefined : fromInput(local).toISOString();
}

/** The campaign to which the list is limited, as a button that ends the limit. */
function CampaignFilter({ id, onClear }: { id: string; onClear: () => void }) {
  const { data, error } = useQuery(campaignNameQuery(id));
  const name = data ?? (error ? 'that is gone' : '');
  return (
    <Button
      className={css.campaign}
      icon={X}
      aria-label={`Not only the campaign ${name}`}
      title={`Campaign ${name}`}
      onClick={onClear}
    >
      <span className={kit.cut}>
        Campaign <bdi>{name}</bdi>
      </span>
    </Button>
  );
}

/** Stands in place of an empty list. */
export function Nothing({
  filtered,
  bounded,
  onClear,
  onSend,
}: {
  filtered: boolean;
  /** Whether a part of the list was searched. */
  bounded: boolean;
  onClear: () => void;
  onSend: () => void;
}) {
  return filtered ? (
    <Empty title="No mail matches">
      <p>
        {bounded
          ? 'The search covers recipients, subjects, ids and tags of the newest 20,000 emails of the domain and the time, of those that wait, or of those that bounced, were reported or failed.'
          : 'No mail has this status and domain.'}
      </p>
      <Button onClick={onClear}>Clear filters</Button>
    </Empty>
  ) : (
    <Empty title="No mail yet">
      <p>Each email that you send is listed here with its history.</p>
      <Button icon={Send} needs="SEND" onClick={onSend}>
        Send test email
      </Button>
      <Code
        label="the command"
        text={`curl ${apiUrl()}/api/emails -H "Authorization: Bearer $MAILROOM_API_KEY" \\\n  -H 'Content-Type: application/json' \\\n  -d '{"from": "…", "to": ["…"], "subject": "Hello", "text": "It works."}'`}
      />
    </Empty>
  );
}
