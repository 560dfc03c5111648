-- Written by the job of the active worker that checks logos, and when people verify a domain.
create table bimi_check (
    domain_id   uuid primary key references domain on delete cascade,
    account_id  uuid not null,
    result      text not null default 'unknown' check (result in ('pass', 'warn', 'unknown')),
    finding     text not null default '',
    fix         text,
    checked_at  timestamptz,
    check_at    timestamptz not null
);
comment on table bimi_check is 'Logos that domains publish for their mail (BIMI), and what the last check found.';
comment on column bimi_check.result is 'warn: providers do not show the logo, or not all of them; unknown: no answer.';
comment on column bimi_check.finding is 'What was found, as sentences; empty before the first check.';
comment on column bimi_check.fix is 'What to do; null if nothing needs to be done.';
comment on column bimi_check.checked_at is 'When the domain was last checked; null before the first check.';
comment on column bimi_check.check_at is 'When it is checked next.';
create index bimi_check_due on bimi_check (check_at);
call secure('bimi_check');
call readable('bimi_check', 'domain_id, account_id, result, finding, fix, checked_at, check_at');
