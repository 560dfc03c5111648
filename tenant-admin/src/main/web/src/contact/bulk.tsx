/** Acts on the selected contacts: unsubscribe, set a property, copy or move to another book. */
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Copy, Download, MailX, Tag, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { Button, Note } from '../kit/basics';
import { csv, save } from '../kit/csv';
import { SelectField, TextField } from '../kit/fields';
import { Form, rules, useFields } from '../kit/form';
import kit from '../kit/kit.module.css';
import { Confirm, Dialog } from '../kit/layers';
import { Rest } from '../kit/problems';
import type { Selection as Ticks } from '../kit/selection';
import { SelectionBar } from '../kit/selection-bar';
import { counted, number } from '../words/formats';
import { DeleteSelected } from './dialogs';
import {
  booksQuery,
  changeSelected,
  countContacts,
  type Change,
  type ContactFilter,
  type ContactRow,
  type Selected,
} from './queries';

type Act = 'unsubscribe' | 'move' | 'property' | 'delete';

/** The bar of the selected contacts, with the acts on them. */
export default function Selection({
  book,
  filter,
  ticks,
  rows,
  names,
  more,
  download,
  onDone,
}: {
  book: { id: string; name: string; contactCount: number };
  filter: ContactFilter;
  ticks: Ticks;
  rows: readonly ContactRow[];
  /** Names of properties that the contacts have. */
  names: readonly string[];
  more: boolean;
  /** The export of all that match. */
  download: { busy: boolean; run: () => void };
  onDone: () => void;
}) {
  const [act, setAct] = useState<Act>();
  const all = ticks.all !== null;
  const props: BulkProps = {
    selected: { book: book.id, ids: [...ticks.ids], filter: all ? filter : undefined },
    total: ticks.all ?? ticks.size,
    onClose: () => setAct(undefined),
    onDone: () => {
      ticks.clear();
      onDone();
    },
  };
  return (
    <>
      <SelectionBar
        ticks={ticks}
        shown={rows.length}
        more={more}
        count={() => countContacts({ book: book.id, ...filter })}
      >
        <Button small icon={MailX} onClick={() => setAct('unsubscribe')}>
          Unsubscribe
        </Button>
        <Button small icon={Copy} onClick={() => setAct('move')}>
          Copy or move
        </Button>
        <Button small icon={Tag} onClick={() => setAct('property')}>
          Set property
        </Button>
        <Button
          small
          icon={Download}
          busy={download.busy}
          onClick={() =>
            all ? download.run() : save(book.name, contactsCsv(rows.filter((row) => ticks.has(row.id))))
          }
        >
          Export
        </Button>
        <Button small kind="bad" icon={Trash2} onClick={() => setAct('delete')}>
          Delete
        </Button>
      </SelectionBar>
      {act === 'unsubscribe' ? <UnsubscribeSelected {...props} /> : null}
      {act === 'property' ? <PropertySelected {...props} names={names} /> : null}
      {act === 'move' ? <MoveSelected {...props} /> : null}
      {act === 'delete' ? (
        <DeleteSelected
          book={book}
          ids={props.selected.ids}
          filter={props.selected.filter}
          total={props.total}
          onClose={props.onClose}
          onDeleted={props.onDone}
        />
      ) : null}
    </>
  );
}

/** Contacts as a file, with the columns of the server's export. */
function contactsCsv(rows: readonly ContactRow[]): string {
  return csv(
    ['email', 'first_name', 'last_name', 'subscribed', 'properties'],
    rows.map((row) => [
      row.email,
      row.firstName,
      row.lastName,
      String(row.subscribed),
      JSON.stringify(row.properties),
    ]),
  );
}

interface BulkProps {
  readonly selected: Selected;
  readonly total: number;
  readonly onClose: () => void;
  readonly onDone: () => void;
}

function useChange({ selected, onDone }: BulkProps) {
  const client = useQueryClient();
  const [changed, setChanged] = useState(0);
  return {
    changed,
    run: async (change: Change) => {
      const skipped = await changeSelected(client, selected, change, setChanged);
      onDone();
      return skipped;
    },
  };
}

function Progress({ changed, total }: { changed: number; total: number }) {
  return changed > 0 ? (
    <p role="status" className={kit.help}>
      {number(changed)} of {number(total)} changed
    </p>
  ) : null;
}

function UnsubscribeSelected(props: BulkProps) {
  const { total, onClose } = props;
  const { changed, run } = useChange(props);
  return (
    <Confirm
      title={`Unsubscribe ${counted(total, 'contact')}?`}
      verb={`Unsubscribe ${number(total)}`}
      keep="Cancel"
      onClose={onClose}
      act={() => run({ action: 'UNSUBSCRIBE' })}
    >
      <p>
        Campaigns are not sent to them any more. They stay in the book. An import does not subscribe them
        again unless it says so.
      </p>
      <Progress changed={changed} total={total} />
    </Confirm>
  );
}

function PropertySelected(props: BulkProps & { readonly names: readonly string[] }) {
  const { total, names, onClose } = props;
  const { changed, run } = useChange({ ...props, onDone: () => undefined });
  const [skipped, setSkipped] = useState(0);
  const close = () => {
    props.onDone();
    onClose();
  };
  const fields = useFields(
    { name: '', value: '' },
    { name: rules.required('a name') },
    async ({ name, value }) => {
      const left = await run({
        action: 'SET_PROPERTY',
        property: name.trim(),
        ...(value === '' ? {} : { value }),
      });
      if (left === 0) close();
      else setSkipped(left);
    },
  );
  if (skipped > 0)
    return (
      <Dialog title="Property set" onClose={close}>
        <Note tone="warn">
          {number(changed)} of {number(total)} changed. {counted(skipped, 'contact was', 'contacts were')}{' '}
          skipped: with this value their properties would have more than 10,000 characters.
        </Note>
        <div className={kit.dialogActs}>
          <Button kind="main" onClick={close}>
            Done
          </Button>
        </div>
      </Dialog>
    );
  return (
    <Dialog title={`Set a property of ${counted(total, 'contact')}`} onClose={onClose}>
      <Form fields={fields} label="Set a property">
        <TextField
          label="Property"
          list="property-names"
          autoComplete="off"
          maxLength={200}
          data-autofocus
          {...fields.form.getInputProps('name')}
        />
        <datalist id="property-names">
          {names.map((name) => (
            <option key={name} value={name}>
              {name}
            </option>
          ))}
        </datalist>
        <TextField
          label="Value"
          optional
          help="Replaces the present value. An empty value removes the property."
          autoComplete="off"
          {...fields.form.getInputProps('value')}
        />
        <Progress changed={changed} total={total} />
        <Rest of={fields.rest} />
        <div className={kit.dialogActs}>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" kind="main" busy={fields.busy}>
            Set property
          </Button>
        </div>
      </Form>
    </Dialog>
  );
}

function MoveSelected(props: BulkProps) {
  const { total, selected, onClose } = props;
  const { changed, run } = useChange(props);
  const books = useQuery(booksQuery(undefined));
  const fields = useFields(
    { book: '', move: false },
    { book: rules.required('a book') },
    async ({ book, move }) => {
      await run({ action: move ? 'MOVE' : 'COPY', targetBookId: book });
      onClose();
    },
  );
  const { form } = fields;
  return (
    <Dialog title={`Copy or move ${counted(total, 'contact')}`} onClose={onClose}>
      <Form fields={fields} label="Copy or move">
        <SelectField label="To the book" data-autofocus {...form.getInputProps('book')}>
          <option value="">Choose one</option>
          {books.data?.nodes
            .filter((book) => book.id !== selected.book)
            .map((book) => (
              <option key={book.id} value={book.id}>
                {book.name}
              </option>
            ))}
        </SelectField>
        <label className={kit.check}>
          <input
            type="checkbox"
            checked={form.values.move}
            onChange={(event) => form.setFieldValue('move', event.target.checked)}
          />
          <div>
            Move them
            <span>They leave this book, and get a new id in the other one.</span>
          </div>
        </label>
        <p className={kit.help}>
          Names, properties and subscriptions are copied. Contacts that the other book already has stay as
          they are. A book with double opt-in asks subscribed contacts to confirm.
        </p>
        <Progress changed={changed} total={total} />
        <Rest of={fields.rest} />
        <div className={kit.dialogActs}>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" kind="main" busy={fields.busy}>
            {form.values.move ? 'Move' : 'Copy'} {number(total)}
          </Button>
        </div>
      </Form>
    </Dialog>
  );
}
