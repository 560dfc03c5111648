-- Webhook calls: events are queued for endpoints by a trigger, workers lease endpoints and make their calls.

-- Written by the account; a worker switches an endpoint off when its calls have failed for days.
create table webhook_endpoint (
    id               uuid primary key,
    account_id       uuid not null references account on delete cascade,
    url              text not null,
    events           text[] not null,
    description      text not null default '',
    active           boolean not null default true,
    disabled_reason  text,
    disabled_at      timestamptz,
    notice_due       boolean not null default false,
    sealed_secret    bytea not null,
    sealed_previous  bytea,
    previous_until   timestamptz,
    created_at       timestamptz not null,
    check ((sealed_previous is null) = (previous_until is null))
);
comment on table webhook_endpoint is 'A URL of the account that events are posted to.';
comment on column webhook_endpoint.events is 'Kinds of events the endpoint subscribes to.';
comment on column webhook_endpoint.active is 'Whether events are posted to the endpoint.';
comment on column webhook_endpoint.disabled_reason is
    'Reason why the platform switched the endpoint off; null if it did not, or if the owner switched it on again.';
comment on column webhook_endpoint.disabled_at is 'When the platform switched the endpoint off.';
comment on column webhook_endpoint.notice_due is 'Whether the owner must still be notified that it was switched off.';
comment on column webhook_endpoint.sealed_secret is
    'Secret that signs calls, encrypted with the master key and bound to this row and account.';
comment on column webhook_endpoint.sealed_previous is
    'The secret before the last rotation, which also signs until previous_until; null if there is none.';
create index webhook_endpoint_account on webhook_endpoint (account_id, created_at, id);
-- For the job that sends notices.
create index webhook_endpoint_notice on webhook_endpoint (id) where notice_due;
call secure('webhook_endpoint');
-- The notice is sent at once.
create trigger notify_work after update of notice_due on webhook_endpoint
    for each row when (new.notice_due) execute function notify_work();

-- Inserted with the endpoint; updated by leases, by the results of calls, and by changes of the endpoint.
create table webhook_state (
    endpoint_id      uuid primary key,
    account_id       uuid not null,
    epoch            int not null default 0,
    lease_until      timestamptz,
    next_due_at      timestamptz,
    failures         int not null default 0,
    failing_since    timestamptz,
    inactive_since   timestamptz,
    deleted_at       timestamptz,
    subscribed_at    pg_snapshot,
    caught_up_after  xid8
    -- Free space for HOT updates: each lease updates the row. Vacuum runs after a number of dead rows, because few rows are
    -- updated often.
) with (fillfactor = 50, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000);
comment on table webhook_state is
    'State of the calls to each endpoint. A worker leases an endpoint, not its calls: at most one worker calls '
    'it, and calls of a failing endpoint are postponed without a change of the rows that wait. Times are the database''s.';
comment on column webhook_state.epoch is
    'Incremented by each lease; the results of a worker that presents another epoch are dropped.';
comment on column webhook_state.lease_until is 'When the lease expires; null or past if no worker calls the endpoint.';
comment on column webhook_state.next_due_at is
    'Calls of the endpoint are postponed until this time after a failed one; null if they are not.';
comment on column webhook_state.failures is 'Failed calls since the last one that succeeded.';
comment on column webhook_state.failing_since is 'Time of the first of these failures; null if the last call succeeded.';
comment on column webhook_state.inactive_since is 'When the endpoint was last switched off; null while it is active.';
comment on column webhook_state.deleted_at is
    'When the endpoint was deleted. The row stays until its calls are removed and no transaction can add one.';
comment on column webhook_state.subscribed_at is
    'Snapshot of the transaction that last created or activated the endpoint or changed its kinds; null once the events '
    'of transactions that were open at that time are queued as well.';
comment on column webhook_state.caught_up_after is
    'Transaction that follows the commit of that change. When it is older than every running transaction, all events '
    'that the trigger cannot have queued are committed.';
-- For the jobs: the events that a new subscription has missed, the calls of endpoints that were deleted or switched off.
create index webhook_state_subscribed on webhook_state (endpoint_id) where subscribed_at is not null;
create index webhook_state_deleted on webhook_state (endpoint_id) where deleted_at is not null;
create index webhook_state_inactive on webhook_state (endpoint_id) where inactive_since is not null;
call secure('webhook_state');
-- The events that the trigger of event may have missed are queued at once.
create trigger notify_work after insert or update of subscribed_at on webhook_state
    for each row when (new.subscribed_at is not null) execute function notify_work();

-- Inserted by the trigger of event, or by a test; updated when the body is stored, and by each attempt.
create table webhook_delivery (
    id           uuid primary key,
    account_id   uuid not null,
    -- No foreign key: each settlement would lock the row of the endpoint, and deleting it would remove all calls in one
    -- statement. They are removed in batches.
    endpoint_id  uuid not null,
    event_id     uuid not null,
    kind         text not null,
    body         text,
    due_at       timestamptz not null,
    requested    boolean not null default false,
    attempt      int not null default 0,
    status       text not null default 'pending' check (status in ('pending', 'delivered', 'failed')),
    last_status  int,
    answer       text,
    created_at   timestamptz not null,
    settled_at   timestamptz,
    unique (account_id, endpoint_id, event_id)
    -- Free space for updates in the same page: most calls are updated twice.
) with (fillfactor = 70);
comment on table webhook_delivery is
    'Webhook calls: one row for each event and subscribed endpoint. Pending rows are the queue. Times that decide what '
    'is due come from the database''s clock.';
comment on column webhook_delivery.kind is 'Copy of event.kind.';
comment on column webhook_delivery.body is
    'The body of the call, stored before its first attempt: all attempts send the same bytes.';
comment on column webhook_delivery.due_at is 'The earliest time of the next attempt or, once settled, the time of the last.';
comment on column webhook_delivery.requested is
    'Whether the owner requested the next attempt: it is made even if calls are postponed or the endpoint is switched off.';
comment on column webhook_delivery.attempt is
    'Number of calls made since the row was created or since its owner requested the call again.';
comment on column webhook_delivery.status is
    'pending; delivered: the endpoint accepted the event; failed: all attempts were used up.';
comment on column webhook_delivery.last_status is 'HTTP status of the last call; null if there was no response.';
comment on column webhook_delivery.answer is 'Beginning of the last response''s body; null if there was no response.';
comment on column webhook_delivery.settled_at is 'When the call succeeded or was given up; null while it is pending.';
create index webhook_delivery_endpoint on webhook_delivery (endpoint_id, created_at, id);
-- For leases: endpoint by endpoint, what is due first.
create index webhook_delivery_due on webhook_delivery (endpoint_id, due_at, id) where status = 'pending';
-- For endpoints whose calls are postponed or that are switched off: only the calls that their owners requested are made.
create index webhook_delivery_requested on webhook_delivery (endpoint_id, due_at, id)
    where status = 'pending' and requested;
call secure('webhook_delivery');

-- Runs once for each statement that inserts events, in its transaction. Accounts without an endpoint cost one look into
-- the index of endpoints for each account and statement. The ids are UUIDv7, like all others.
create function queue_webhook_calls() returns trigger
language plpgsql as $$
begin
    insert into webhook_delivery (id, account_id, endpoint_id, event_id, kind, due_at, created_at)
    select encode(set_bit(set_bit(overlay(uuid_send(gen_random_uuid())
               placing substring(int8send((extract(epoch from clock_timestamp()) * 1000)::bigint) from 3) from 1 for 6),
               52, 1), 53, 1), 'hex')::uuid,
           added.account_id, subscribed.id, added.id, added.kind, now(), now()
      from (select distinct account_id from added) as account
     cross join lateral (select endpoint.id, endpoint.events from webhook_endpoint as endpoint
                          where endpoint.account_id = account.account_id and endpoint.active
                         offset 0) as subscribed
      join added on added.account_id = account.account_id and added.kind = any (subscribed.events)
     where added.kind <> 'webhook.test'
    on conflict (account_id, endpoint_id, event_id) do nothing;
    return null;
end $$;
comment on function queue_webhook_calls() is
    'Queues a call for each new event and active endpoint of its account that subscribes to its kind. A test is queued '
    'by its sender, for one endpoint only.';
create trigger queue_webhook_calls after insert on event
    referencing new table as added for each statement execute function queue_webhook_calls();
-- One role for all callers: the plan of its statement is kept when a connection changes between roles.
call sees_every_account('queue_webhook_calls()');

-- Written by the triggers of webhook_delivery only.
create table webhook_delivery_count (
    endpoint_id  uuid not null,
    slot         smallint not null,
    account_id   uuid not null,
    count        bigint not null,
    primary key (endpoint_id, slot)
    -- Free space for HOT updates: each statement that inserts calls updates a row.
) with (fillfactor = 50);
comment on table webhook_delivery_count is
    'Number of calls to each webhook endpoint, summed over the slots. Maintained by a trigger on webhook_delivery.';
comment on column webhook_delivery_count.slot is 'As in email_count.';
comment on column webhook_delivery_count.count is 'May be negative in a single slot; only the sum is meaningful.';
call secure('webhook_delivery_count');

create function webhook_delivery_written() returns trigger language plpgsql as $$
begin
    if tg_op = 'INSERT' then
        if exists (select from added) then
            insert into webhook_delivery_count as counted (endpoint_id, slot, account_id, count)
            select endpoint_id, email_count_slot(), account_id, count(*) from added group by endpoint_id, account_id
             order by endpoint_id
            on conflict (endpoint_id, slot) do update set count = counted.count + excluded.count;
        end if;
    elsif exists (select from removed) then
        insert into webhook_delivery_count as counted (endpoint_id, slot, account_id, count)
        select endpoint_id, email_count_slot(), account_id, -count(*) from removed group by endpoint_id, account_id
         order by endpoint_id
        on conflict (endpoint_id, slot) do update set count = counted.count + excluded.count;
    end if;
    return null;
end $$;
comment on function webhook_delivery_written() is
    'Maintains webhook_delivery_count, once a statement and in the order of the endpoints.';
-- Triggers: the number equals a count of the calls, whoever writes them.
create trigger webhook_delivery_added after insert on webhook_delivery
    referencing new table as added for each statement execute function webhook_delivery_written();
create trigger webhook_delivery_removed after delete on webhook_delivery
    referencing old table as removed for each statement execute function webhook_delivery_written();

-- Written with the result of each call.
create table webhook_attempt (
    id            uuid primary key,
    account_id    uuid not null,
    delivery_id   uuid not null,
    status        int,
    answer        text,
    error         text,
    took_ms       int not null,
    attempted_at  timestamptz not null
);
comment on table webhook_attempt is 'Attempts of webhook calls.';
comment on column webhook_attempt.status is 'Status code of the response; null if there was none.';
comment on column webhook_attempt.answer is 'The first 4 KB of the response''s body; null if there was no response.';
comment on column webhook_attempt.error is 'Reason of the failure; null if the endpoint accepted the event.';
create index webhook_attempt_delivery on webhook_attempt (delivery_id, id);
call secure('webhook_attempt');
