-- What access tokens are signed with. A key is published before it signs, and after.
create table signing_key (
    id                  uuid primary key,
    -- A JWK (RFC 7517), sealed with the master key and bound to this row.
    sealed_jwk          bytea not null,
    created_at          timestamptz not null,
    signs_from          timestamptz not null
);
grant select, insert, delete on signing_key to "${app}", mailroom_system;
