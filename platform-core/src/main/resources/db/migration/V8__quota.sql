-- Written by each acceptance of mails.
create table quota_use (
    account_id  uuid not null,
    period      text not null check (period in ('day', 'month')),
    starts_on   date not null,
    used        bigint not null check (used >= 0),
    warned      boolean not null default false,
    reached     boolean not null default false,
    primary key (account_id, period, starts_on)
    -- Free space for HOT updates: each acceptance updates two rows.
) with (fillfactor = 50);
comment on table quota_use is
    'Mails accepted for an account in a day or calendar month (UTC); the row lock serializes concurrent reservations.';
comment on column quota_use.starts_on is 'The day, or the first day of the month.';
comment on column quota_use.warned is 'Whether quota.warning was recorded for this period.';
comment on column quota_use.reached is 'Whether quota.reached was recorded for this period.';
call secure('quota_use');
