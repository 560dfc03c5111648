-- Written by the workers when a route forwards a mail.
create table forward_hour (
    account_id  uuid not null references account on delete cascade,
    domain_id   uuid not null,
    hour        timestamptz not null,
    result      text not null check (result in ('queued', 'loop', 'virus', 'limit', 'not_confirmed', 'refused')),
    mails       int not null,
    primary key (account_id, domain_id, hour, result)
);
comment on table forward_hour is
    'Numbers of mails that a domain forwarded, one for each address, kept for 30 days. They also bound those of an hour.';
comment on column forward_hour.hour is 'Hour in which the mails arrived.';
comment on column forward_hour.result is 'queued, or why the mails were not.';
-- For the list of operators and the removal of old rows.
create index forward_hour_time on forward_hour (hour);
call secure('forward_hour');
call readable('forward_hour', 'account_id, domain_id, hour, result, mails');

alter table tls_session_day add column reason text not null default '';
comment on column tls_session_day.reason is
    'Text of the error or of the server''s reply in the last session; empty for success and as mx_host.';
comment on column tls_report_sent.state is
    'lost: the answer to the last attempt is not known, or its worker stopped; it is not sent again.';
comment on column tls_report_sent.next_try_at is 'In state sending: time at which the attempt ends without an answer.';
