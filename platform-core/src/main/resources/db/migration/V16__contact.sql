-- Written by the account; the number of contacts is updated with each change of the contacts.
create table contact_book (
    id             uuid primary key,
    account_id     uuid not null references account on delete cascade,
    name           text not null,
    double_opt_in  boolean not null default false,
    contacts       bigint not null default 0 check (contacts >= 0),
    created_at     timestamptz not null,
    updated_at     timestamptz not null
    -- Free space for HOT updates of the number of contacts.
) with (fillfactor = 50);
comment on table contact_book is 'A list of contacts, the audience of campaigns.';
comment on column contact_book.double_opt_in is
    'Whether a new contact stays unsubscribed until the person confirms the link in a mail.';
comment on column contact_book.contacts is
    'Number of contacts, subscribed or not; updated in the transaction that adds or deletes them.';
create index contact_book_account on contact_book (account_id, created_at, id);
call secure('contact_book');

-- Written by the account, and by the person through the pages that mails link to.
create table contact (
    id                 uuid primary key,
    account_id         uuid not null,
    contact_book_id    uuid not null references contact_book on delete cascade,
    email              text not null,
    email_key          text not null,
    first_name         text not null default '',
    last_name          text not null default '',
    subscribed         boolean not null default true,
    consent            text check (consent in ('pending', 'stated', 'confirmed')),
    consent_source     text check (consent_source in ('api', 'web', 'import', 'form')),
    consent_at         timestamptz,
    consent_address    text,
    confirmed_at       timestamptz,
    confirmed_address  text,
    properties         jsonb not null default '{}',
    added_by           xid8 default pg_current_xact_id(),
    created_at         timestamptz not null,
    updated_at         timestamptz not null,
    unique (account_id, contact_book_id, email_key)
    -- Free space for updates in the same page: most contacts seldom change.
) with (fillfactor = 90);
comment on table contact is 'A recipient in a contact book.';
comment on column contact.email is 'The address as entered.';
comment on column contact.email_key is
    'The address in lower case with its domain in ASCII: spellings with the same key are one contact of the book.';
comment on column contact.subscribed is 'Whether the contact receives campaigns of this book.';
comment on column contact.consent is
    'pending: not subscribed until the person confirms; stated: the account states that the person has agreed; '
    'confirmed: the person has confirmed by a link in a mail; null if neither was required. It stays when the person '
    'unsubscribes, except pending.';
comment on column contact.consent_source is
    'Origin of the last request to subscribe the contact: the REST API, the web app, a CSV file, or a page opened from a '
    'mail; null if unknown.';
comment on column contact.consent_at is 'Time of that request.';
comment on column contact.consent_address is 'Network address from which that request came; null if unknown.';
comment on column contact.confirmed_at is 'When the person last confirmed; null before.';
comment on column contact.confirmed_address is 'Network address from which the person confirmed; null if unknown.';
comment on column contact.properties is 'The account''s own names and values, for placeholders.';
comment on column contact.added_by is
    'Transaction that added the contact, for campaign.start_snapshot. Clocks of servers differ, the order of commits does '
    'not.';
-- Read in descending order by lists, in ascending order by campaigns.
create index contact_list on contact (account_id, contact_book_id, created_at, id);
-- For the list and the number of unsubscribed contacts of a book.
create index contact_unsubscribed on contact (account_id, contact_book_id, created_at, id) where not subscribed;
call secure('contact');
create trigger notify_stop after update of subscribed on contact
    for each row when (old.subscribed and not new.subscribed) execute function notify_stop();
create trigger notify_stop_of_deleted after delete on contact for each statement execute function notify_stop();

-- Inserted when a contact is deleted, deleted when its address is added to the book again; updated by the person.
create table former_contact (
    id               uuid primary key,
    account_id       uuid not null,
    contact_book_id  uuid not null references contact_book on delete cascade,
    address_hash     bytea not null,
    unsubscribed     boolean not null,
    unique (account_id, contact_book_id, address_hash)
);
comment on table former_contact is
    'A deleted contact: links in its mails still work, and it stays unsubscribed if its address is added again.';
comment on column former_contact.id is 'The id of the contact, which it has again if its address is added again.';
comment on column former_contact.address_hash is 'SHA-256 of the id of the book and contact.email_key; the address is deleted.';
comment on column former_contact.unsubscribed is
    'Whether the person had unsubscribed, or did so through the link of a mail after the deletion.';
call secure('former_contact');

-- Inserted when a contact of a book with double opt-in is to be asked, updated by the job that sends the mails.
create table confirmation (
    contact_id  uuid primary key references contact on delete cascade,
    account_id  uuid not null,
    due_at      timestamptz,
    sent_at     timestamptz,
    mails       int not null default 0
    -- Free space for updates in the same page: each mail updates the row.
) with (fillfactor = 70);
comment on table confirmation is
    'Mails that ask contacts to confirm their subscription; deleted when the person has decided.';
comment on column confirmation.due_at is
    'When the next mail is to be sent, later while one is being sent; null if none is requested.';
comment on column confirmation.sent_at is 'When the last mail was accepted for sending; null before.';
comment on column confirmation.mails is 'Number of mails accepted for sending.';
create index confirmation_due on confirmation (account_id, due_at) where due_at is not null;
call secure('confirmation');
-- The job that sends the mails starts at once.
create trigger notify_work after insert or update of due_at on confirmation
    for each row when (new.due_at is not null) execute function notify_work();
