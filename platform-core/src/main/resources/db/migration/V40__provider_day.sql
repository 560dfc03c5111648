-- Written by settlements and by late complaints; removed with its age.
create table provider_day (
    account_id   uuid not null,
    domain_id    uuid not null,
    day          date not null,
    provider     text not null,
    delivered    bigint not null default 0,
    unencrypted  bigint not null default 0,
    deferred     bigint not null default 0,
    blocked      bigint not null default 0,
    complained   bigint not null default 0,
    primary key (account_id, domain_id, day, provider)
    -- As for reputation_day.
) with (fillfactor = 50);
comment on table provider_day is
    'Results of attempts by domain, day (UTC) and provider, updated in the settling transaction by the statement that '
    'updates reputation_day.';
comment on column provider_day.provider is
    'Name of the shipped profile that the name of the server fits, other, or relay for mail through a relay.';
comment on column provider_day.delivered is 'Accepted mails.';
comment on column provider_day.unencrypted is 'The part of delivered that went to the recipient''s server without TLS.';
comment on column provider_day.deferred is 'Attempts that the server put off.';
comment on column provider_day.blocked is 'Mails refused because of the sender.';
comment on column provider_day.complained is 'Mails reported as spam, on the day of the report.';
-- For the removal of old rows.
create index provider_day_day on provider_day (day);
call secure('provider_day');
call readable('provider_day', 'account_id, domain_id, day, provider, delivered, unencrypted, deferred, blocked, complained');
