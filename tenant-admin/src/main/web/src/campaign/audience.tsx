import { useDebouncedValue } from '@mantine/hooks';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Plus, X } from 'lucide-react';
import { useId, useState } from 'react';
import { Button, Note } from '../kit/basics';
import { SelectField, TextField } from '../kit/fields';
import type { Fields } from '../kit/form';
import kit from '../kit/kit.module.css';
import { Failed } from '../kit/page';
import { explained, Rest } from '../kit/problems';
import { counted, number } from '../words/formats';
import css from './compose.module.css';
import {
  behaviours,
  describeFilter,
  isBehaviour,
  operators,
  toConditions,
  toFilter,
  type Condition,
  type Operator,
} from './filter';
import { audienceQuery, deleteSegment, saveSegment, segmentsQuery, type Choices } from './queries';
import type { Values } from './values';

/** Time without a change of the filter after which the contacts are counted. */
const COUNT_MS = 400;

/** The number of contacts that the fields reach. */
export function useAudience(values: Values) {
  const [filter] = useDebouncedValue(values.nested ?? toFilter(values.filter), COUNT_MS);
  return useQuery({ ...audienceQuery(values.contactBookId, filter), enabled: values.contactBookId !== '' });
}

export function Audience({ fields: { form }, choices }: { fields: Fields<Values>; choices: Choices }) {
  const { values } = form;
  const audience = useAudience(values);
  const names = useId();
  const { rows, join } = values.filter;
  const change = (next: readonly Condition[], nextJoin = join) =>
    form.setFieldValue('filter', { join: nextJoin, rows: next });
  const edit = (index: number, part: Partial<Condition>) =>
    change(rows.map((row, at) => (at === index ? { ...row, ...part } : row)));
  const books = choices.contactBooks.nodes;
  const samples = (audience.data?.samples ?? {}) as Readonly<Record<string, readonly string[]>>;
  return (
    <div className={kit.grid}>
      {books.length === 0 ? (
        <Note tone="warn">
          <strong>There is no contact book.</strong> A campaign goes to the subscribed contacts of a book.{' '}
          <Link to={'/contacts' as '/start'}>Go to Contacts</Link>
        </Note>
      ) : null}
      <SelectField label="Contact book" {...form.getInputProps('contactBookId')}>
        <option value="">Choose one</option>
        {books.map((book) => (
          <option key={book.id} value={book.id}>
            {book.name}, {counted(book.contactCount, 'contact')}
          </option>
        ))}
      </SelectField>
      {values.nested !== null ? (
        <Note tone="info">
          Only {describeFilter(values.nested)}.{' '}
          <button type="button" className={kit.linkish} onClick={() => form.setFieldValue('nested', null)}>
            Remove it
          </button>
        </Note>
      ) : (
        <fieldset className={css.filter}>
          <legend className={kit.label}>
            Audience filter <span>(optional)</span>
          </legend>
          {rows.length > 1 ? (
            <label className={css.join}>
              Those that satisfy{' '}
              <select
                className={kit.input}
                aria-label="Join"
                value={join}
                onChange={(event) => change(rows, event.target.value === 'any' ? 'any' : 'all')}
              >
                <option value="all">all conditions</option>
                <option value="any">any condition</option>
              </select>
            </label>
          ) : null}
          <Segments
            filter={toFilter(values.filter)}
            onChoose={(filter) => {
              const chosen = toConditions(filter);
              if (chosen) form.setFieldValue('filter', chosen);
              else form.setFieldValue('nested', filter);
            }}
          />
          {rows.map((row, index) => (
            <div key={index} className={css.condition} data-kind={shape(row)}>
              <select
                className={kit.input}
                aria-label={`Condition ${index + 1}`}
                value={row.kind}
                onChange={(event) =>
                  edit(index, {
                    kind: event.target.value as Condition['kind'],
                    name: '',
                    value: isBehaviour(event.target.value) ? '30' : '',
                  })
                }
              >
                <option value="property">Property</option>
                <option value="after">Added after</option>
                <option value="before">Added before</option>
                {Object.entries(behaviours).map(([kind, text]) => (
                  <option key={kind} value={kind}>
                    {text}
                  </option>
                ))}
              </select>
              {row.kind === 'property' ? (
                <>
                  <input
                    className={kit.input}
                    aria-label={`Property ${index + 1}`}
                    placeholder="city"
                    list={names}
                    value={row.name}
                    onChange={(event) => edit(index, { name: event.target.value })}
                  />
                  <select
                    className={kit.input}
                    aria-label={`Operator ${index + 1}`}
                    value={row.operator ?? 'equals'}
                    onChange={(event) => edit(index, { operator: event.target.value as Operator })}
                  >
                    {Object.entries(operators).map(([operator, text]) => (
                      <option key={operator} value={operator}>
                        {text}
                      </option>
                    ))}
                  </select>
                </>
              ) : isBehaviour(row.kind) ? (
                <CampaignChoice
                  label={`Campaign ${index + 1}`}
                  value={row.name}
                  onChange={(name) => edit(index, { name, value: name ? '' : '30' })}
                />
              ) : null}
              {shape(row) === 'exists' || shape(row) === 'campaign' ? null : (
                <input
                  className={kit.input}
                  aria-label={isBehaviour(row.kind) ? `Days ${index + 1}` : `Value ${index + 1}`}
                  type={isBehaviour(row.kind) ? 'number' : isDated(row) ? 'date' : 'text'}
                  min={isBehaviour(row.kind) ? 1 : undefined}
                  max={isBehaviour(row.kind) ? 365 : undefined}
                  list={row.kind === 'property' ? `${names}-${index}` : undefined}
                  value={row.value}
                  onChange={(event) => edit(index, { value: event.target.value })}
                />
              )}
              {row.kind === 'property' ? (
                <datalist id={`${names}-${index}`}>
                  {(samples[row.name] ?? []).map((value) => (
                    <option key={value} value={value}>
                      {value}
                    </option>
                  ))}
                </datalist>
              ) : null}
              <Button
                kind="bare"
                iconOnly
                icon={X}
                aria-label={`Remove condition ${index + 1}`}
                onClick={() => change(rows.filter((_, at) => at !== index))}
              />
            </div>
          ))}
          <datalist id={names}>
            {Object.keys(samples).map((name) => (
              <option key={name} value={name}>
                {name}
              </option>
            ))}
          </datalist>
          {form.errors.filter ? <p className={kit.wrong}>{form.errors.filter}</p> : null}
          <div>
            <Button
              small
              icon={Plus}
              onClick={() => change([...rows, { kind: 'property', name: '', value: '' }])}
            >
              Add a condition
            </Button>
          </div>
        </fieldset>
      )}
      {audience.error ? (
        <Failed error={audience.error} retry={() => void audience.refetch()} />
      ) : audience.data && values.contactBookId ? (
        <p role="status" className={css.reach}>
          {audience.data.estimated ? 'About ' : ''}
          <b>{counted(audience.data.recipients, 'person', 'people')}</b> of {number(audience.data.contacts)}{' '}
          in the book: {number(audience.data.contacts - audience.data.subscribed)} not subscribed,{' '}
          {number(audience.data.subscribed - audience.data.recipients)} outside the filter.
          {audience.data.estimated
            ? ' The book is large: these numbers are estimated from its 10,000 oldest and 10,000 newest contacts.'
            : ''}
        </p>
      ) : null}
      <TextField
        label="Pace"
        optional
        inputMode="numeric"
        help="Max emails per minute. Leave empty for full speed."
        style={{ maxWidth: 160 }}
        {...form.getInputProps('pace')}
      />
    </div>
  );
}

/** The fields that a condition has. */
function shape(row: Condition): 'property' | 'exists' | 'campaign' | 'days' | 'date' {
  if (row.kind === 'property')
    return row.operator === 'exists' || row.operator === 'missing' ? 'exists' : 'property';
  if (isBehaviour(row.kind)) return row.name ? 'campaign' : 'days';
  return 'date';
}

function isDated(row: Condition): boolean {
  return row.kind !== 'property' || row.operator === 'before' || row.operator === 'after';
}

/** The campaign whose opens or clicks count, or those of the last days. */
function CampaignChoice({
  label,
  value,
  onChange,
}: {
  label: string;
  value: string;
  onChange: (id: string) => void;
}) {
  const { data } = useQuery(segmentsQuery);
  const started = data?.campaigns.nodes.filter((campaign) => campaign.startedAt) ?? [];
  return (
    <select
      className={kit.input}
      aria-label={label}
      value={value}
      onChange={(event) => onChange(event.target.value)}
    >
      <option value="">any of the 10 newest campaigns of the last days</option>
      {value && !started.some((campaign) => campaign.id === value) ? (
        <option value={value}>another campaign</option>
      ) : null}
      {started.map((campaign) => (
        <option key={campaign.id} value={campaign.id}>
          {campaign.name}
        </option>
      ))}
    </select>
  );
}

/** Takes the conditions from a saved segment, or saves them as one. */
function Segments({ filter, onChoose }: { filter: unknown; onChoose: (filter: unknown) => void }) {
  const client = useQueryClient();
  const segments = useQuery(segmentsQuery).data?.segments ?? [];
  const [name, setName] = useState('');
  const [rest, setRest] = useState<readonly string[]>([]);
  const same = segments.find(
    (segment) => JSON.stringify(toFilter(toConditions(segment.filter) ?? NO)) === JSON.stringify(filter),
  );
  const run = (work: Promise<unknown>) => {
    setRest([]);
    work.then(() => setName('')).catch((error: unknown) => setRest(explained(error, []).rest));
  };
  return (
    <>
      {segments.length > 0 ? (
        <div className={css.join}>
          <select
            className={kit.input}
            aria-label="Saved segment"
            value={same?.id ?? ''}
            onChange={(event) => {
              const chosen = segments.find((segment) => segment.id === event.target.value);
              if (chosen) onChoose(chosen.filter);
            }}
          >
            <option value="">Saved segments</option>
            {segments.map((segment) => (
              <option key={segment.id} value={segment.id}>
                {segment.name}
              </option>
            ))}
          </select>
          {same ? (
            <Button small kind="bare" onClick={() => run(deleteSegment(client, same.id))}>
              Delete the segment
            </Button>
          ) : null}
        </div>
      ) : null}
      {filter !== null && !same ? (
        <div className={css.join}>
          <input
            className={kit.input}
            aria-label="Name of the segment"
            placeholder="Name of the segment"
            maxLength={200}
            value={name}
            onChange={(event) => setName(event.target.value)}
          />
          <Button
            small
            aria-disabled={name.trim() === '' || undefined}
            onClick={() => {
              if (name.trim() !== '') run(saveSegment(client, name.trim(), filter));
            }}
          >
            Save as segment
          </Button>
        </div>
      ) : null}
      <Rest of={rest} />
    </>
  );
}

const NO = { join: 'all', rows: [] } as const;
