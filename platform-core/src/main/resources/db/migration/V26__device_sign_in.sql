-- Written by programs that ask for a sign-in, and by the people who answer them (RFC 8628).
create table device_sign_in (
    device_hash       bytea primary key,
    code_hash         bytea not null unique,
    program           text not null,
    device            text not null,
    address           text not null,
    requested         text[] not null,
    created_at        timestamptz not null default now(),
    expires_at        timestamptz not null,
    interval_seconds  int not null,
    polled_at         timestamptz,
    state             text not null default 'pending' check (state in ('pending', 'approved', 'denied')),
    account_id        uuid references account on delete cascade,
    person_id         uuid,
    key_name          text,
    permissions       text[],
    key_expires_at    timestamptz,
    check ((state = 'approved') = (account_id is not null))
);
comment on table device_sign_in is
    'A program that asks for an API key of an account, until a person answers and the program has fetched the key. The key '
    'is created when it is fetched, so no row holds a secret.';
comment on column device_sign_in.device_hash is 'SHA-256 of the code with which the program polls.';
comment on column device_sign_in.code_hash is 'SHA-256 of the code that the person compares.';
comment on column device_sign_in.program is 'The client_id: the name that the program gives itself.';
comment on column device_sign_in.device is
    'Program and system according to the User-Agent; empty if they are unknown. Displayed only, like program.';
comment on column device_sign_in.address is 'Network address of the program; empty if it is unknown.';
comment on column device_sign_in.requested is 'Permissions that the program asks for. The person decides.';
comment on column device_sign_in.expires_at is 'When it can no longer be answered or fetched.';
comment on column device_sign_in.interval_seconds is
    'Time that the program has to wait between two polls; 5 s more after each one that comes too early.';
comment on column device_sign_in.polled_at is 'The last poll; null before the first.';
comment on column device_sign_in.account_id is 'The account of the person who approved it, which the key is for.';
comment on column device_sign_in.person_id is 'The person who approved it.';
comment on column device_sign_in.key_name is 'Name of the key to be created.';
comment on column device_sign_in.permissions is 'Permissions of the key to be created.';
comment on column device_sign_in.key_expires_at is 'When the key to be created expires; null if it does not.';
-- For the number of pending ones, and for the removal of old ones.
create index device_sign_in_expires on device_sign_in (expires_at);
create index device_sign_in_account on device_sign_in (account_id) where account_id is not null;
call secure('device_sign_in');

comment on column throttle.kind is
    'sign_in: failed sign-ins for an address from a network; sign_in_all: for an address; sign_in_network, registration, '
    'letter_network, device: from a network; letter: mails with a link to an address; code: second factors of an account; '
    'device_code: codes of programs that a person enters.';
