/** The addresses outside of the account's domains to which routes forward mail. */
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Box, Button, Status, Time } from '../kit/basics';
import { TextField } from '../kit/fields';
import { Form, rules, useFields } from '../kit/form';
import kit from '../kit/kit.module.css';
import { Confirm } from '../kit/layers';
import { Failed, Loading } from '../kit/page';
import { explained, Rest } from '../kit/problems';
import { May } from '../kit/rights';
import { Table, type Column } from '../kit/table';
import { forwardWord } from '../words/status';
import css from './domain.module.css';
import { addTarget, deleteTarget, resendTarget, targetsQuery, type Target } from './route-queries';

/** Interval in which addresses are read again until all are confirmed. */
const WAITING_INTERVAL_MS = 10_000;

export function ForwardTargets() {
  const client = useQueryClient();
  const query = useQuery({
    ...targetsQuery,
    refetchInterval: ({ state }) =>
      state.data?.some((target) => !target.confirmed) ? WAITING_INTERVAL_MS : false,
  });
  const [deleting, setDeleting] = useState<Target>();
  const [sent, setSent] = useState('');
  const [rest, setRest] = useState<string[]>([]);
  const resend = async (target: Target) => {
    setRest([]);
    setSent('');
    try {
      await resendTarget(client, target.id);
      setSent(`${target.address} gets another link.`);
    } catch (error) {
      setRest(explained(error, []).rest);
    }
  };
  const columns: Column<Target>[] = [
    {
      head: 'Address',
      grow: true,
      narrow: 1,
      cell: (target) => <bdi className={kit.mono}>{target.address}</bdi>,
    },
    { head: 'State', narrow: 2, cell: (target) => <Status word={forwardWord(target)} /> },
    {
      head: 'Added',
      narrow: 3,
      cell: (target) => (
        <span className={kit.quiet}>
          <Time at={target.createdAt} />
        </span>
      ),
    },
    {
      head: 'Act',
      right: true,
      narrow: 4,
      needs: 'DOMAINS',
      cell: (target) => (
        <>
          {target.confirmed ? null : (
            <Button
              small
              aria-label={`Send another link to ${target.address}`}
              onClick={() => void resend(target)}
            >
              Send again
            </Button>
          )}{' '}
          <Button
            small
            kind="bad"
            aria-label={`Delete ${target.address}`}
            onClick={() => setDeleting(target)}
          >
            Delete
          </Button>
        </>
      ),
    },
  ];
  return (
    <Box title="Forwarding addresses">
      {query.data ? (
        <>
          {query.data.length > 0 ? (
            <Table
              label="Forwarding addresses"
              rows={query.data}
              id={(target) => target.id}
              columns={columns}
            />
          ) : null}
          <p className={css.note} role="status">
            {sent
              || 'Routes of all domains forward mail to these addresses once their owners have followed a link. Addresses at your own verified domains need none.'}
          </p>
          <May right="DOMAINS">
            <div className={kit.boxBody}>
              <Rest of={rest} />
              <Add key={query.data.length} />
            </div>
          </May>
        </>
      ) : query.error ? (
        <Failed error={query.error} retry={() => void query.refetch()} />
      ) : (
        <Loading lines={3} />
      )}
      {deleting ? (
        <Confirm
          title={`Delete ${deleting.address}?`}
          verb="Delete"
          onClose={() => setDeleting(undefined)}
          act={() => deleteTarget(client, deleting.id)}
        >
          <p>Routes no longer forward mail to it. To add it again, its owner has to confirm again.</p>
        </Confirm>
      ) : null}
    </Box>
  );
}

function Add() {
  const client = useQueryClient();
  const fields = useFields({ address: '' }, { address: rules.email }, ({ address }) =>
    addTarget(client, address.trim()),
  );
  return (
    <Form fields={fields} label="Add a forwarding address">
      <div className={css.test}>
        <TextField
          label="Forwarding address"
          type="email"
          placeholder="you@mailbox.example"
          help="Its owner gets a link to confirm, valid for seven days."
          autoComplete="off"
          {...fields.form.getInputProps('address')}
        />
        <Button type="submit" busy={fields.busy}>
          Add address
        </Button>
      </div>
      <Rest of={fields.rest} />
    </Form>
  );
}
