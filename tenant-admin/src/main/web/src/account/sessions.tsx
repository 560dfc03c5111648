import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { accepted, request } from '../app/graphql';
import { EndSessionDocument, type SessionsQuery } from '../gen/graphql';
import { Box, Button, Id, Note, Time } from '../kit/basics';
import kit from '../kit/kit.module.css';
import { Confirm } from '../kit/layers';
import { Failed } from '../kit/page';
import { Table } from '../kit/table';
import { sessionsQuery } from './queries';

type OpenSession = NonNullable<SessionsQuery['viewer']>['sessions'][number];

/** The open sessions, each with a button that ends it. */
export default function Sessions() {
  const client = useQueryClient();
  const sessions = useQuery(sessionsQuery);
  const [ending, setEnding] = useState<OpenSession>();
  if (sessions.error && !sessions.data)
    return <Failed error={sessions.error} retry={() => void sessions.refetch()} />;
  return (
    <>
      <Box>
        <Table
          label="Sessions"
          rows={sessions.data}
          id={(row) => row.id}
          columns={[
            {
              head: 'Device',
              grow: true,
              narrow: 1,
              cell: (row) => (
                <>
                  {row.device ?? 'Unknown device'}
                  {row.current ? <span className={kit.second}> this session</span> : null}
                </>
              ),
            },
            {
              head: 'Signed in',
              narrow: 3,
              cell: (row) => (
                <span className={kit.second}>
                  <Time at={row.createdAt} />
                </span>
              ),
            },
            {
              head: 'Ends',
              narrow: 4,
              cell: (row) => (
                <span className={kit.second}>
                  ends <Time at={row.expiresAt} />
                </span>
              ),
            },
            { head: 'Session', cell: (row) => <Id id={row.id} short /> },
            {
              head: 'Act',
              right: true,
              narrow: 2,
              cell: (row) => (
                <Button
                  small
                  kind="bad"
                  aria-label={`End the session of ${row.device ?? 'an unknown device'}`}
                  onClick={() => setEnding(row)}
                >
                  End
                </Button>
              ),
            },
          ]}
        />
      </Box>
      <Note tone="info">A session that you do not recognise: end it, then change the password.</Note>
      {ending ? (
        <Confirm
          title="End this session?"
          verb="End it"
          onClose={() => setEnding(undefined)}
          act={async () => {
            accepted((await request(EndSessionDocument, { id: ending.id })).endSession);
            await client.invalidateQueries({ queryKey: sessionsQuery.queryKey });
          }}
        >
          <p>
            {ending.device ?? 'The device'}, signed in <Time at={ending.createdAt} />, is signed out at once.
            {ending.current ? ' It is this one: you return to the sign-in.' : ''}
          </p>
        </Confirm>
      ) : null}
    </>
  );
}
