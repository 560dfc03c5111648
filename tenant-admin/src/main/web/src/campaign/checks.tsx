/** Checks of the content of a campaign. */
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Box } from '../kit/basics';
import { Checklist, FindingItems, verdict, type Finding } from '../kit/findings';
import { Failed, Loading } from '../kit/page';
import { checksQuery } from './queries';

export function Checks({
  id,
  version,
  act,
}: {
  id: string;
  version: number;
  act?: (finding: Finding) => ReactNode;
}) {
  const { data, error, refetch } = useQuery(checksQuery(id, version));
  return (
    <Box title="Checks" side={<span role="status">{verdict(data)}</span>}>
      {data ? (
        <Checklist>
          <FindingItems findings={data} {...(act ? { act } : {})} />
        </Checklist>
      ) : error ? (
        <Failed error={error} retry={() => void refetch()} />
      ) : (
        <Loading lines={4} />
      )}
    </Box>
  );
}
