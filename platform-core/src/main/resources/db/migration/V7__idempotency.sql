-- An Idempotency-Key and the answer its first request got, kept 24 hours.
create table idempotency_key (
    account_id  uuid not null,
    -- Method and path: POST /emails.
    route       text not null,
    key         text not null,
    -- SHA-256 of the body as canonical JSON, in hex.
    body_hash   text not null,
    status      int not null,
    answer      text not null,
    created_at  timestamptz not null default now(),
    primary key (account_id, route, key)
);
create index idempotency_key_age on idempotency_key (created_at);
call secure('idempotency_key');
