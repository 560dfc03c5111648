alter table reputation_day
    add column unverified_bounced bigint not null default 0,
    add column unverified_complained bigint not null default 0;
comment on column reputation_day.unverified_bounced is
    'The part of hard_bounced from reports whose sender is not known; it does not pause the account.';
comment on column reputation_day.unverified_complained is
    'The part of complained from reports whose sender is not known; it does not pause the account.';

create table inbound_day (
    account_id  uuid not null,
    day         date not null,
    bytes       bigint not null,
    primary key (account_id, day)
) with (fillfactor = 50);
comment on table inbound_day is 'Size of the mail stored for an account on a day (UTC), for the daily limit.';
comment on column inbound_day.bytes is 'Sum of the sizes of the mails as received.';
call secure('inbound_day');
