-- Written by owners and developers of the account; authentication updates last_used_at.
create table api_key (
    id            uuid primary key,
    account_id    uuid not null references account on delete cascade,
    domain_id     uuid not null references domain on delete cascade,
    name          text not null,
    prefix        text not null unique,
    secret_hash   bytea not null,
    permissions   text[] not null,
    created_at    timestamptz not null,
    last_used_at  timestamptz,
    unique (account_id, name)
);
comment on table api_key is 'An API key, limited to one domain.';
comment on column api_key.prefix is 'ek_ and the key part, 12 characters: displayed, and used for the lookup.';
comment on column api_key.secret_hash is 'SHA-256 of the secret part.';
comment on column api_key.permissions is 'Any of send (which includes all), emails.send, emails.read, inbound.read and analytics.read.';
comment on column api_key.last_used_at is 'Updated at most once a minute; null before the first use.';
create index api_key_domain on api_key (domain_id);
call secure('api_key');

create function api_key_by_prefix(wanted text) returns setof api_key
language sql stable as 'select * from api_key where prefix = wanted';
comment on function api_key_by_prefix(text) is 'The key with this prefix, for authentication.';
call sees_every_account('api_key_by_prefix(text)');
