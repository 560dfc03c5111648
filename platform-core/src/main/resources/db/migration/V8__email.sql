-- Addresses that an account's mail is never handed over to.
create table suppression (
    id          uuid primary key,
    account_id  uuid not null,
    -- Lower-case.
    address     text not null,
    reason      text not null check (reason in ('hard_bounce', 'complaint', 'unsubscribe', 'manual')),
    created_at  timestamptz not null,
    unique (account_id, address)
);
call secure('suppression');

-- A mail as its sender sees it. No foreign key to account: accounts stay, and the check
-- would lock the account's row on every accept.
create table email (
    id              uuid primary key,
    account_id      uuid not null,
    domain_id       uuid not null,
    -- The From header as sent: address, or Name <address>.
    sender          text not null,
    from_email      text not null,
    to_emails       text[] not null,
    cc              text[] not null default '{}',
    bcc             text[] not null default '{}',
    reply_to        text[] not null default '{}',
    subject         text not null,
    tags            jsonb not null default '{}',
    stream          text not null default 'transactional' check (stream in ('transactional', 'campaign')),
    status          text not null default 'pending'
                    check (status in ('pending', 'sent', 'delivered', 'bounced', 'complained', 'failed')),
    last_event      text not null,
    scheduled_at    timestamptz,
    open_tracking   boolean,
    click_tracking  boolean,
    open_count      int not null default 0,
    click_count     int not null default 0,
    created_at      timestamptz not null
) with (fillfactor = 80);
create index email_account on email (account_id, created_at desc, id desc);
create index email_domain on email (account_id, domain_id, created_at desc, id desc);
call secure('email');

-- What the mail says. Apart from the mail, so that lists stay narrow and bodies can go earlier.
create table email_content (
    email_id    uuid primary key,
    account_id  uuid not null,
    html        text,
    text        text,
    -- Further headers, name to value, in order.
    headers     jsonb not null default '{}',
    -- {filename, content_type, content_id} of each attachment, in order.
    attachments jsonb not null default '[]'
);
call secure('email_content');

create table attachment (
    email_id    uuid not null,
    position    int not null,
    account_id  uuid not null,
    content     bytea not null,
    primary key (email_id, position)
);
-- What is attached is often compressed already.
alter table attachment alter column content set storage external;
call secure('attachment');

-- The queue: a row for each mail and recipient. PostgreSQL's clock alone says what is due.
create table delivery (
    id           uuid primary key,
    account_id   uuid not null,
    email_id     uuid not null,
    -- Its place among the mail's recipients, to first, then cc, then bcc.
    position     int not null,
    recipient    text not null,
    stream       text not null default 'transactional',
    -- queued: waits for due_at. leased: a worker may take it. in_data: a worker hands it over.
    phase        text not null check (phase in ('queued', 'leased', 'in_data', 'done')),
    -- Raised by every lease; whoever holds an older one holds nothing.
    epoch        int not null default 0,
    lease_until  timestamptz,
    due_at       timestamptz not null,
    -- Hand-overs begun so far, and how many of them ended without an answer.
    attempt      int not null default 0,
    ambiguous    int not null default 0,
    status       text not null
                 check (status in ('pending', 'sent', 'delivered', 'bounced', 'complained', 'failed', 'suppressed')),
    -- The last server's last words.
    reply        text,
    created_at   timestamptz not null,
    settled_at   timestamptz
) with (fillfactor = 70);
create index delivery_email on delivery (email_id, position);
create index delivery_queue on delivery (account_id, due_at, id) where phase = 'queued';
create index delivery_lease on delivery (lease_until) where phase in ('leased', 'in_data');
call secure('delivery');
