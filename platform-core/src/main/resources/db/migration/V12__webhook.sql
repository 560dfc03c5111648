create table webhook_endpoint (
    id               uuid primary key,
    account_id       uuid not null references account,
    url              text not null,
    events           text[] not null,
    description      text not null default '',
    active           boolean not null default true,
    sealed_secret    bytea not null,
    sealed_previous  bytea,
    previous_until   timestamptz,
    created_at       timestamptz not null,
    check ((sealed_previous is null) = (previous_until is null))
);
comment on table webhook_endpoint is 'A URL of the account that events are posted to.';
comment on column webhook_endpoint.events is 'Kinds of events the endpoint subscribes to.';
comment on column webhook_endpoint.active is 'Whether events are posted to the endpoint.';
comment on column webhook_endpoint.sealed_secret is
    'Secret that signs calls, encrypted with the master key and bound to this row and account.';
comment on column webhook_endpoint.sealed_previous is
    'The secret before the last rotation, which also signs until previous_until; null if there is none.';
create index webhook_endpoint_account on webhook_endpoint (account_id, created_at, id);
call secure('webhook_endpoint');

create table webhook_delivery (
    id           uuid primary key,
    account_id   uuid not null,
    endpoint_id  uuid not null references webhook_endpoint on delete cascade,
    event_id     uuid not null,
    kind         text not null,
    phase        text not null default 'queued' check (phase in ('queued', 'leased', 'done')),
    epoch        int not null default 0,
    lease_until  timestamptz,
    due_at       timestamptz not null,
    attempt      int not null default 0,
    status       text not null default 'pending' check (status in ('pending', 'delivered', 'failed')),
    last_status  int,
    answer       text,
    created_at   timestamptz not null,
    settled_at   timestamptz,
    unique (account_id, endpoint_id, event_id)
) with (fillfactor = 70);
comment on table webhook_delivery is
    'The queue of webhook calls: one row for each event and subscribed endpoint. Times that decide what is due come '
    'from the database''s clock.';
comment on column webhook_delivery.kind is 'Copy of event.kind.';
comment on column webhook_delivery.phase is
    'queued: waiting for due_at; leased: assigned to a worker; done: settled, with whatever status.';
comment on column webhook_delivery.epoch is
    'Incremented by each lease; a worker whose lease has a lower epoch has lost the call.';
comment on column webhook_delivery.lease_until is 'When the lease expires; null if there is none.';
comment on column webhook_delivery.due_at is 'The earliest time of the next call.';
comment on column webhook_delivery.attempt is
    'Number of calls made since the row was created or since its owner requested the call again.';
comment on column webhook_delivery.status is
    'pending; delivered: the endpoint accepted the event; failed: all attempts were used up.';
comment on column webhook_delivery.last_status is 'HTTP status of the last call; null if there was no response.';
comment on column webhook_delivery.answer is 'Beginning of the last response''s body; null if there was no response.';
comment on column webhook_delivery.settled_at is 'When the call succeeded or was given up; null while it is pending.';
create index webhook_delivery_endpoint on webhook_delivery (endpoint_id, created_at, id);
-- For leases.
create index webhook_delivery_queue on webhook_delivery (due_at, id) where phase = 'queued';
-- For the recovery of expired leases.
create index webhook_delivery_lease on webhook_delivery (lease_until) where phase = 'leased';
call secure('webhook_delivery');
