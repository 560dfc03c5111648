import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { Download, Ellipsis, FileUp, PencilLine, Plus, Trash2 } from 'lucide-react';
import { lazy, Suspense, useState } from 'react';
import { file } from '../app/graphql';
import { useLiveSince } from '../app/live';
import { useListTools } from '../app/list-tools';
import { useActs, useRecent } from '../app/open';
import { Ago } from '../kit/ago';
import { Box, Button, buttonClass, ICON, Status } from '../kit/basics';
import { SearchField } from '../kit/filter';
import kit from '../kit/kit.module.css';
import { MenuButton } from '../kit/layers';
import { Empty, Failed, Live, Loading, Page, PageHeader } from '../kit/page';
import { explained, Rest } from '../kit/problems';
import { May, useRights } from '../kit/rights';
import { useSelection } from '../kit/selection';
import { Split } from '../kit/split';
import { Pager, Table, type Column } from '../kit/table';
import { counted, number } from '../words/formats';
import { subscriptionWord } from '../words/status';
import css from './contact.module.css';
import { useContactEvents } from './live';
import { bookQuery, contactsQuery, type ContactPage, type ContactRow } from './queries';

/** The view of the contacts of a book. */
export interface BookSearch {
  q?: string | undefined;
  subscribed?: 'yes' | 'no' | undefined;
  after?: string | undefined;
  open?: string | undefined;
}

const ContactDrawer = lazy(() => import('./drawer').then((module) => ({ default: module.ContactDrawer })));
const dialogs = () => import('./dialogs');
const BookSettings = lazy(() => dialogs().then((module) => ({ default: module.BookSettings })));
const EmptyBook = lazy(() => dialogs().then((module) => ({ default: module.EmptyBook })));
const DeleteBook = lazy(() => dialogs().then((module) => ({ default: module.DeleteBook })));
const AddContact = lazy(() => dialogs().then((module) => ({ default: module.AddContact })));
const ListButtons = lazy(() => import('../app/list-buttons'));
const Selected = lazy(() => import('./bulk'));

type Asking = 'add' | 'settings' | 'delete';

const COLUMNS = ['Name', 'Subscribed'];

/** A column that can be hidden; a property has its name as the head. */
const columns = (rows: readonly ContactRow[], chosen: readonly string[]): readonly Column<ContactRow>[] => [
  {
    head: 'Name',
    upTo: true,
    narrow: 3,
    cell: (row) => (
      <bdi className={kit.second} title={fullName(row)}>
        {fullName(row)}
      </bdi>
    ),
  },
  { head: 'Subscribed', narrow: 2, cell: (row) => <Status word={subscriptionWord(row)} /> },
  ...propertyNames(rows, chosen).map((name): Column<ContactRow> => ({
    head: name,
    upTo: true,
    cell: (row) => (
      <bdi className={kit.second} title={propertyText(row, name)}>
        {propertyText(row, name)}
      </bdi>
    ),
  })),
  {
    head: 'Changed',
    right: true,
    cell: (row) => (
      <span className={kit.quiet}>
        <Ago at={row.updatedAt} />
      </span>
    ),
  },
];

export function BookPage() {
  const { id } = useParams({ from: '/shell/contacts/$id' });
  const search = useSearch({ from: '/shell/contacts/$id' });
  const navigate = useNavigate({ from: '/contacts/$id' });
  const book = useQuery(bookQuery(id));
  const filter = {
    search: search.q ?? null,
    subscribed: search.subscribed ? search.subscribed === 'yes' : null,
  };
  const filtered = Boolean(search.q ?? search.subscribed);
  const contacts = useQuery({
    ...contactsQuery({ book: id, after: search.after ?? null, ...filter }),
    enabled: !book.error,
  });
  const ticks = useSelection(JSON.stringify([id, search.q, search.subscribed, search.after]));
  const [asking, setAsking] = useState<Asking>();
  const tools = useListTools(`contacts ${id}`, COLUMNS);
  const download = useExport(id, book.data?.name, filter);
  const { may } = useRights();
  const add = () => setAsking('add');
  const since = useLiveSince();
  useContactEvents();
  useRecent(book.data?.name, `/contacts/${id}`);
  useActs(
    book.data
      ? [
          { text: 'Add a contact', needs: 'CONTACTS', act: add },
          {
            text: 'Import contacts',
            needs: 'CONTACTS',
            act: () => void navigate({ to: '/contacts/$id/import', params: { id } }),
          },
          { text: 'Settings of the book', needs: 'CONTACTS', act: () => setAsking('settings') },
        ]
      : [],
  );
  const up = { to: '/contacts', text: 'Contacts' };
  if (!book.data) {
    return (
      <Page title="Contact book" up={up}>
        <Box>
          {book.error ? (
            <Failed error={book.error} retry={() => void book.refetch()} />
          ) : (
            <Loading lines={6} />
          )}
        </Box>
      </Page>
    );
  }
  const { name, contactCount, figures, doubleOptIn } = book.data;
  const rows = contacts.data?.nodes;
  const optional = columns(rows ?? [], tools.columns);
  const view = (change: BookSearch, replace = false) =>
    void navigate({ search: (old) => ({ ...old, ...change }), replace });
  const open = (row: ContactRow | undefined) => view({ open: row?.id }, search.open !== undefined);
  const at = rows?.findIndex((row) => row.id === search.open) ?? -1;
  const close = () => setAsking(undefined);
  const importLink = (
    <May right="CONTACTS">
      <Link to="/contacts/$id/import" params={{ id }} className={buttonClass({})}>
        <FileUp {...ICON} />
        Import
      </Link>
    </May>
  );
  return (
    <>
      <Split
        label="Contacts, newest first"
        drawerLabel="Contact"
        onClose={() => open(undefined)}
        head={
          <>
            <PageHeader
              title={name}
              up={up}
              after={<Live since={since} />}
              needs="CONTACTS"
              acts={
                <>
                  {importLink}
                  {contactCount > 0 ? (
                    <Button
                      icon={Download}
                      busy={download.busy}
                      title={filtered ? 'Those that match, as CSV' : 'All contacts, as CSV'}
                      onClick={download.run}
                    >
                      Export
                    </Button>
                  ) : null}
                  <MenuButton
                    label={`Acts for ${name}`}
                    trigger={{ icon: Ellipsis, iconOnly: true }}
                    entries={[
                      {
                        kind: 'item',
                        text: 'Settings',
                        icon: PencilLine,
                        needs: 'CONTACTS',
                        act: () => setAsking('settings'),
                      },
                      {
                        kind: 'item',
                        text: 'Delete',
                        icon: Trash2,
                        tone: 'bad',
                        needs: 'CONTACTS',
                        act: () => setAsking('delete'),
                      },
                    ]}
                  />
                  <Button kind="main" icon={Plus} needs="CONTACTS" onClick={add}>
                    Add contact
                  </Button>
                </>
              }
            />
            <p className={kit.say}>
              {sentence(contactCount, figures.subscribedCount, figures.addedCount)}
              {doubleOptIn ? ' New contacts are asked to confirm.' : ''}
            </p>
            <Rest of={download.rest} />
          </>
        }
        filters={
          contactCount > 0 || filtered ? (
            <>
              <SearchField
                label="Address or name"
                value={search.q}
                onChange={(q) => view({ q, after: undefined }, true)}
              />
              <select
                className={kit.input}
                aria-label="Subscription"
                value={search.subscribed ?? ''}
                onChange={(event) =>
                  view(
                    {
                      subscribed: (event.target.value || undefined) as BookSearch['subscribed'],
                      after: undefined,
                    },
                    true,
                  )
                }
              >
                <option value="">Subscribed or not</option>
                <option value="yes">Subscribed</option>
                <option value="no">Unsubscribed</option>
              </select>
              {filtered ? (
                <Button
                  kind="bare"
                  onClick={() => view({ q: undefined, subscribed: undefined, after: undefined }, true)}
                >
                  Clear
                </Button>
              ) : null}
              <span className={css.tools}>
                <Suspense fallback={null}>
                  <ListButtons
                    tools={tools}
                    columns={optional.map((column) => column.head)}
                    search={{ q: search.q, subscribed: search.subscribed }}
                    onApply={(saved) =>
                      view({
                        q: undefined,
                        subscribed: undefined,
                        ...saved,
                        after: undefined,
                        open: undefined,
                      })
                    }
                  />
                </Suspense>
              </span>
              {filtered && contacts.data && !search.after ? (
                <span className={kit.quiet} role="status">
                  {matching(contacts.data)}
                </span>
              ) : null}
            </>
          ) : undefined
        }
        bar={
          ticks.size > 0 ? (
            <Suspense fallback={null}>
              <Selected
                book={book.data}
                filter={filter}
                ticks={ticks}
                rows={rows ?? []}
                names={propertyNames(rows ?? [], [])}
                more={Boolean(search.after) || Boolean(contacts.data?.pageInfo.hasNextPage)}
                download={download}
                onDone={() => view({ open: undefined, after: undefined }, true)}
              />
            </Suspense>
          ) : (
            <Pager
              from={search.after ? 0 : 1}
              shown={rows?.length ?? 0}
              total={contacts.data?.totalCount ?? null}
              newer={search.after ? () => window.history.back() : undefined}
              older={
                contacts.data?.pageInfo.hasNextPage
                  ? () => view({ after: contacts.data.pageInfo.endCursor ?? undefined, open: undefined })
                  : undefined
              }
            />
          )
        }
        drawer={
          search.open ? (
            <Suspense fallback={<Loading lines={6} />}>
              <ContactDrawer
                key={search.open}
                book={id}
                id={search.open}
                onClose={() => open(undefined)}
                previous={at > 0 ? () => open(rows![at - 1]) : undefined}
                next={rows && at >= 0 && at < rows.length - 1 ? () => open(rows[at + 1]) : undefined}
              />
            </Suspense>
          ) : null
        }
      >
        {contacts.error && !rows ? (
          <Failed error={contacts.error} retry={() => void contacts.refetch()} />
        ) : rows?.length === 0 ? (
          filtered ? (
            <Empty title="No contact matches">
              <p>The search covers addresses and names.</p>
              <Button onClick={() => view({ q: undefined, subscribed: undefined, after: undefined })}>
                Clear filters
              </Button>
            </Empty>
          ) : search.after ? (
            <Empty title="The list ends here">
              <Button onClick={() => view({ after: undefined })}>To the newest</Button>
            </Empty>
          ) : (
            <Suspense fallback={null}>
              <EmptyBook book={id} importLink={importLink} onAdd={add} />
            </Suspense>
          )
        ) : (
          <Table
            label="Contacts"
            full
            rows={rows}
            id={(row) => row.id}
            name={(row) => row.email}
            selected={search.open}
            onOpen={open}
            href={(row) => `/contacts/${id}?open=${row.id}`}
            {...(may('CONTACTS') ? { ticks } : {})}
            columns={[
              {
                head: 'Email',
                grow: true,
                narrow: 1,
                cell: (row) => (
                  <Link
                    to="/contacts/$id"
                    params={{ id }}
                    search={(old) => ({ ...old, open: row.id })}
                    className={kit.row}
                    data-row
                    title={row.email}
                    onClick={(event) => {
                      if (event.ctrlKey || event.metaKey) return;
                      event.preventDefault();
                      open(row);
                    }}
                  >
                    <bdi>{row.email}</bdi>
                  </Link>
                ),
              },
              ...optional.filter((column) => tools.columns.includes(column.head)),
              {
                head: 'Added',
                right: true,
                sorted: true,
                narrow: 4,
                cell: (row) => (
                  <span className={kit.quiet}>
                    <Ago at={row.createdAt} />
                  </span>
                ),
              },
            ]}
          />
        )}
      </Split>
      <Suspense fallback={null}>
        {asking === 'add' ? (
          <AddContact
            book={book.data}
            onClose={close}
            onAdded={(contact) =>
              view({ open: contact, q: undefined, subscribed: undefined, after: undefined })
            }
          />
        ) : null}
        {asking === 'settings' ? <BookSettings book={book.data} onClose={close} /> : null}
        {asking === 'delete' ? (
          <DeleteBook book={book.data} onClose={close} onDeleted={() => void navigate({ to: '/contacts' })} />
        ) : null}
      </Suspense>
    </>
  );
}

/** Names of the properties of the shown contacts, and of columns that were chosen for others. */
function propertyNames(rows: readonly ContactRow[], chosen: readonly string[]): readonly string[] {
  const names = new Set(rows.flatMap((row) => Object.keys((row.properties ?? {}) as object)));
  chosen.filter((head) => ![...COLUMNS, 'Changed'].includes(head)).forEach((head) => names.add(head));
  return [...names].filter((name) => ![...COLUMNS, 'Changed', 'Email', 'Added'].includes(name)).sort();
}

function propertyText(row: ContactRow, name: string): string {
  const value = ((row.properties ?? {}) as Record<string, unknown>)[name];
  if (value === undefined || value === null) return '';
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function fullName(row: ContactRow): string {
  return `${row.firstName} ${row.lastName}`.trim();
}

/** The number of contacts that match, of whom the first page was read. */
function matching({ nodes, pageInfo }: ContactPage) {
  if (pageInfo.hasNextPage) return `More than ${counted(nodes.length, 'contact')} match`;
  return `${counted(nodes.length, 'contact')} ${nodes.length === 1 ? 'matches' : 'match'}`;
}

function sentence(contacts: number, subscribed: number, added: number) {
  if (contacts === 0) return <strong>The book is empty.</strong>;
  const recent =
    added > 0 ? ` ${added === contacts ? 'All' : number(added)} of them were added in the last 30 days.` : '';
  if (subscribed === contacts)
    return (
      <>
        <strong>
          {contacts === 1 ? 'The only contact is' : `All ${number(contacts)} contacts are`} subscribed.
        </strong>
        {contacts > 1 ? recent : ''}
      </>
    );
  return (
    <>
      <strong>
        {number(subscribed)} of {counted(contacts, 'contact')} {subscribed === 1 ? 'is' : 'are'} subscribed.
      </strong>
      {recent}
    </>
  );
}

/** Saves the contacts that match as a file. */
function useExport(
  id: string,
  name: string | undefined,
  filter: { search: string | null; subscribed: boolean | null },
) {
  const [busy, setBusy] = useState(false);
  const [rest, setRest] = useState<string[]>([]);
  const run = () => {
    setBusy(true);
    setRest([]);
    const query = new URLSearchParams({
      ...(filter.search ? { search: filter.search } : {}),
      ...(filter.subscribed === null ? {} : { subscribed: String(filter.subscribed) }),
    });
    file(`/export/contact-books/${id}?${query.toString()}`)
      .then((blob) => {
        const link = document.createElement('a');
        link.href = URL.createObjectURL(blob);
        link.download = `${name ?? 'contacts'}.csv`;
        link.click();
        setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
      })
      .catch((error: unknown) => setRest(explained(error, []).rest))
      .finally(() => setBusy(false));
  };
  return { busy, rest, run };
}
