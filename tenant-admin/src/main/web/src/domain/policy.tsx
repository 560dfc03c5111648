/** The policy about TLS of mail to a domain that is hosted here. */
import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { accepted, request } from '../app/graphql';
import { ChooseHostedPolicyDocument, HostedPolicyDocument, RemoveHostedPolicyDocument } from '../gen/graphql';
import { Box, Button, Code, Time } from '../kit/basics';
import kit from '../kit/kit.module.css';
import { Confirm } from '../kit/layers';
import { Failed, Loading } from '../kit/page';
import { explained, Rest } from '../kit/problems';
import { May } from '../kit/rights';

const policyQuery = (id: string) =>
  queryOptions({
    queryKey: ['domain', 'policy', id],
    queryFn: async () => (await request(HostedPolicyDocument, { id })).viewer!.hostedPolicy,
  });

const sentences: Record<string, string> = {
  none: 'No policy is hosted here. With one, senders hand mail for this domain to its servers only over TLS with a valid certificate.',
  testing: 'The policy is tested: senders report failures, and deliver as before.',
  enforce: 'The policy is enforced: senders deliver only over TLS with a valid certificate.',
};

export function HostedPolicy({ id }: { id: string }) {
  const client = useQueryClient();
  const query = useQuery(policyQuery(id));
  const [busy, setBusy] = useState(false);
  const [asking, setAsking] = useState(false);
  const [rest, setRest] = useState<string[]>([]);
  const again = () => client.invalidateQueries({ queryKey: policyQuery(id).queryKey });
  const choose = async (mode: string) => {
    setBusy(true);
    setRest([]);
    try {
      accepted(
        (await request(ChooseHostedPolicyDocument, { input: { domainId: id, mode } })).chooseHostedPolicy,
      );
      await again();
    } catch (error) {
      setRest(explained(error, []).rest);
    }
    setBusy(false);
  };
  const policy = query.data;
  return (
    <Box title="Policy about TLS (MTA-STS)">
      <div className={kit.boxBody}>
        {policy ? (
          <>
            <p>
              {sentences[policy.mode]}{' '}
              {policy.since ? (
                <span className={kit.quiet}>
                  Since <Time at={policy.since} />.
                </span>
              ) : null}
            </p>
            {policy.records.map((record) => (
              <Code
                key={record.host}
                label={`${record.type} record of the policy`}
                text={`${record.host}. ${record.type} ${record.type === 'TXT' ? `"${record.value}"` : `${record.value}.`}`}
                wrap
              />
            ))}
            {policy.error ? <p>{policy.error}.</p> : null}
            {policy.obstacle ? <p className={kit.quiet}>{policy.obstacle}.</p> : null}
            <May right="DOMAINS">
              {policy.mode === 'none' ? (
                <Button
                  busy={busy}
                  disabled={policy.obstacle !== null}
                  onClick={() => void choose('testing')}
                >
                  Test a policy
                </Button>
              ) : (
                <>
                  {policy.mode === 'testing' ? (
                    <Button
                      busy={busy}
                      disabled={policy.obstacle !== null}
                      onClick={() => void choose('enforce')}
                    >
                      Enforce the policy
                    </Button>
                  ) : (
                    <Button busy={busy} onClick={() => void choose('testing')}>
                      Test the policy again
                    </Button>
                  )}{' '}
                  <Button onClick={() => void choose(policy.mode)}>Check its name now</Button>{' '}
                  <Button kind="bad" onClick={() => setAsking(true)}>
                    End the policy
                  </Button>
                </>
              )}
            </May>
            <Rest of={rest} />
          </>
        ) : query.error ? (
          <Failed error={query.error} retry={() => void query.refetch()} />
        ) : (
          <Loading lines={3} />
        )}
      </div>
      {asking ? (
        <Confirm
          title="End the policy?"
          verb="End"
          onClose={() => setAsking(false)}
          act={async () => {
            accepted((await request(RemoveHostedPolicyDocument, { id })).removeHostedPolicy);
            await again();
          }}
        >
          <p>
            Its name then serves the mode none. Change the id of the TXT record, and delete both records after
            two weeks, when no sender has the former policy any more.
          </p>
        </Confirm>
      ) : null}
    </Box>
  );
}
