import { useQuery } from '@tanstack/react-query';
import { Diagnosis } from '../kit/diagnosis';
import { useRights } from '../kit/rights';
import { zoned } from '../words/formats';
import { Cancel } from './cancel';
import { deletionQuery } from './queries';

/** Tells on each page why the account cannot send. */
export default function Banner({ reason }: { reason: string }) {
  const { data: deleteAt, isPending } = useQuery(deletionQuery);
  const { may } = useRights();
  if (isPending) return null;
  return deleteAt ? (
    <Diagnosis
      tone="bad"
      verdict={`The account will be deleted on ${zoned(deleteAt)}.`}
      effect="All its data go then. Until then new emails are refused and campaigns are paused."
      acts={may('ACCOUNT') ? <Cancel /> : undefined}
    />
  ) : (
    <Diagnosis
      tone="bad"
      verdict="The account is suspended."
      evidence={reason}
      effect="New emails are refused and running campaigns are paused until an operator reinstates it."
    />
  );
}
