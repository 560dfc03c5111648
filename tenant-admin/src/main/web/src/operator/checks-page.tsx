import { useQuery } from '@tanstack/react-query';
import { RotateCw } from 'lucide-react';
import type { ReactNode } from 'react';
import { Box, Button, Status, Time } from '../kit/basics';
import kit from '../kit/kit.module.css';
import { Failed, Loading, Page } from '../kit/page';
import { counted } from '../words/formats';
import { checkWord } from '../words/status';
import css from './operator.module.css';
import { checksQuery } from './queries';

const order = ['FAILED', 'WARNING', 'OK'] as const;

export function ChecksPage() {
  const query = useQuery(checksQuery);
  const checks = query.data?.toSorted((a, b) => order.indexOf(a.result) - order.indexOf(b.result));
  const failed = checks?.filter((check) => check.result === 'FAILED').length ?? 0;
  const warned = checks?.filter((check) => check.result === 'WARNING').length ?? 0;
  return (
    <Page
      title="Health checks"
      acts={
        <Button kind="main" icon={RotateCw} busy={query.isFetching} onClick={() => void query.refetch()}>
          Run all
        </Button>
      }
    >
      {checks ? (
        <div className={kit.grid}>
          <p className={kit.say} role="status">
            {sentence(failed, warned, checks.length)}{' '}
            <span className={kit.quiet}>
              {query.isRefetchError ? 'The last run failed; these are' : 'Run'}{' '}
              {query.isRefetchError ? 'of' : 'at'} <Time at={new Date(query.dataUpdatedAt).toISOString()} />.
            </span>
          </p>
          <Box label="Checks">
            {checks.map((check) => (
              <article key={check.name} className={css.check}>
                <Status word={checkWord(check.result)} />
                <h2>{check.name}</h2>
                <p>{check.finding}</p>
                {check.fix ? <p className={css.fix}>{check.fix}</p> : null}
              </article>
            ))}
          </Box>
        </div>
      ) : (
        <Box>
          {query.error ? (
            <Failed error={query.error} retry={() => void query.refetch()} />
          ) : (
            <Loading lines={6} />
          )}
        </Box>
      )}
    </Page>
  );
}

function sentence(failed: number, warned: number, all: number): ReactNode {
  if (failed > 0) return <strong>{counted(failed, 'check')} failed.</strong>;
  if (warned > 0)
    return (
      <>
        <strong>The platform works.</strong> {counted(warned, 'check')} {warned === 1 ? 'warns' : 'warn'}.
      </>
    );
  return <strong>All {all} checks pass.</strong>;
}
