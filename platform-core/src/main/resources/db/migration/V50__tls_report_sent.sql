-- Written by the workers every ten seconds, and removed with the report of the day.
create table tls_session_day (
    domain         text not null,
    day            date not null,
    policy_type    text not null,
    policy_domain  text not null,
    result         text not null,
    source         text not null,
    mx_host        text not null,
    ip             text not null,
    sessions       bigint not null,
    primary key (domain, day, policy_type, policy_domain, result, source, mx_host, ip)
);
comment on table tls_session_day is
    'Direct sessions of a day of UTC with the servers of a recipient''s domain, for the report of RFC 8460.';
comment on column tls_session_day.domain is 'The domain of recipients, which gets the report.';
comment on column tls_session_day.policy_type is 'sts, tlsa or no-policy-found.';
comment on column tls_session_day.policy_domain is
    'The domain of the policy: that of recipients for sts, the base domain of the TLSA records for tlsa.';
comment on column tls_session_day.result is 'Result of RFC 8460 section 4.3; empty for success.';
comment on column tls_session_day.source is 'Own address; empty for success, if it is not public or not known.';
comment on column tls_session_day.mx_host is
    'Name of the server; empty for success, and for failures beyond the first hundred kinds of a domain and day.';
comment on column tls_session_day.ip is 'Address of the server; empty as mx_host, and if none was contacted.';
create index tls_session_day_day on tls_session_day (day);
grant select, insert, update, delete on tls_session_day to "${app}", mailroom_system;

-- Written by the active worker.
create table tls_report_sent (
    domain       text not null,
    day          date not null,
    state        text not null default 'waiting'
                 check (state in ('waiting', 'sending', 'sent', 'failed', 'lost')),
    due_at       timestamptz not null,
    next_try_at  timestamptz not null,
    attempts     int not null default 0,
    destination  text,
    error        text,
    successful   bigint,
    failed       bigint,
    finished_at  timestamptz,
    primary key (domain, day)
);
comment on table tls_report_sent is
    'Reports of a day to the domains of recipients (RFC 8460), kept for 30 days. Domains that ask for none have no row.';
comment on column tls_report_sent.state is
    'lost: it was sent and the receiver''s answer is not known; it is not sent again.';
comment on column tls_report_sent.due_at is 'Time of the first attempt, within four hours of the end of the day.';
comment on column tls_report_sent.next_try_at is 'In state sending: time at which the attempt counts as lost.';
comment on column tls_report_sent.destination is 'Address or URL of the last attempt; null before one.';
comment on column tls_report_sent.error is 'Reason of the last failure; null if there is none.';
comment on column tls_report_sent.successful is 'Number of sessions in the report that satisfied the policies.';
comment on column tls_report_sent.failed is 'Number of sessions in the report that did not.';
comment on column tls_report_sent.finished_at is 'When it was sent or given up; null before.';
create index tls_report_sent_due on tls_report_sent (next_try_at) where state in ('waiting', 'sending');
create index tls_report_sent_finished on tls_report_sent (finished_at) where finished_at is not null;
grant select, insert, update, delete on tls_report_sent to "${app}", mailroom_system;
grant select on tls_report_sent to mailroom_read;
