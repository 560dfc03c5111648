import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { Ellipsis, FileUp, PencilLine, Plus, Trash2 } from 'lucide-react';
import { lazy, Suspense, useState } from 'react';
import { apiUrl } from '../app/config';
import { Box, Button, Code } from '../kit/basics';
import kit from '../kit/kit.module.css';
import { MenuButton } from '../kit/layers';
import { Empty, Failed, Page } from '../kit/page';
import { Pager, Table } from '../kit/table';
import { capital, counted, number } from '../words/formats';
import { useContactEvents } from './live';
import { booksQuery, limitQuery, type BookRow } from './queries';

const BookSettings = lazy(() => import('./dialogs').then((module) => ({ default: module.BookSettings })));
const DeleteBook = lazy(() => import('./dialogs').then((module) => ({ default: module.DeleteBook })));

export function ContactsPage() {
  const { after } = useSearch({ from: '/shell/contacts' });
  const navigate = useNavigate();
  const books = useQuery(booksQuery(after));
  const limit = useQuery(limitQuery);
  const [asking, setAsking] = useState<{ act: 'create' } | { act: 'rename' | 'delete'; book: BookRow }>();
  useContactEvents();
  const rows = books.data?.nodes;
  const subscribed = rows?.reduce((sum, row) => sum + row.figures.subscribedCount, 0) ?? 0;
  const close = () => setAsking(undefined);
  const open = (row: BookRow) => void navigate({ to: '/contacts/$id', params: { id: row.id } });
  return (
    <Page
      title="Contacts"
      needs="CONTACTS"
      acts={
        <Button kind="main" needs="CONTACTS" icon={Plus} onClick={() => setAsking({ act: 'create' })}>
          New book
        </Button>
      }
    >
      {books.error && !rows ? (
        <Box>
          <Failed error={books.error} retry={() => void books.refetch()} />
        </Box>
      ) : rows?.length === 0 && !after ? (
        <Box>
          <Empty title="A book holds the people that a campaign is sent to">
            <p>Create one, then paste a CSV, import a file or add contacts by program.</p>
            <Code
              label="the command"
              text={`curl ${apiUrl()}/api/contact-books -H "Authorization: Bearer $TOKEN" \\\n  -H 'Content-Type: application/json' -d '{"name": "Readers"}'`}
            />
          </Empty>
        </Box>
      ) : (
        <div className={kit.grid}>
          <p className={kit.say}>
            {books.data ? (
              <>
                <strong>{capital(counted(subscribed, 'contact'))} may be written to</strong>, in{' '}
                {after || books.data.pageInfo.hasNextPage
                  ? 'the books of this page'
                  : counted(books.data.nodes.length, 'book')}
                .
              </>
            ) : (
              '\u00a0'
            )}
            {rows && limit.data?.contacts.limit
              ? ` The plan allows ${number(limit.data.contacts.limit)} contacts; ${number(limit.data.contacts.used)} ${limit.data.contacts.used === 1 ? 'is' : 'are'} used.`
              : ''}
          </p>
          <Box label="Contact books">
            <Table
              label="Contact books"
              rows={rows}
              id={(row) => row.id}
              href={(row) => `/contacts/${row.id}`}
              onOpen={open}
              columns={[
                {
                  head: 'Name',
                  grow: true,
                  narrow: 1,
                  cell: (row) => (
                    <Link
                      to="/contacts/$id"
                      params={{ id: row.id }}
                      className={kit.row}
                      data-row
                      title={row.name}
                    >
                      <bdi>{row.name}</bdi>
                    </Link>
                  ),
                },
                {
                  head: 'Contacts',
                  right: true,
                  narrow: 3,
                  cell: (row) => <Figure value={row.contactCount} noun="contact" />,
                },
                { head: 'Subscribed', right: true, cell: (row) => number(row.figures.subscribedCount) },
                {
                  head: 'Growth, 30 days',
                  right: true,
                  narrow: 4,
                  cell: (row) =>
                    row.figures.addedCount > 0 ? (
                      <>
                        +{number(row.figures.addedCount)}
                        <span className={kit.narrowOnly}> in 30 days</span>
                      </>
                    ) : (
                      <span className={kit.quiet}>
                        none<span className={kit.narrowOnly}> in 30 days</span>
                      </span>
                    ),
                },
                {
                  head: 'Actions',
                  right: true,
                  narrow: 2,
                  needs: 'CONTACTS',
                  cell: (row) => (
                    <MenuButton
                      label={`Acts for ${row.name}`}
                      trigger={{ icon: Ellipsis, iconOnly: true, kind: 'bare' }}
                      entries={[
                        {
                          kind: 'item',
                          text: 'Import contacts',
                          icon: FileUp,
                          act: () => void navigate({ to: '/contacts/$id/import', params: { id: row.id } }),
                        },
                        {
                          kind: 'item',
                          text: 'Rename',
                          icon: PencilLine,
                          act: () => setAsking({ act: 'rename', book: row }),
                        },
                        {
                          kind: 'item',
                          text: 'Delete',
                          icon: Trash2,
                          tone: 'bad',
                          act: () => setAsking({ act: 'delete', book: row }),
                        },
                      ]}
                    />
                  ),
                },
              ]}
            />
            <Pager
              from={0}
              shown={rows?.length ?? 0}
              newer={after ? () => window.history.back() : undefined}
              older={
                books.data?.pageInfo.hasNextPage
                  ? () =>
                      void navigate({
                        to: '/contacts',
                        search: { after: books.data.pageInfo.endCursor ?? undefined },
                      })
                  : undefined
              }
            />
          </Box>
        </div>
      )}
      <Suspense fallback={null}>
        {asking?.act === 'create' ? (
          <BookSettings
            onClose={close}
            onCreated={(id) => void navigate({ to: '/contacts/$id', params: { id } })}
          />
        ) : null}
        {asking?.act === 'rename' ? <BookSettings book={asking.book} onClose={close} /> : null}
        {asking?.act === 'delete' ? <DeleteBook book={asking.book} onClose={close} /> : null}
      </Suspense>
    </Page>
  );
}

/** A number, with its noun where the head of the column is not shown. */
function Figure({ value, noun }: { value: number; noun: string }) {
  return (
    <>
      {number(value)}
      <span className={kit.narrowOnly}> {value === 1 ? noun : `${noun}s`}</span>
    </>
  );
}
