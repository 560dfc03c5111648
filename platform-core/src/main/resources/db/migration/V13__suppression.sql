-- Written by hard bounces and complaints, by unsubscriptions, and by the account itself.
create table suppression (
    id          uuid primary key,
    account_id  uuid not null,
    address     text not null,
    reason      text not null check (reason in ('hard_bounce', 'complaint', 'unsubscribe', 'manual')),
    created_at  timestamptz not null,
    unique (account_id, address)
);
comment on table suppression is 'An address to which no mail of the account is sent.';
comment on column suppression.address is 'Lower-case.';
-- For the list, newest first.
create index suppression_list on suppression (account_id, created_at, id);
call secure('suppression');
-- Not for bounces and complaints: a settlement that notifies would wait for others.
create trigger notify_stop after insert or update on suppression
    for each row when (new.reason in ('unsubscribe', 'manual')) execute function notify_stop();

-- Written by settlements.
create table unexplained_refusal (
    account_id  uuid not null,
    address     text not null,
    day         date not null,
    primary key (account_id, address)
);
comment on table unexplained_refusal is
    'An address that its server refused without a reason. A second refusal on another day suppresses it.';
comment on column unexplained_refusal.address is 'Lower-case.';
comment on column unexplained_refusal.day is 'Day (UTC) of the first refusal; after 30 days it does not count any more.';
-- For the removal of old rows.
create index unexplained_refusal_day on unexplained_refusal (day);
call secure('unexplained_refusal');
