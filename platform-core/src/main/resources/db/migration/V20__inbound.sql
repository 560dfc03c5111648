-- Received mail: what the SMTP server of the workers has accepted for the domains of accounts.

-- Written when a mail is received; removed by retention.
create table inbound_email (
    id             uuid primary key,
    account_id     uuid not null,
    domain_id      uuid not null,
    from_email     text not null,
    from_name      text not null default '',
    to_emails      text[] not null default '{}',
    cc_emails      text[] not null default '{}',
    recipients     text[] not null default '{}',
    subject        text not null default '',
    spam_verdict   text not null default 'DISABLED',
    virus_verdict  text not null default 'DISABLED',
    spf_verdict    text not null default 'DISABLED',
    dkim_verdict   text not null default 'DISABLED',
    dmarc_verdict  text not null default 'DISABLED',
    status         text not null default 'received' check (status = 'received'),
    fingerprint    bytea,
    created_at     timestamptz not null,
    check (array[spam_verdict, virus_verdict, spf_verdict, dkim_verdict, dmarc_verdict]
           <@ array['PASS', 'FAIL', 'GRAY', 'PROCESSING_FAILED', 'DISABLED'])
);
comment on table inbound_email is 'A mail received for a domain of the account, without its content.';
comment on column inbound_email.from_email is 'Address of the From header.';
comment on column inbound_email.from_name is 'Display name of the From header; empty if there is none.';
comment on column inbound_email.to_emails is 'Addresses of the To header.';
comment on column inbound_email.cc_emails is 'Addresses of the Cc header.';
comment on column inbound_email.recipients is
    'Envelope recipients (RCPT TO) at this domain; the headers may name other addresses or none.';
comment on column inbound_email.spam_verdict is
    'Verdict of the spam filter: PASS, FAIL, GRAY, PROCESSING_FAILED, or DISABLED if it was not checked.';
comment on column inbound_email.virus_verdict is 'Verdict of the virus scanner; values as in spam_verdict.';
comment on column inbound_email.spf_verdict is 'SPF (RFC 7208); values as in spam_verdict.';
comment on column inbound_email.dkim_verdict is 'DKIM (RFC 6376); values as in spam_verdict.';
comment on column inbound_email.dmarc_verdict is 'DMARC (RFC 7489); values as in spam_verdict.';
comment on column inbound_email.fingerprint is
    'SHA-256 of envelope and content, to ignore a mail that is sent again after its reply was lost; null for a mail '
    'without Message-ID.';
create index inbound_email_account on inbound_email (account_id, created_at, id);
create index inbound_email_domain on inbound_email (account_id, domain_id, created_at, id);
create unique index inbound_email_once on inbound_email (account_id, domain_id, fingerprint)
    where fingerprint is not null;
call secure('inbound_email');

-- Written with inbound_email, removed earlier.
create table inbound_content (
    inbound_email_id  uuid primary key references inbound_email on delete cascade,
    account_id        uuid not null,
    html              text,
    text              text,
    raw               bytea,
    outside           text[]
);
comment on table inbound_content is
    'Content of a received mail, apart from inbound_email so that its rows stay narrow and content can be deleted '
    'earlier.';
comment on column inbound_content.html is 'The HTML body; null if there is none.';
comment on column inbound_content.text is 'The plain text body; null if there is none.';
comment on column inbound_content.raw is 'The mail as received, byte for byte; null if it is in the bucket.';
comment on column inbound_content.outside is
    'Parts stored in the bucket: raw, or the position of an attachment; null if there are none.';
call secure('inbound_content');

-- Written and removed with inbound_content.
create table inbound_attachment (
    inbound_email_id  uuid not null references inbound_email on delete cascade,
    position          int not null,
    account_id        uuid not null,
    filename          text not null,
    content_type      text not null,
    content           bytea,
    size              bigint,
    primary key (inbound_email_id, position)
);
comment on table inbound_attachment is 'An attachment of a received mail.';
comment on column inbound_attachment.position is 'Index among the mail''s attachments, from 0.';
comment on column inbound_attachment.content is 'Null if it is in the bucket.';
comment on column inbound_attachment.size is 'In bytes; null if it is the length of content.';
-- Attachments are often compressed already: no compression by TOAST.
alter table inbound_attachment alter column content set storage external;
call secure('inbound_attachment');

create function domain_that_receives(wanted text) returns table (account_id uuid, domain_id uuid)
language sql stable as $$
    select domain.account_id, domain.id from domain
     where domain.name = wanted and domain.status in ('verified', 'temporary_failure')
$$;
comment on function domain_that_receives(text) is
    'The verified domain of this name and its account, for RCPT TO.';
call sees_every_account('domain_that_receives(text)');

-- Written when a mail is received.
create table inbound_day (
    account_id  uuid not null,
    day         date not null,
    bytes       bigint not null,
    primary key (account_id, day)
    -- Free space for HOT updates: each mail updates the row.
) with (fillfactor = 50);
comment on table inbound_day is 'Size of the mail stored for an account on a day (UTC), for the daily limit.';
comment on column inbound_day.bytes is 'Sum of the sizes of the mails as received.';
call secure('inbound_day');
