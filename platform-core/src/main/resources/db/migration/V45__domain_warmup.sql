create table domain_warmup (
    domain_id   uuid primary key references domain on delete cascade,
    account_id  uuid not null,
    started_at  timestamptz not null,
    allowances  bigint[] not null,
    day         int not null default 0,
    counted_on  date,
    used        bigint not null default 0
) with (fillfactor = 50);
comment on table domain_warmup is
    'The warm-up of a domain, which limits its campaign mails in a day (UTC). Days without campaign mails do not count. The '
    'row lock serializes concurrent pages of the domain''s campaigns; the row stays when the last day is over.';
comment on column domain_warmup.allowances is 'Campaign mails permitted on each of its days, fixed at its start.';
comment on column domain_warmup.day is 'Number of the last day with campaign mails, from 1; 0 before the first.';
comment on column domain_warmup.counted_on is 'Date of that day; null before the first.';
comment on column domain_warmup.used is 'Campaign mails of that day.';
call secure('domain_warmup');

create view warmup_today with (security_invoker = true) as
select domain_id, account_id, started_at as warming_since, today.day as warmup_day, today.used as warmup_used,
       allowances as warmup_allowances, (today.date + 1)::timestamp at time zone 'UTC' as warmup_resets_at
  from domain_warmup
 cross join lateral (
     select case when counted_on >= utc.date then counted_on else utc.date end as date,
            case when counted_on >= utc.date then day else day + 1 end as day,
            case when counted_on >= utc.date then used else 0 end as used
       from (select (now() at time zone 'UTC')::date as date) as utc) as today
 where today.day <= cardinality(allowances);
comment on view warmup_today is
    'Warm-ups that have not ended, with the number of today and its mails. The caller''s policies apply (security_invoker).';
comment on column warmup_today.warmup_resets_at is 'The next midnight of UTC.';
-- With update, for the lock on the row.
grant select, update on warmup_today to "${app}", mailroom_system;
