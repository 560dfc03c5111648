-- Written by requests with an Idempotency-Key, in the transaction of the request, and by jobs that must not repeat a mail.
create table idempotency_key (
    account_id  uuid not null,
    route       text not null,
    key         text not null,
    body_hash   text not null,
    status      int not null,
    answer      text not null,
    created_at  timestamptz not null default now(),
    primary key (account_id, route, key)
);
comment on table idempotency_key is
    'An Idempotency-Key with the response of its first request, valid for 24 hours.';
comment on column idempotency_key.route is 'Method and path, such as POST /emails.';
comment on column idempotency_key.key is 'The Idempotency-Key header.';
comment on column idempotency_key.body_hash is 'SHA-256 of the request body as canonical JSON, in hex.';
comment on column idempotency_key.status is 'HTTP status of the response; 0 until the claiming transaction sets it.';
comment on column idempotency_key.answer is 'Body of the response; empty until the claiming transaction sets it.';
-- For retention.
create index idempotency_key_age on idempotency_key (created_at);
call secure('idempotency_key');
