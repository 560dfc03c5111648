-- Written by operators.
create table source_warmup (
    source      text primary key references sending_source on delete cascade,
    large       bigint[] not null check (cardinality(large) > 0),
    other       bigint[] not null check (cardinality(other) > 0),
    started_by  uuid not null,
    started_at  timestamptz not null
);
comment on table source_warmup is 'Sending addresses whose mail to each provider increases day by day.';
comment on column source_warmup.large is 'Mails on each sending day to each of Gmail, Microsoft, Yahoo and Apple.';
comment on column source_warmup.other is 'Mails on each sending day to all other servers together.';
comment on column source_warmup.started_by is 'Account of the operator.';
grant select, insert, update, delete on source_warmup to "${app}", mailroom_system;
grant select on source_warmup to mailroom_read;
create trigger notify_work after insert or update or delete on source_warmup
    for each statement execute function notify_work();

-- Written by workers before they hand a mail over, and after.
create table source_warmup_day (
    source     text not null references source_warmup on delete cascade,
    provider   text not null check (provider in ('gmail', 'microsoft', 'yahoo', 'apple', 'other')),
    day        date not null,
    step       int not null,
    allowance  bigint not null,
    used       bigint not null default 0,
    over       bigint not null default 0,
    attempts   bigint not null default 0,
    blocked    bigint not null default 0,
    deferred   bigint not null default 0,
    held       text not null default '',
    primary key (source, provider, day)
);
comment on table source_warmup_day is 'Days of a warm-up on which mail was sent to a provider, in UTC.';
comment on column source_warmup_day.step is 'Place of the day in the plan, from 1; one more than the plan has: without a limit.';
comment on column source_warmup_day.allowance is 'First attempts that the day permits.';
comment on column source_warmup_day.used is 'First attempts that were permitted; those that were not begun count as well.';
comment on column source_warmup_day.over is 'Transactional mails beyond the allowance, because no other address could send them.';
comment on column source_warmup_day.blocked is 'Attempts that were refused because of the sender.';
comment on column source_warmup_day.deferred is 'Attempts that were deferred for reasons of policy (4.7.x), without greylisting.';
comment on column source_warmup_day.held is 'Why the allowance is not larger than that of the day before; empty if it is.';
grant select, insert, update, delete on source_warmup_day to "${app}", mailroom_system;
grant select on source_warmup_day to mailroom_read;
