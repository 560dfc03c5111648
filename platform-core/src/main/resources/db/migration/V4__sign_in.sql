-- How people prove who they are: sessions, mailed tokens, second factors, external issuers, and the limits of guessing.

-- Written by each sign-in and refresh; deleted by the end of the session, a new password, and retention.
create table session (
    id           uuid primary key,
    account_id   uuid not null references account on delete cascade,
    family_hash  bytea not null unique,
    secret_hash  bytea not null,
    device       text check (length(device) <= 100),
    created_at   timestamptz not null default now(),
    expires_at   timestamptz not null
);
comment on table session is
    'A signed-in session; deleting the row revokes the refresh token and all access tokens of the session.';
comment on column session.id is 'The sid claim of the session''s access tokens.';
comment on column session.account_id is 'The person who signed in.';
comment on column session.family_hash is
    'SHA-256 of the part of the refresh token that is constant over rotations; identifies a token that is used twice.';
comment on column session.secret_hash is 'SHA-256 of the part of the refresh token that each refresh replaces.';
comment on column session.device is
    'Program and system of the client that signed in, such as Firefox on Linux, as its User-Agent states; null if it is '
    'unknown.';
comment on column session.expires_at is
    'When the refresh token expires; each refresh extends it, to 90 days after the sign-in at most.';
create index session_account on session (account_id);
-- For retention.
create index session_expires on session (expires_at);
call secure('session');

create function session_by_family(wanted bytea) returns table (id uuid, account_id uuid)
language sql stable as 'select id, account_id from session where family_hash = wanted and expires_at > now()';
comment on function session_by_family(bytea) is 'The unexpired session of a refresh token.';
call sees_every_account('session_by_family(bytea)');

create function session_member(wanted uuid, person uuid) returns table (account_id uuid, role text)
language sql stable as '
    select member.account_id, member.role
      from session join member on member.person_id = session.account_id
     where session.id = wanted and session.account_id = person and session.expires_at > now()';
comment on function session_member(uuid, uuid) is
    'The account and the role of a person with an unexpired session; called once for each access token, without a '
    'transaction.';
call sees_every_account('session_member(uuid, uuid)');

-- Written by registration and by requests for a new password.
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

-- Written by the person who sets up a second factor, and by each sign-in with a code.
create table second_factor (
    account_id     uuid primary key references account on delete cascade,
    sealed_secret  bytea not null,
    confirmed_at   timestamptz,
    last_step      bigint not null default 0,
    created_at     timestamptz not null default now()
);
comment on table second_factor is 'The secret of a person''s one-time codes (TOTP, RFC 6238).';
comment on column second_factor.account_id is 'The person who signs in with it.';
comment on column second_factor.sealed_secret is '20 bytes, encrypted with the master key and bound to this row.';
comment on column second_factor.confirmed_at is
    'When a first code was entered; null while the secret is being set up and signing in does not require it yet.';
comment on column second_factor.last_step is
    'The time step (30 s) of the last accepted code. Codes of this and of earlier steps are refused.';
call secure('second_factor');

-- Written when the second factor is confirmed or new codes are requested.
create table recovery_code (
    account_id  uuid not null references second_factor on delete cascade,
    hash        bytea not null,
    primary key (account_id, hash)
);
comment on table recovery_code is 'Codes that replace a one-time code, deleted when they are used.';
comment on column recovery_code.hash is 'SHA-256 of the code, which has 80 random bits.';
call secure('recovery_code');

-- Written by sign-ins between the password and the code.
create table sign_in_challenge (
    hash        bytea primary key,
    account_id  uuid not null references account on delete cascade,
    attempts    int not null default 0,
    expires_at  timestamptz not null
);
comment on table sign_in_challenge is
    'A sign-in whose password was right and whose second factor is missing; deleted when it is completed.';
comment on column sign_in_challenge.hash is 'SHA-256 of the challenge.';
comment on column sign_in_challenge.attempts is 'Codes that were entered; their number is limited.';
create index sign_in_challenge_account on sign_in_challenge (account_id);
call secure('sign_in_challenge');

create function sign_in_challenge_account(wanted bytea) returns uuid
language sql stable as 'select account_id from sign_in_challenge where hash = wanted and expires_at > now()';
comment on function sign_in_challenge_account(bytea) is 'The account of an unexpired challenge; null if there is none.';
call sees_every_account('sign_in_challenge_account(bytea)');

-- Written by the first request of each user of an external issuer.
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

-- Written by sign-ins, registrations and requests for mails with a link.
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
comment on column throttle.kind is
    'sign_in: failed sign-ins for an address from a network; sign_in_all: for an address; sign_in_network, registration, '
    'letter_network: from a network; letter: mails with a link to an address; code: second factors of an account.';
comment on column throttle.key is 'SHA-256 of the address, the network, both, or the account; they are not stored.';
comment on column throttle.times is 'When each counted occurrence within the window took place, oldest first.';
comment on column throttle.latest is 'The last element of times.';
-- For the deletion of expired rows.
create index throttle_latest on throttle (latest);
grant select, insert, update, delete on throttle to "${app}", mailroom_system;

-- Written by sign-ins that succeed.
create table known_client (
    key      bytea primary key,
    seen_at  timestamptz not null
);
comment on table known_client is
    'Networks from which somebody signed in to an address. Failures from other networks do not lock them out. Not under '
    'row-level security, as it is read before the account is known.';
comment on column known_client.key is 'SHA-256 of the address and the network; neither is stored.';
comment on column known_client.seen_at is 'The last sign-in, with a precision of a day.';
-- For the deletion of unused rows.
create index known_client_seen on known_client (seen_at);
grant select, insert, update, delete on known_client to "${app}", mailroom_system;

-- Written by the instances that issue access tokens: the first key when none exists, and replacements when they are due.
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
