-- How a domain's mails fared, by day of UTC: kept by whatever settles them, in the same transaction, so that no
-- question about it reads the mails themselves.
create table reputation_day (
    account_id    uuid not null,
    domain_id     uuid not null,
    day           date not null,
    delivered     bigint not null default 0,
    -- Taken over by a relay whose word is not the last one: they count as delivered after three days.
    sent          bigint not null default 0,
    hard_bounced  bigint not null default 0,
    complained    bigint not null default 0,
    primary key (account_id, domain_id, day)
) with (fillfactor = 50);
create index reputation_day_day on reputation_day (day);
call secure('reputation_day');

-- What the hard bounces and complaints among them came of.
create table reputation_cause (
    account_id  uuid not null,
    domain_id   uuid not null,
    day         date not null,
    -- An enhanced status code (RFC 3463), complaint or other.
    cause       text not null,
    count       bigint not null,
    primary key (account_id, domain_id, day, cause)
) with (fillfactor = 50);
call secure('reputation_cause');
