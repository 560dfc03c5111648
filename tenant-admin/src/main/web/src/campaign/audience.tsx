import { useDebouncedValue } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Plus, X } from 'lucide-react';
import { useId } from 'react';
import { Button, Note } from '../kit/basics';
import { SelectField, TextField } from '../kit/fields';
import type { Fields } from '../kit/form';
import kit from '../kit/kit.module.css';
import { Failed } from '../kit/page';
import { counted, number } from '../words/formats';
import css from './compose.module.css';
import { describeFilter, toFilter, type Condition } from './filter';
import { audienceQuery, type Choices } from './queries';
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
          {rows.map((row, index) => (
            <div key={index} className={css.condition} data-kind={row.kind}>
              <select
                className={kit.input}
                aria-label={`Condition ${index + 1}`}
                value={row.kind}
                onChange={(event) =>
                  edit(index, { kind: event.target.value as Condition['kind'], value: '' })
                }
              >
                <option value="property">Property</option>
                <option value="after">Added after</option>
                <option value="before">Added before</option>
              </select>
              {row.kind === 'property' ? (
                <input
                  className={kit.input}
                  aria-label={`Property ${index + 1}`}
                  placeholder="city"
                  list={names}
                  value={row.name}
                  onChange={(event) => edit(index, { name: event.target.value })}
                />
              ) : null}
              <input
                className={kit.input}
                aria-label={`Value ${index + 1}`}
                type={row.kind === 'property' ? 'text' : 'date'}
                placeholder={row.kind === 'property' ? 'is' : undefined}
                value={row.value}
                onChange={(event) => edit(index, { value: event.target.value })}
              />
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
            {audience.data?.properties.map((name) => (
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
          <b>{counted(audience.data.recipients, 'person', 'people')}</b> of {number(audience.data.contacts)}{' '}
          in the book: {number(audience.data.contacts - audience.data.subscribed)} not subscribed,{' '}
          {number(audience.data.subscribed - audience.data.recipients)} outside the filter.
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
