import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { Search } from 'lucide-react';
import { lazy, Suspense, useEffect, useState } from 'react';
import { Box, Button } from '../kit/basics';
import { TextField } from '../kit/fields';
import { Form, rules, useFields } from '../kit/form';
import kit from '../kit/kit.module.css';
import { Sheet } from '../kit/layers';
import { Empty, Failed, Loading, Page } from '../kit/page';
import { Rest } from '../kit/problems';
import css from './operator.module.css';
import { searchQuery } from './search-queries';

const FoundList = lazy(() => import('./found-list'));
const FoundMail = lazy(() => import('./found-mail'));

/** The search that was sent last. Its reason is not part of the URL: each reader of a copied link gives one. */
let sent: { readonly text: string; readonly reason: string } | undefined;

export function SearchPage() {
  const { q, after, open } = useSearch({ from: '/shell/operator/emails' });
  const navigate = useNavigate({ from: '/operator/emails' });
  const [search, setSearch] = useState(sent && sent.text === q ? sent : undefined);
  const query = useQuery({
    ...searchQuery(search?.text ?? '', search?.reason ?? '', after),
    enabled: search !== undefined,
  });
  const fields = useFields(
    { text: q ?? '', reason: search?.reason ?? '' },
    {
      text: (value) => (value.trim().length >= 2 ? null : 'Enter at least two characters.'),
      reason: rules.required('a reason'),
    },
    async ({ text, reason }) => {
      sent = { text: text.trim(), reason: reason.trim() };
      setSearch(sent);
      await navigate({ search: { q: sent.text } });
    },
  );
  // Another text, from the palette or by going back, needs a reason again.
  useEffect(() => {
    if (q === sent?.text) return;
    setSearch(undefined);
    fields.form.setFieldValue('text', q ?? '');
  }, [q]);
  const rows = search ? query.data?.nodes : undefined;
  const shown = rows?.find((row) => row.id === open);
  return (
    <Page title="Email search">
      <div className={`${kit.grid} ${css.dense}`}>
        <p className={kit.say}>
          <strong>Find an email of any account.</strong> By id, or by part of an address or of the subject
          among the newest 20,000. The audit log keeps each search with its reason.
        </p>
        <Form fields={fields} label="Search">
          <div className={css.reason}>
            <TextField
              label="Address, subject or id"
              autoComplete="off"
              spellCheck={false}
              data-filter
              {...fields.form.getInputProps('text')}
            />
            <TextField
              label="Reason"
              autoComplete="off"
              maxLength={1000}
              placeholder="Ticket 4471"
              {...fields.form.getInputProps('reason')}
            />
            <Button type="submit" kind="main" icon={Search} busy={fields.busy || query.isFetching}>
              Search
            </Button>
          </div>
          <Rest of={fields.rest} />
        </Form>
        {search ? (
          <Box label="Emails found">
            {query.error && !rows ? (
              <Failed error={query.error} retry={() => void query.refetch()} />
            ) : rows?.length === 0 ? (
              <Empty title="No mail matches">
                <p>
                  An id finds an email of any age. Text is looked for in recipients and subjects of the newest
                  20,000 emails.
                </p>
              </Empty>
            ) : (
              <Suspense fallback={<Loading lines={6} />}>
                <FoundList
                  rows={rows}
                  onOpen={(row) => void navigate({ search: (old) => ({ ...old, open: row.id }) })}
                  newer={after ? () => window.history.back() : undefined}
                  older={
                    query.data?.pageInfo.hasNextPage
                      ? () =>
                          void navigate({
                            search: (old) => ({
                              ...old,
                              after: query.data.pageInfo.endCursor ?? undefined,
                              open: undefined,
                            }),
                          })
                      : undefined
                  }
                />
              </Suspense>
            )}
          </Box>
        ) : null}
      </div>
      {search && shown ? (
        <Sheet
          title="Email"
          side="right"
          onClose={() => void navigate({ search: (old) => ({ ...old, open: undefined }) })}
        >
          <Suspense fallback={<Loading lines={6} />}>
            <FoundMail
              row={shown}
              reason={search.reason}
              onClose={() => void navigate({ search: (old) => ({ ...old, open: undefined }) })}
            />
          </Suspense>
        </Sheet>
      ) : null}
    </Page>
  );
}
