-- Written by workers that receive reports, and removed with their age.
create table dmarc_report (
    id           uuid primary key,
    account_id   uuid not null,
    domain_id    uuid not null references domain on delete cascade,
    sender       text not null,
    org          text not null,
    report_id    text not null,
    verified     boolean not null,
    begin_at     timestamptz not null,
    end_at       timestamptz not null,
    policy       jsonb not null,
    received_at  timestamptz not null,
    unique (domain_id, sender, report_id, verified)
);
comment on table dmarc_report is
    'Aggregate reports (RFC 9990) of receivers about mail that names a domain in From. One that is sent again is stored '
    'once.';
comment on column dmarc_report.sender is 'Domain in From of the mail that brought the report.';
comment on column dmarc_report.org is 'Name of the receiver, as the report states it.';
comment on column dmarc_report.report_id is 'Id that the receiver gave.';
comment on column dmarc_report.verified is
    'Whether SPF or DKIM proves the sender. Reports that nobody proves are in no totals; anyone who knows the address can '
    'send them.';
comment on column dmarc_report.policy is 'The policy that the receiver saw: tags of the record by name.';
-- For the figures of a period.
create index dmarc_report_begin on dmarc_report (domain_id, begin_at);
-- For the limit on the reports of a day.
create index dmarc_report_received on dmarc_report (domain_id, received_at);
call secure('dmarc_report');

-- Written together with dmarc_report.
create table dmarc_row (
    report_id      uuid not null references dmarc_report on delete cascade,
    position       int not null,
    account_id     uuid not null,
    source         inet not null,
    count          bigint not null,
    disposition    text not null check (disposition in ('none', 'quarantine', 'reject', 'other')),
    dkim           boolean not null,
    spf            boolean not null,
    header_from    text not null,
    envelope_from  text not null,
    selectors      text not null,
    primary key (report_id, position)
);
comment on table dmarc_row is 'Rows of aggregate reports: mails of one server with the same results.';
comment on column dmarc_row.position is 'Place in the report, from 0.';
comment on column dmarc_row.source is 'Address of the server that sent the mails.';
comment on column dmarc_row.count is 'Number of mails.';
comment on column dmarc_row.disposition is
    'What the receiver did; none also for mails that passed. other: a value that no RFC names.';
comment on column dmarc_row.dkim is 'Whether a valid signature was aligned with From.';
comment on column dmarc_row.spf is 'Whether SPF passed for a domain that was aligned with From.';
comment on column dmarc_row.header_from is 'Domain in From.';
comment on column dmarc_row.envelope_from is 'Domain of the return path; empty if the report has none.';
comment on column dmarc_row.selectors is 'Signatures that the receiver found, as selector@domain, separated by blanks.';
call secure('dmarc_row');

-- Written by workers; the twenty newest rows are kept.
create table unread_report (
    id           uuid primary key,
    domain       text not null,
    sender       text not null,
    reason       text not null,
    detail       text not null,
    bytes        int not null,
    received_at  timestamptz not null
);
comment on table unread_report is 'Mails to addresses for reports that could not be read, for operators.';
comment on column unread_report.domain is 'Name of the domain of the address; empty if it is gone.';
comment on column unread_report.sender is 'Domain in From.';
comment on column unread_report.reason is 'As the label result of mailroom_dmarc_reports_total.';
comment on column unread_report.detail is 'What was found, without content of the mail.';
comment on column unread_report.bytes is 'Size of the mail.';
grant select, insert, update, delete on unread_report to "${app}", mailroom_system;

call readable('dmarc_report', 'id, account_id, domain_id, sender, org, report_id, verified, begin_at, end_at, policy, '
    'received_at');
call readable('dmarc_row', 'report_id, position, account_id, source, count, disposition, dkim, spf, header_from, '
    'envelope_from, selectors');
grant select on unread_report to mailroom_read;
