create table contact_book (
    id          uuid primary key,
    account_id  uuid not null references account,
    name        text not null,
    contacts    bigint not null default 0 check (contacts >= 0),
    created_at  timestamptz not null,
    updated_at  timestamptz not null
) with (fillfactor = 50);
comment on table contact_book is 'A list of contacts, the audience of campaigns.';
comment on column contact_book.contacts is
    'Number of contacts, subscribed or not; updated in the transaction that adds or deletes them.';
create index contact_book_account on contact_book (account_id, created_at, id);
call secure('contact_book');

create table contact (
    id               uuid primary key,
    account_id       uuid not null,
    contact_book_id  uuid not null references contact_book,
    email            text not null,
    email_key        text not null,
    first_name       text not null default '',
    last_name        text not null default '',
    subscribed       boolean not null default true,
    properties       jsonb not null default '{}',
    created_at       timestamptz not null,
    updated_at       timestamptz not null,
    unique (account_id, contact_book_id, email_key)
) with (fillfactor = 90);
comment on table contact is 'A recipient in a contact book.';
comment on column contact.email is 'The address as entered.';
comment on column contact.email_key is
    'The address in lower case with its domain in ASCII: spellings with the same key are one contact of the book.';
comment on column contact.subscribed is 'Whether the contact receives campaigns of this book.';
comment on column contact.properties is 'The account''s own names and values, for placeholders.';
-- Read in descending order by lists, in ascending order by campaigns.
create index contact_list on contact (account_id, contact_book_id, created_at, id);
call secure('contact');
