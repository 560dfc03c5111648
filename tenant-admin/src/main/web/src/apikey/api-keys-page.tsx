import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { Ellipsis, PencilLine, Plus, RefreshCw, Trash2 } from 'lucide-react';
import { lazy, Suspense, useState } from 'react';
import { useNew } from '../app/new';
import { apiUrl } from '../app/config';
import { Box, Button, Code, Time } from '../kit/basics';
import kit from '../kit/kit.module.css';
import { Confirm, MenuButton, Secret } from '../kit/layers';
import { Empty, Failed, Page } from '../kit/page';
import { Pager, Table } from '../kit/table';
import { counted, countedPart } from '../words/formats';
import css from './apikey.module.css';
import { permissionText } from './permissions';
import { apiKeysQuery, revokeKey, rotateKey, type ApiKeyRow } from './queries';

const CreateKey = lazy(() => import('./dialogs').then((module) => ({ default: module.CreateKey })));
const EditKey = lazy(() => import('./dialogs').then((module) => ({ default: module.EditKey })));

function Expiry({ at }: { at: string | null }) {
  if (at === null) return <span className={kit.quiet}>never</span>;
  return Date.parse(at) <= Date.now() ? <span className={kit.wrong}>expired</span> : <Time at={at} />;
}

export function ApiKeysPage() {
  const { after } = useSearch({ from: '/shell/api-keys' });
  const navigate = useNavigate();
  const client = useQueryClient();
  const keys = useQuery(apiKeysQuery(after));
  const [creating, setCreating] = useState(false);
  useNew(() => setCreating(true));
  const [editing, setEditing] = useState<ApiKeyRow>();
  const [revoking, setRevoking] = useState<ApiKeyRow>();
  const [rotating, setRotating] = useState<ApiKeyRow>();
  const [secret, setSecret] = useState<{ name: string; text: string }>();
  const rows = keys.data?.nodes;
  const unused = rows?.filter((row) => row.lastUsedAt === null).length ?? 0;
  return (
    <Page
      title="API keys"
      needs="API_KEYS"
      acts={
        <Button kind="main" needs="API_KEYS" icon={Plus} onClick={() => setCreating(true)}>
          Create key
        </Button>
      }
    >
      {keys.error && !rows ? (
        <Box>
          <Failed error={keys.error} retry={() => void keys.refetch()} />
        </Box>
      ) : rows?.length === 0 && !after ? (
        <Box>
          <Empty title="A key lets a program send">
            <p>
              It belongs to one verified domain or to the whole account. The program sends it with each
              request, or as the password of SMTP.
            </p>
            <Code
              label="the command"
              text={`curl ${apiUrl()}/api/emails -H "Authorization: Bearer $MAILROOM_API_KEY" …`}
            />
          </Empty>
        </Box>
      ) : (
        <div className={kit.grid}>
          {after ? null : (
            <p className={kit.say}>
              {keys.data ? (
                <>
                  <strong>{countedPart(keys.data, 'key')} can use the API.</strong>
                  {unused > 0 ? ` ${counted(unused, 'key')} not used yet.` : ''}
                </>
              ) : (
                '\u00a0'
              )}
            </p>
          )}
          <Box label="API keys">
            <Table
              label="API keys"
              rows={rows}
              id={(row) => row.id}
              columns={[
                {
                  head: 'Name',
                  upTo: true,
                  narrow: 1,
                  cell: (row) => (
                    <span className={kit.label} title={row.name}>
                      {row.name}
                    </span>
                  ),
                },
                {
                  head: 'Key',
                  cell: (row) => <span className={`${kit.mono} ${kit.second}`}>{row.prefix}…</span>,
                },
                {
                  head: 'Domain',
                  upTo: true,
                  narrow: 3,
                  cell: (row) => (row.domainId === null ? 'whole account' : (row.domain?.name ?? 'deleted')),
                },
                {
                  head: 'Permissions',
                  grow: true,
                  cell: (row) => <span className={kit.second}>{permissionText(row.permissions)}</span>,
                },
                {
                  head: 'Created',
                  right: true,
                  cell: (row) => (
                    <span className={css.two}>
                      <Time at={row.createdAt} />
                      {row.createdBy ? <small title={row.createdBy}>by {row.createdBy}</small> : null}
                    </span>
                  ),
                },
                {
                  head: 'Expires',
                  right: true,
                  cell: (row) => <Expiry at={row.expiresAt} />,
                },
                {
                  head: 'Last used',
                  right: true,
                  narrow: 4,
                  cell: (row) =>
                    row.lastUsedAt ? (
                      <span className={css.two}>
                        <Time at={row.lastUsedAt} />
                        {row.lastUsedFrom ? (
                          <small title="Network address of the last use">{row.lastUsedFrom}</small>
                        ) : null}
                      </span>
                    ) : (
                      <span className={kit.quiet}>
                        never<span className={kit.narrowOnly}> used</span>
                      </span>
                    ),
                },
                {
                  head: 'Actions',
                  right: true,
                  narrow: 2,
                  needs: 'API_KEYS',
                  cell: (row) => (
                    <MenuButton
                      label={`Actions for ${row.name}`}
                      trigger={{ icon: Ellipsis, iconOnly: true, kind: 'bare' }}
                      entries={[
                        { kind: 'item', text: 'Change', icon: PencilLine, act: () => setEditing(row) },
                        { kind: 'item', text: 'Rotate', icon: RefreshCw, act: () => setRotating(row) },
                        {
                          kind: 'item',
                          text: 'Revoke',
                          icon: Trash2,
                          tone: 'bad',
                          act: () => setRevoking(row),
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
                keys.data?.pageInfo.hasNextPage
                  ? () =>
                      void navigate({
                        to: '/api-keys',
                        search: { after: keys.data.pageInfo.endCursor ?? undefined },
                      })
                  : undefined
              }
            />
          </Box>
        </div>
      )}
      <Suspense fallback={null}>
        {creating ? <CreateKey onClose={() => setCreating(false)} /> : null}
        {editing ? <EditKey row={editing} onClose={() => setEditing(undefined)} /> : null}
      </Suspense>
      {rotating ? (
        <Confirm
          title={`Rotate ${rotating.name}?`}
          verb="Rotate"
          keep="Cancel"
          mild
          onClose={() => setRotating(undefined)}
          act={async () => setSecret({ name: rotating.name, text: await rotateKey(client, rotating.id) })}
        >
          <p>
            A new key gets the name, the domain and the permissions of this one. The old key is renamed to end
            with <span className={kit.mono}>{rotating.prefix}</span> and works for another 24 hours, so that
            programs can be changed one by one.
          </p>
        </Confirm>
      ) : null}
      {secret ? (
        <Secret
          title="Copy your new API key now"
          text={secret.text}
          variable="MAILROOM_API_KEY"
          onStored={() => setSecret(undefined)}
        >
          <p>
            This is the only time that the new key <strong>{secret.name}</strong> is shown. Column Last used
            tells when no program uses the old one any more.
          </p>
        </Secret>
      ) : null}
      {revoking ? (
        <Confirm
          title={`Revoke ${revoking.name}?`}
          verb="Revoke"
          onClose={() => setRevoking(undefined)}
          act={() => revokeKey(client, revoking.id)}
        >
          <p>
            Programs that use it are refused at once.{' '}
            {revoking.lastUsedAt ? (
              <>
                It was last used at{' '}
                <strong>
                  <Time at={revoking.lastUsedAt} />
                </strong>
                .
              </>
            ) : (
              'It was never used.'
            )}{' '}
            It cannot be taken back.
          </p>
        </Confirm>
      ) : null}
    </Page>
  );
}
