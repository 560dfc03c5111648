-- A mail that came in for one of the account's domains.
create table inbound_email (
    id             uuid primary key,
    account_id     uuid not null,
    domain_id      uuid not null,
    from_email     text not null,
    from_name      text not null default '',
    to_emails      text[] not null default '{}',
    cc_emails      text[] not null default '{}',
    subject        text not null default '',
    -- DISABLED where nobody looked: not looked at never reads PASS.
    spam_verdict   text not null default 'DISABLED',
    virus_verdict  text not null default 'DISABLED',
    spf_verdict    text not null default 'DISABLED',
    dkim_verdict   text not null default 'DISABLED',
    dmarc_verdict  text not null default 'DISABLED',
    status         text not null default 'received' check (status = 'received'),
    created_at     timestamptz not null,
    check (array[spam_verdict, virus_verdict, spf_verdict, dkim_verdict, dmarc_verdict]
           <@ array['PASS', 'FAIL', 'GRAY', 'PROCESSING_FAILED', 'DISABLED'])
);
create index inbound_email_account on inbound_email (account_id, created_at, id);
create index inbound_email_domain on inbound_email (account_id, domain_id, created_at, id);
call secure('inbound_email');

-- What it says. Apart from the mail, so that lists stay narrow.
create table inbound_content (
    inbound_email_id  uuid primary key references inbound_email on delete cascade,
    account_id        uuid not null,
    html              text,
    text              text,
    -- As it came in, byte for byte.
    raw               bytea not null
);
call secure('inbound_content');

create table inbound_attachment (
    inbound_email_id  uuid not null references inbound_email on delete cascade,
    -- Its place among the mail's attachments, from 0.
    position          int not null,
    account_id        uuid not null,
    filename          text not null,
    content_type      text not null,
    content           bytea not null,
    primary key (inbound_email_id, position)
);
-- What is attached is often compressed already.
alter table inbound_attachment alter column content set storage external;
call secure('inbound_attachment');
