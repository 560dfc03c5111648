-- Somebody signed in. Whatever ends the row ends the refresh token and the access tokens with it.
create table session (
    -- The sid of its access tokens.
    id           uuid primary key,
    account_id   uuid not null references account on delete cascade,
    -- SHA-256 of the part of the refresh token that stays: what a used one is known by.
    family_hash  bytea not null unique,
    -- SHA-256 of the part that changes at each refresh.
    secret_hash  bytea not null,
    created_at   timestamptz not null default now(),
    expires_at   timestamptz not null
);
create index session_account on session (account_id);
call secure('session');

-- A refresh token is found before its account is known.
create function session_by_family(wanted bytea) returns table (id uuid, account_id uuid)
language sql stable as 'select id, account_id from session where family_hash = wanted and expires_at > now()';
call sees_every_account('session_by_family(bytea)');

-- One look for each access token: no transaction is needed for it.
create function session_stands(wanted uuid, owner uuid) returns boolean
language sql stable as 'select exists (
    select from session where id = wanted and account_id = owner and expires_at > now())';
call sees_every_account('session_stands(uuid, uuid)');

-- An address signs in before its account is known.
create function account_by_email(wanted text) returns setof account
language sql stable as 'select * from account where email_key = wanted';
call sees_every_account('account_by_email(text)');

-- A link in a mail: good for one use.
create table one_time_token (
    -- SHA-256 of the token.
    hash        bytea primary key,
    account_id  uuid not null references account on delete cascade,
    purpose     text not null check (purpose in ('verify_email', 'reset_password')),
    expires_at  timestamptz not null
);
create index one_time_token_account on one_time_token (account_id);
call secure('one_time_token');

create function one_time_token_account(wanted bytea, meant_for text) returns uuid
language sql stable as '
    select account_id from one_time_token where hash = wanted and purpose = meant_for and expires_at > now()';
call sees_every_account('one_time_token_account(bytea, text)');

-- What an address did of late, whether or not an account has it.
create table throttle (
    kind    text not null,
    -- SHA-256 of the address: strangers' addresses are not kept.
    key     bytea not null,
    -- When it happened, within the window.
    times   timestamptz[] not null,
    latest  timestamptz not null,
    primary key (kind, key)
);
create index throttle_latest on throttle (latest);
grant select, insert, update, delete on throttle to "${app}", mailroom_system;
