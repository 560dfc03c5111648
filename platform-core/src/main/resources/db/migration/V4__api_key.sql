create table api_key (
    id            uuid primary key,
    account_id    uuid not null references account,
    domain_id     uuid not null references domain on delete cascade,
    name          text not null,
    -- ek_<key part>: what is shown, and what a key is found by.
    prefix        text not null unique,
    -- SHA-256 of the secret part.
    secret_hash   bytea not null,
    permissions   text[] not null,
    created_at    timestamptz not null,
    -- Coarse: written at most once a minute.
    last_used_at  timestamptz,
    unique (account_id, name)
);
create index api_key_domain on api_key (domain_id);
call secure('api_key');

-- A key is found before its account is known.
create function api_key_by_prefix(wanted text) returns setof api_key
language sql stable as 'select * from api_key where prefix = wanted';
call sees_every_account('api_key_by_prefix(text)');
