import { Box, Button } from '../kit/basics';
import { CheckItem, Checklist, FindingItems, verdict, type Finding } from '../kit/findings';
import type { Problem } from './queries';

/** Results of the checks of the content. */
export function Checks({
  problems,
  findings,
  missing,
  variables,
  empty,
  onShow,
  onFill,
}: {
  problems: readonly Problem[];
  findings: readonly Finding[] | undefined;
  missing: readonly string[];
  variables: readonly string[];
  empty: boolean;
  onShow: (problem: Problem) => void;
  onFill: () => void;
}) {
  return (
    <Box title="Checks" side={verdict(findings)}>
      <Checklist>
        {problems.map((problem) => (
          <CheckItem
            key={problem.field}
            level="ERROR"
            noun={nouns[problem.field] ?? problem.field.replace('variables.', 'Sample value ')}
            act={
              problem.line ? (
                <Button small onClick={() => onShow(problem)}>
                  Go to line {problem.line}
                </Button>
              ) : null
            }
          >
            {problem.message}.
          </CheckItem>
        ))}
        {empty ? (
          <CheckItem level="ERROR" noun="Content">
            is missing: write HTML or text.
          </CheckItem>
        ) : null}
        {missing.length > 0 && problems.length === 0 ? (
          <CheckItem
            level="WARNING"
            noun="No value"
            act={
              <Button small onClick={onFill}>
                Add to the sample
              </Button>
            }
          >
            for {missing.join(', ')}. A fallback avoids a gap, as in {`{{${missing[0]}|friend}}`}.
          </CheckItem>
        ) : null}
        {problems.length === 0 ? (
          <CheckItem level="PASSED" noun={variables.length === 0 ? 'No placeholders' : 'Placeholders'}>
            {variables.length === 0 ? 'Every email is the same.' : variables.join(', ')}
          </CheckItem>
        ) : null}
        <FindingItems findings={findings ?? []} />
      </Checklist>
    </Box>
  );
}

const nouns: Record<string, string> = {
  subject: 'The subject',
  html_content: 'The HTML',
  text_content: 'The text',
};
