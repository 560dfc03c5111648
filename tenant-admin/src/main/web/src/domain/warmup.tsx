/** The warm-up of a domain: a switch, today's mails and the plan. */
import { Box, Facts, Switch, Time } from '../kit/basics';
import kit from '../kit/kit.module.css';
import { counted, number } from '../words/formats';
import { isUsedUp, planText, usedText } from '../words/warmup';
import type { DomainDetail } from './queries';

export function Warmup({ domain, onChange }: { domain: DomainDetail; onChange: (on: boolean) => void }) {
  const { warmup, warmupPlan } = domain;
  return (
    <Box title="Warm-up">
      <div className={kit.opt}>
        <div>
          <b>Limit campaigns at first</b>
          <span>
            Receivers distrust a new domain that sends much at once. Campaigns that exceed the limit of a day
            (UTC) wait for the next one. Other mail is not limited.
          </span>
        </div>
        <Switch label="Limit campaigns at first" needs="DOMAINS" on={warmup !== null} onChange={onChange} />
      </div>
      <div className={kit.boxBody}>
        {warmup ? (
          <>
            <span className={kit.bar} aria-hidden="true">
              <i style={{ width: `${Math.min(100, (warmup.usedToday / warmup.allowance) * 100)}%` }} />
            </span>
            <Facts
              items={[
                [
                  'Today',
                  <span key="today" className={kit.num}>
                    {usedText(warmup)}
                  </span>,
                ],
                [
                  'Day',
                  <span key="day" className={kit.num}>
                    {number(warmup.day)} of {number(warmup.allowances.length)}
                  </span>,
                ],
                warmup.day < warmup.allowances.length
                  ? [
                      'Next day',
                      <span key="next" className={kit.num}>
                        {counted(warmup.allowances[warmup.day]!, 'email')}
                        {isUsedUp(warmup) ? (
                          <>
                            , from <Time at={warmup.resetsAt} />
                          </>
                        ) : null}
                      </span>,
                    ]
                  : null,
                [
                  'Limits',
                  <span key="limits" className={kit.num} title={warmup.allowances.map(number).join(', ')}>
                    {planText(warmup.allowances)}
                  </span>,
                ],
                [
                  'Ends',
                  <span key="ends">
                    <Time at={warmup.endsAt} /> at the earliest
                  </span>,
                ],
              ]}
            />
            <p className={kit.quiet}>Only days with campaign emails count.</p>
          </>
        ) : (
          <Facts
            items={[
              [
                'Limits',
                <span key="limits" className={kit.num} title={warmupPlan.map(number).join(', ')}>
                  {planText(warmupPlan)}
                </span>,
              ],
            ]}
          />
        )}
      </div>
    </Box>
  );
}
