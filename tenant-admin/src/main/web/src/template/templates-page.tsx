import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { Plus } from 'lucide-react';
import { apiUrl } from '../app/config';
import { Box, Button, buttonClass, Code, ICON, Time } from '../kit/basics';
import { SearchField } from '../kit/filter';
import { FilterBar } from '../kit/filter-bar';
import kit from '../kit/kit.module.css';
import { Empty, Failed, Page } from '../kit/page';
import { May } from '../kit/rights';
import { Pager, Table } from '../kit/table';
import { capital, countedPart } from '../words/formats';
import { templatesQuery } from './queries';

/** Names of placeholders that a row shows. */
const MAX_NAMES = 3;

export function TemplatesPage() {
  const { q, after } = useSearch({ from: '/shell/templates' });
  const navigate = useNavigate({ from: '/templates' });
  const templates = useQuery(templatesQuery({ search: q ?? null, after: after ?? null }));
  const rows = templates.data?.nodes;
  const create = (
    <May right="TEMPLATES">
      <Link to="/templates/$id" params={{ id: 'new' }} className={buttonClass({ kind: 'main' })}>
        <Plus {...ICON} />
        New template
      </Link>
    </May>
  );
  return (
    <Page title="Templates" needs="TEMPLATES" acts={create}>
      {templates.error && !rows ? (
        <Box>
          <Failed error={templates.error} retry={() => void templates.refetch()} />
        </Box>
      ) : rows?.length === 0 && !q && !after ? (
        <Box>
          <Empty title="Reuse an email with variables">
            <p>
              Write it once with placeholders such as {'{{name}}'}. Each email that names the template fills
              them in.
            </p>
            <Code
              label="the command"
              text={`curl ${apiUrl()}/api/templates -H "Authorization: Bearer $TOKEN" \\\n  -H 'Content-Type: application/json' \\\n  -d '{"name": "welcome", "subject": "Hello {{name}}", "text_content": "Welcome, {{name|friend}}."}'`}
            />
          </Empty>
        </Box>
      ) : (
        <div className={kit.grid}>
          {q || after ? null : (
            <p className={kit.say}>
              {templates.data ? (
                <>
                  <strong>{capital(countedPart(templates.data, 'template'))}.</strong> A program sends one by
                  its id or its name.
                </>
              ) : (
                '\u00a0'
              )}
            </p>
          )}
          <FilterBar>
            <SearchField
              label="Name or subject"
              value={q}
              onChange={(value) => void navigate({ search: { q: value }, replace: true })}
            />
          </FilterBar>
          <Box label="Templates">
            {rows?.length === 0 ? (
              <Empty title="No template matches">
                <p>The search covers names and subjects.</p>
                <Button onClick={() => void navigate({ search: {} })}>Clear the filter</Button>
              </Empty>
            ) : (
              <Table
                label="Templates"
                rows={rows}
                id={(row) => row.id}
                href={(row) => `/templates/${row.id}`}
                onOpen={(row) => void navigate({ to: '/templates/$id', params: { id: row.id } })}
                columns={[
                  {
                    head: 'Name',
                    upTo: true,
                    narrow: 1,
                    cell: (row) => (
                      <Link
                        to="/templates/$id"
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
                    head: 'Subject',
                    grow: true,
                    narrow: 3,
                    cell: (row) =>
                      row.subject ? (
                        <bdi className={kit.second} title={row.subject}>
                          {row.subject}
                        </bdi>
                      ) : (
                        <span className={kit.quiet}>none</span>
                      ),
                  },
                  {
                    head: 'Variables',
                    upTo: true,
                    cell: (row) =>
                      row.variables.length > 0 ? (
                        <span className={kit.second} title={row.variables.join(', ')}>
                          {row.variables.slice(0, MAX_NAMES).join(', ')}
                          {row.variables.length > MAX_NAMES
                            ? ` and ${row.variables.length - MAX_NAMES} more`
                            : ''}
                        </span>
                      ) : (
                        <span className={kit.quiet}>none</span>
                      ),
                  },
                  {
                    head: 'Changed',
                    right: true,
                    narrow: 2,
                    cell: (row) => (
                      <span className={kit.quiet}>
                        <Time at={row.updatedAt} />
                      </span>
                    ),
                  },
                ]}
              />
            )}
            <Pager
              from={0}
              shown={rows?.length ?? 0}
              newer={after ? () => window.history.back() : undefined}
              older={
                templates.data?.pageInfo.hasNextPage
                  ? () =>
                      void navigate({ search: { q, after: templates.data.pageInfo.endCursor ?? undefined } })
                  : undefined
              }
            />
          </Box>
        </div>
      )}
    </Page>
  );
}
