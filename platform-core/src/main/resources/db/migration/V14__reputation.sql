-- Written by settlements and by late bounces and complaints; read by reports and by the job that pauses accounts.
create table reputation_day (
    account_id             uuid not null,
    domain_id              uuid not null,
    day                    date not null,
    delivered              bigint not null default 0,
    sent                   bigint not null default 0,
    hard_bounced           bigint not null default 0,
    complained             bigint not null default 0,
    unverified_bounced     bigint not null default 0,
    unverified_complained  bigint not null default 0,
    primary key (account_id, domain_id, day)
    -- Free space for HOT updates: each settlement updates a row of the day.
) with (fillfactor = 50);
comment on table reputation_day is
    'Number of outcomes by domain and day, updated in the settling transaction. Reports do not read the mails.';
comment on column reputation_day.day is
    'Day (UTC) on which the mail was first settled; later bounces and complaints change the counts of the same day.';
comment on column reputation_day.delivered is 'Accepted by the recipient''s server.';
comment on column reputation_day.sent is
    'Accepted by a relay that is not the final destination; counted as delivered after three days.';
comment on column reputation_day.hard_bounced is 'Refused because the address does not exist.';
comment on column reputation_day.complained is 'Reported as spam by the recipient.';
comment on column reputation_day.unverified_bounced is
    'The part of hard_bounced from reports whose sender is not known; it does not pause the account.';
comment on column reputation_day.unverified_complained is
    'The part of complained from reports whose sender is not known; it does not pause the account.';
-- For queries over all accounts.
create index reputation_day_day on reputation_day (day);
call secure('reputation_day');

-- Written together with reputation_day.
create table reputation_cause (
    account_id  uuid not null,
    domain_id   uuid not null,
    day         date not null,
    cause       text not null,
    count       bigint not null,
    primary key (account_id, domain_id, day, cause)
    -- As for reputation_day.
) with (fillfactor = 50);
comment on table reputation_cause is 'Number of hard bounces and complaints by domain, day (UTC) and cause.';
comment on column reputation_cause.cause is 'An enhanced status code (RFC 3463), complaint, or other.';
call secure('reputation_cause');
