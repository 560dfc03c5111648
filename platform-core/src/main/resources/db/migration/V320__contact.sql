create table contact_book (
    id          uuid primary key,
    account_id  uuid not null references account,
    name        text not null,
    -- How many contacts it holds: kept by whatever adds or takes away some, in the same transaction.
    contacts    bigint not null default 0 check (contacts >= 0),
    created_at  timestamptz not null,
    updated_at  timestamptz not null
) with (fillfactor = 50);
create index contact_book_account on contact_book (account_id, created_at, id);
call secure('contact_book');

create table contact (
    id               uuid primary key,
    account_id       uuid not null,
    contact_book_id  uuid not null references contact_book,
    -- As it was given, and lower-case with its domain in ASCII: two spellings of one address are one contact.
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
-- Read backwards by lists, forwards by campaigns.
create index contact_list on contact (account_id, contact_book_id, created_at, id);
call secure('contact');
