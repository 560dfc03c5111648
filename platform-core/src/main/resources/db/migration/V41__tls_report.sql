-- Written by workers that receive reports, and removed with their age.
create table tls_report (
    id           uuid primary key,
    account_id   uuid not null,
    domain_id    uuid not null references domain on delete cascade,
    sender       text not null,
    org          text not null,
    report_id    text not null,
    verified     boolean not null,
    begin_at     timestamptz not null,
    end_at       timestamptz not null,
    successful   bigint not null,
    failed       bigint not null,
    received_at  timestamptz not null,
    unique (domain_id, sender, report_id, verified)
);
comment on table tls_report is
    'Reports (RFC 8460) of senders about TLS of the servers that receive mail for a domain. One that is sent again is '
    'stored once.';
comment on column tls_report.sender is 'Domain in From of the mail that brought the report.';
comment on column tls_report.org is 'Name of the sender, as the report states it.';
comment on column tls_report.report_id is 'Id that the sender gave.';
comment on column tls_report.verified is
    'Whether SPF or DKIM proves the sender. Reports that nobody proves are in no totals; anyone who knows the address can '
    'send them.';
comment on column tls_report.successful is 'Number of sessions with TLS as the policies of the domain demand it.';
comment on column tls_report.failed is 'Number of sessions without.';
-- For the figures of a period.
create index tls_report_begin on tls_report (domain_id, begin_at);
-- For the limit on the reports of a day.
create index tls_report_received on tls_report (domain_id, received_at);
call secure('tls_report');

-- Written together with tls_report.
create table tls_report_failure (
    report_id    uuid not null references tls_report on delete cascade,
    position     int not null,
    account_id   uuid not null,
    policy_type  text not null,
    result       text not null,
    source       text not null,
    mx_host      text not null,
    reason       text not null,
    sessions     bigint not null,
    primary key (report_id, position)
);
comment on table tls_report_failure is 'Sessions of a report that failed for the same reason.';
comment on column tls_report_failure.position is 'Place in the report, from 0.';
comment on column tls_report_failure.policy_type is 'sts, tlsa or no-policy-found.';
comment on column tls_report_failure.result is 'Result of RFC 8460 section 4.3, such as certificate-expired.';
comment on column tls_report_failure.source is 'Address of the server that sent; empty if the report has none.';
comment on column tls_report_failure.mx_host is 'Server that was to receive; empty if the report has none.';
comment on column tls_report_failure.reason is 'Further reason that the sender states; may be empty.';
call secure('tls_report_failure');

call readable('tls_report', 'id, account_id, domain_id, sender, org, report_id, verified, begin_at, end_at, successful, '
    'failed, received_at');
call readable('tls_report_failure', 'report_id, position, account_id, policy_type, result, source, mx_host, reason, '
    'sessions');
