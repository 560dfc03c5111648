-- Webhook calls: events are queued for endpoints by a trigger, workers lease endpoints and make their calls.
alter table webhook_endpoint
    add column disabled_reason text,
    add column disabled_at timestamptz,
    add column notice_due boolean not null default false;
comment on column webhook_endpoint.disabled_reason is
    'Reason why the platform switched the endpoint off; null if it did not, or if the owner switched it on again.';
comment on column webhook_endpoint.disabled_at is 'When the platform switched the endpoint off.';
comment on column webhook_endpoint.notice_due is 'Whether the owner must still be notified that it was switched off.';
create index webhook_endpoint_notice on webhook_endpoint (id) where notice_due;

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
) with (fillfactor = 50, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000);
comment on table webhook_state is
    'State of the calls to each endpoint. A worker leases an endpoint, not its calls, so that at most one worker calls '
    'it, and a failing endpoint is put off without a change of the rows that wait. Times are the database''s.';
comment on column webhook_state.epoch is
    'Incremented by each lease; the results of a worker that presents another epoch are dropped.';
comment on column webhook_state.lease_until is 'When the lease expires; null or past if no worker calls the endpoint.';
comment on column webhook_state.next_due_at is
    'The endpoint is put off until this time after a failed call; null if it is not.';
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
create index webhook_state_subscribed on webhook_state (endpoint_id) where subscribed_at is not null;
create index webhook_state_deleted on webhook_state (endpoint_id) where deleted_at is not null;
create index webhook_state_inactive on webhook_state (endpoint_id) where inactive_since is not null;
call secure('webhook_state');
insert into webhook_state (endpoint_id, account_id, inactive_since)
select id, account_id, case when not active then now() end from webhook_endpoint;

-- Without the foreign key: each settlement would lock the row of the endpoint, and deleting it would remove all calls
-- in one statement. They are removed in batches.
alter table webhook_delivery
    drop constraint webhook_delivery_endpoint_id_fkey,
    drop column phase,
    drop column epoch,
    drop column lease_until,
    add column body text,
    add column requested boolean not null default false;
comment on table webhook_delivery is
    'Webhook calls: one row for each event and subscribed endpoint. Pending rows are the queue. Times that decide what '
    'is due come from the database''s clock.';
comment on column webhook_delivery.body is
    'The body of the call, stored before its first attempt, so that all attempts send the same bytes.';
comment on column webhook_delivery.requested is
    'Whether the owner requested the next attempt: it is made even if the endpoint is put off or switched off.';
comment on column webhook_delivery.due_at is 'The earliest time of the next attempt or, once settled, the time of the last.';
-- For leases: endpoint by endpoint, what is due first.
create index webhook_delivery_due on webhook_delivery (endpoint_id, due_at, id) where status = 'pending';
create index webhook_delivery_requested on webhook_delivery (endpoint_id, due_at, id)
    where status = 'pending' and requested;

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
-- One role for all callers, so that the plan of its statement is kept when a connection changes between roles.
call sees_every_account('queue_webhook_calls()');

alter table quota_use
    add column warned boolean not null default false,
    add column reached boolean not null default false;
comment on column quota_use.warned is 'Whether quota.warning was recorded for this period.';
comment on column quota_use.reached is 'Whether quota.reached was recorded for this period.';
