alter table queue
    add column held text check (held in ('campaign', 'destination')),
    add constraint queue_held_not_ready check (held is null or not ready);
comment on column queue.held is
    'Whether the delivery waits for its campaign to run again (campaign) or for the release of its destination '
    '(destination); null if it waits for neither. The fence does not change it.';
comment on column queue.ready is
    'Whether due_at was reached, false while the delivery is held. The dispatcher sets it, so that a lease does not visit '
    'accounts that have later mail only.';
comment on column queue.campaign_id is
    'The campaign that must be running when the fence is passed; null for other mail. While the campaign is not '
    'running, its rows that become due are held.';
comment on table destination_hold is
    'Recipient domains that operators hold: their mail waits in the queue. While a domain is held, its rows in queue that '
    'become due are held. A row is deleted after its release, when it holds no delivery any more.';

-- Until now, rows were held by a due time in the year 9999 or 9998.
set local role mailroom_system;
update queue set held = 'campaign', due_at = now() where not ready and due_at = timestamptz '9999-01-01 00:00:00Z';
update queue set held = 'destination', due_at = now() where not ready and due_at = timestamptz '9998-01-01 00:00:00Z';
reset role;

drop index queue_later, queue_later_due, queue_campaign_held;
-- For the dispatcher, which marks rows as ready: the first ones of all accounts, or of each account.
create index queue_later on queue (due_at) where not ready and held is null;
create index queue_later_due on queue (account_id, due_at) where not ready and held is null;
-- For the end of a campaign's pause, and for the list of an account's pending mails, together with the indexes above.
create index queue_held on queue (account_id, campaign_id, held) where held is not null;
-- For the release of a destination.
create index queue_held_destination on queue (destination) where held = 'destination';

create or replace view delivery_state with (security_invoker = true) as
select delivery.id, delivery.account_id, delivery.email_id, delivery.position, delivery.recipient, delivery.stream,
       case when queue.id is null then 'done'
            when queue.data_until is not null then 'in_data'
            when lease.id is not null then 'leased'
            else 'queued' end as phase,
       delivery.status, delivery.reply, coalesce(queue.attempt, delivery.attempt) as attempt,
       coalesce(queue.ambiguous, delivery.ambiguous) as ambiguous, queue.due_at,
       lease.epoch, coalesce(queue.data_until, lease.until) as lease_until, delivery.created_at, delivery.settled_at,
       queue.held
  from delivery left join queue using (id) left join lease using (id);
comment on view delivery_state is
    'Deliveries with their state in the queue, for operators: queued (waiting for due_at or for a worker, or held), leased '
    '(assigned to a worker), in_data (past the fence, being handed over) or done.';
