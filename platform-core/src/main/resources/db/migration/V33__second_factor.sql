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
    'When a first code was entered; null while the secret is being set up, so that signing in does not require it yet.';
comment on column second_factor.last_step is
    'The time step (30 s) of the last accepted code. Codes of this and of earlier steps are refused.';
call secure('second_factor');

create table recovery_code (
    account_id  uuid not null references second_factor on delete cascade,
    hash        bytea not null,
    primary key (account_id, hash)
);
comment on table recovery_code is 'Codes that replace a one-time code, deleted when they are used.';
comment on column recovery_code.hash is 'SHA-256 of the code, which has 80 random bits.';
call secure('recovery_code');

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

comment on column throttle.kind is
    'sign_in: failed sign-ins for an address from a network; sign_in_all: for an address; sign_in_network, registration, '
    'letter_network: from a network; letter: mails with a link to an address; code: second factors of an account.';
comment on column throttle.key is 'SHA-256 of the address, the network, both, or the account; they are not stored.';
