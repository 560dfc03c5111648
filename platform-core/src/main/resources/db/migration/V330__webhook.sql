create table webhook_endpoint (
    id               uuid primary key,
    account_id       uuid not null references account,
    url              text not null,
    -- The kinds of events that it is told of.
    events           text[] not null,
    description      text not null default '',
    active           boolean not null default true,
    -- What signs its calls, sealed with the master key and bound to this row and account.
    sealed_secret    bytea not null,
    -- The secret before, which signs too until its time is over.
    sealed_previous  bytea,
    previous_until   timestamptz,
    created_at       timestamptz not null,
    check ((sealed_previous is null) = (previous_until is null))
);
create index webhook_endpoint_account on webhook_endpoint (account_id, created_at, id);
call secure('webhook_endpoint');

-- What an endpoint is owed: a row for each event and endpoint, called until it answers well or is given up.
create table webhook_delivery (
    id           uuid primary key,
    account_id   uuid not null,
    endpoint_id  uuid not null references webhook_endpoint on delete cascade,
    event_id     uuid not null,
    kind         text not null,
    -- queued: waits for due_at. leased: somebody calls. done: settled, one way or the other.
    phase        text not null default 'queued' check (phase in ('queued', 'leased', 'done')),
    -- Raised by every lease; whoever holds an older one holds nothing.
    epoch        int not null default 0,
    lease_until  timestamptz,
    due_at       timestamptz not null,
    -- Calls made since it was owed, or since it was asked for again.
    attempt      int not null default 0,
    status       text not null default 'pending' check (status in ('pending', 'delivered', 'failed')),
    -- What the last call was answered with: its status and the beginning of its body.
    last_status  int,
    answer       text,
    created_at   timestamptz not null,
    settled_at   timestamptz,
    unique (account_id, endpoint_id, event_id)
) with (fillfactor = 70);
create index webhook_delivery_endpoint on webhook_delivery (endpoint_id, created_at, id);
create index webhook_delivery_queue on webhook_delivery (due_at, id) where phase = 'queued';
create index webhook_delivery_lease on webhook_delivery (lease_until) where phase = 'leased';
call secure('webhook_delivery');
