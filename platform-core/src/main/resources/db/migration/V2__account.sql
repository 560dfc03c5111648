create table plan (
    name                text primary key,
    daily_limit         bigint,
    monthly_limit       bigint,
    domain_limit        bigint,
    contact_book_limit  bigint,
    contact_limit       bigint,
    weight              int not null default 1 check (weight between 1 and 4)
);
comment on table plan is 'Limits of an account, by plan; a null limit means unlimited.';
comment on column plan.daily_limit is 'Mails per day (UTC).';
comment on column plan.monthly_limit is 'Mails per calendar month (UTC).';
comment on column plan.domain_limit is 'Sending domains.';
comment on column plan.contact_book_limit is 'Contact books.';
comment on column plan.contact_limit is 'Contacts in all books together.';
comment on column plan.weight is 'Quarters of the largest share of the deliveries in flight that one account may have.';
insert into plan (name, daily_limit, monthly_limit, domain_limit, contact_book_limit, contact_limit, weight)
values
    ('free', 100, 3000, 10, 2, 200, 1),
    ('pro', null, 50000, null, null, null, 2),
    ('unlimited', null, null, null, null, null, 4);
grant select on plan to "${app}", mailroom_system;

create table account (
    id                 uuid primary key,
    email              text not null,
    email_key          text not null unique,
    name               text not null default '',
    password_hash      text,
    email_verified_at  timestamptz,
    plan               text not null references plan,
    role               text not null default 'tenant' check (role in ('tenant', 'operator', 'platform')),
    transport          text check (transport in ('relay', 'mx')),
    paused_reason      text,
    pause_notice       boolean not null default false,
    counted_from       date,
    created_at         timestamptz not null
);
comment on table account is 'An owner of domains, API keys and mails; accounts are never deleted.';
comment on column account.email is
    'The owner''s address as entered; empty when an external issuer supplied no verified address.';
comment on column account.email_key is
    'The address for sign-in: lower-case, domain in ASCII; identity:<id> when email is empty.';
comment on column account.name is 'Display name; may be empty.';
comment on column account.password_hash is 'Argon2id hash; null when only an external issuer signs in.';
comment on column account.email_verified_at is 'When the owner proved control of the address; null before.';
comment on column account.role is
    'tenant; operator: may use the operators'' part of the admin app; platform: sender of Mailroom''s own mail, never '
    'signs in.';
comment on column account.transport is
    'Transport of the account''s mail: relay or mx; null for the platform''s default. A domain''s own choice precedes.';
comment on column account.paused_reason is
    'Why the account may not send at present, as shown to its owner; null if it may.';
comment on column account.pause_notice is 'Whether the notice about the pause still has to be sent to the owner.';
comment on column account.counted_from is
    'First day (UTC) that counts towards an automatic pause, set when an operator lifts a pause; null when all days '
    'count.';
-- For the job that sends notices about pauses.
create index account_pause_notice on account (id) where pause_notice;
-- Read by every lease; accounts with a transport of their own are few.
create index account_transport on account (id) where transport is not null;
call secure('account', 'id');

create function account_by_email(wanted text) returns setof account
language sql stable as 'select * from account where email_key = wanted';
comment on function account_by_email(text) is 'The account with this email_key, for sign-in and password reset.';
call sees_every_account('account_by_email(text)');

create table session (
    id           uuid primary key,
    account_id   uuid not null references account on delete cascade,
    family_hash  bytea not null unique,
    secret_hash  bytea not null,
    created_at   timestamptz not null default now(),
    expires_at   timestamptz not null
);
comment on table session is
    'A signed-in session; deleting the row revokes the refresh token and all access tokens of the session.';
comment on column session.id is 'The sid claim of the session''s access tokens.';
comment on column session.family_hash is
    'SHA-256 of the part of the refresh token that is constant over rotations; identifies a token that is used twice.';
comment on column session.secret_hash is 'SHA-256 of the part of the refresh token that each refresh replaces.';
comment on column session.expires_at is 'When the refresh token expires; each refresh extends it.';
create index session_account on session (account_id);
-- For retention.
create index session_expires on session (expires_at);
call secure('session');

create function session_by_family(wanted bytea) returns table (id uuid, account_id uuid)
language sql stable as 'select id, account_id from session where family_hash = wanted and expires_at > now()';
comment on function session_by_family(bytea) is 'The unexpired session of a refresh token.';
call sees_every_account('session_by_family(bytea)');

create function session_stands(wanted uuid, owner uuid) returns boolean
language sql stable as 'select exists (
    select from session where id = wanted and account_id = owner and expires_at > now())';
comment on function session_stands(uuid, uuid) is
    'Whether a session exists and has not expired; called once for each access token, without a transaction.';
call sees_every_account('session_stands(uuid, uuid)');

create table one_time_token (
    hash        bytea primary key,
    account_id  uuid not null references account on delete cascade,
    purpose     text not null check (purpose in ('verify_email', 'reset_password')),
    expires_at  timestamptz not null
);
comment on table one_time_token is 'A token in a mailed link, deleted when it is used.';
comment on column one_time_token.hash is 'SHA-256 of the token.';
create index one_time_token_account on one_time_token (account_id);
-- For retention.
create index one_time_token_expires on one_time_token (expires_at);
call secure('one_time_token');

create function one_time_token_account(wanted bytea, meant_for text) returns uuid
language sql stable as '
    select account_id from one_time_token where hash = wanted and purpose = meant_for and expires_at > now()';
comment on function one_time_token_account(bytea, text) is
    'The account of an unexpired token with this hash and purpose; null if there is none.';
call sees_every_account('one_time_token_account(bytea, text)');

create table throttle (
    kind    text not null,
    key     bytea not null,
    times   timestamptz[] not null,
    latest  timestamptz not null,
    primary key (kind, key)
);
comment on table throttle is
    'Recent sign-in failures and mails by address, for limits that also apply to addresses without an account. Not '
    'under row-level security, as rows belong to no account.';
comment on column throttle.kind is 'sign_in: failed sign-ins; letter: mails with a link.';
comment on column throttle.key is 'SHA-256 of the address; the address itself is not stored.';
comment on column throttle.times is 'When each counted occurrence within the window took place, oldest first.';
comment on column throttle.latest is 'The last element of times.';
-- For the deletion of expired rows.
create index throttle_latest on throttle (latest);
grant select, insert, update, delete on throttle to "${app}", mailroom_system;

create table signing_key (
    id          uuid primary key,
    sealed_jwk  bytea not null,
    created_at  timestamptz not null,
    signs_from  timestamptz not null
);
comment on table signing_key is
    'A key pair that signs access tokens, published in the JWKS from its creation until its last token has expired.';
comment on column signing_key.id is 'The kid.';
comment on column signing_key.sealed_jwk is
    'The private JWK (RFC 7517), encrypted with the master key and bound to this row.';
comment on column signing_key.signs_from is
    'When the key starts to sign: an hour after its creation, so that verifiers have fetched it by then; at once for '
    'the very first key.';
grant select, insert, delete on signing_key to "${app}", mailroom_system;

create table identity (
    issuer      text not null,
    subject     text not null,
    -- Deferred: the identity is inserted before its account, and the account only if the identity was free.
    account_id  uuid not null references account on delete cascade deferrable initially deferred,
    created_at  timestamptz not null default now(),
    primary key (issuer, subject)
);
comment on table identity is 'Links a user of an external OpenID Connect issuer to an account.';
comment on column identity.issuer is 'The iss claim.';
comment on column identity.subject is 'The sub claim.';
create index identity_account on identity (account_id);
call secure('identity');

create function account_by_identity(by_issuer text, wanted text)
returns table (account_id uuid, verified boolean)
language sql stable as '
    select i.account_id, a.email_verified_at is not null
      from identity i join account a on a.id = i.account_id
     where i.issuer = by_issuer and i.subject = wanted';
comment on function account_by_identity(text, text) is
    'The account linked to an external identity, and whether its address is verified.';
call sees_every_account('account_by_identity(text, text)');
