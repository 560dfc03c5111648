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

comment on column throttle.kind is
    'sign_in: failed sign-ins for an address from a network; sign_in_all: for an address; sign_in_network, registration, '
    'letter_network: from a network; letter: mails with a link to an address.';
comment on column throttle.key is 'SHA-256 of the address, the network, or both; they are not stored.';
