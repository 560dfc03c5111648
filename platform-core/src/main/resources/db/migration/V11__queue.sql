-- The queue: the deliveries that are not finished, and what holds them back.
--
--  accepted ─┬─▶ waiting ──▶ ready ──▶ being sent ──▶ finished
--            │     ▲          ▲ ▲          │
--            └─────┼──────────┘ └─ recover ┤
--                  └──────── defer ────────┘
--
--  held: from waiting or ready; its release leads to ready, or to waiting if the due time is later
--
-- waiting: not ready; ready: ready; being sent: data_until is set; held: held is set, and not ready; finished: no row. The view
-- delivery_state shows these states. Rows are locked in the order queue, delivery, email, each by id. docs/queue.md describes
-- the transitions.

-- For the triggers of tables whose rows are work for loops of the workers; docs/architecture.md lists the loops.
create function notify_work() returns trigger language plpgsql as $$
begin
    perform pg_notify('mailroom_work', '');
    return null;
end $$;
comment on function notify_work() is
    'Wakes the loops of the workers that look for work. Only rare changes notify, because commits that notify wait for '
    'each other: the rows of mails do not.';

-- Inserted at acceptance and by the fan-out of campaigns, marked as ready by the dispatcher, updated by the fence and by
-- settlements with a deferral, deleted by the settlement that finishes the delivery. Holds, and senders who reschedule or
-- cancel a mail, change it as well.
create table queue (
    id           uuid primary key,
    account_id   uuid not null,
    email_id     uuid not null,
    recipient    text not null,
    recipient_key text,
    destination  text not null,
    contact_id   uuid,
    campaign_id  uuid,
    campaign     boolean not null default false,
    ready        boolean not null,
    held         text check (held in ('campaign', 'destination')),
    due_at       timestamptz not null,
    first_due_at timestamptz not null default now(),
    attempt      int not null default 0,
    ambiguous    int not null default 0,
    epoch        int not null default 0,
    data_until   timestamptz,
    constraint queue_held_not_ready check (held is null or not ready)
    -- Free space for the HOT updates of the fence. Rows live for seconds: vacuum runs after a number of dead rows, which does
    -- not grow with a backlog.
) with (fillfactor = 45, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000);
comment on table queue is
    'Deliveries that are not finished, one row each, from the acceptance of the mail to the settlement. No index contains '
    'a column that the fence changes, so that its updates are HOT. Times are the database''s.';
comment on column queue.id is 'The id of the delivery.';
comment on column queue.recipient is 'The address alone.';
comment on column queue.recipient_key is
    'The recipient in lower case as the apps convert it, by which it is found in suppression; null if the address is in ASCII.';
comment on column queue.destination is 'The recipient''s domain, lower-case.';
comment on column queue.contact_id is
    'The contact the mail is addressed to, whose consent is checked again at the fence; null for other mail.';
comment on column queue.campaign_id is
    'The campaign that must be running when the fence is passed; null for other mail. While the campaign is not '
    'running, its rows that become due are held.';
comment on column queue.campaign is 'Whether the mail belongs to the stream of campaigns, which follows transactional mail.';
comment on column queue.ready is
    'Whether due_at was reached, false while the delivery is held. The dispatcher sets it, so that it does not visit '
    'accounts that have later mail only.';
comment on column queue.held is
    'Whether the delivery waits for its campaign to run again (campaign) or for the release of its destination '
    '(destination); null if it waits for neither. The fence does not change it.';
comment on column queue.due_at is 'The earliest time of the next attempt.';
comment on column queue.first_due_at is
    'When the delivery was due first: the time of its acceptance, or that for which it is scheduled, or the end of its hold. '
    'Lateness and age are measured from it.';
comment on column queue.attempt is 'Number of attempts begun.';
comment on column queue.ambiguous is
    'Number of attempts that ended without a final reply: it is unknown whether the server accepted the mail.';
comment on column queue.epoch is
    'Raised when the fence is passed and when a hand-over is taken back. A lease is valid for one epoch, the results of its '
    'hand-over for the next.';
comment on column queue.data_until is
    'Set by the fence while the mail is handed over: when the hand-over counts as lost; null otherwise.';
-- For the dispatcher: account by account, transactional mail first, destination by destination, what is due first.
create index queue_ready on queue (account_id, campaign, destination, due_at, id) where ready;
-- For the dispatcher, which marks rows as ready: the first ones of all accounts, or of each account.
create index queue_later on queue (due_at) where not ready and held is null;
create index queue_later_due on queue (account_id, due_at) where not ready and held is null;
-- For the age of the oldest delivery.
create index queue_oldest on queue (due_at) where ready;
-- For pausing, for resuming and for the end of a campaign. The fence changes neither column.
create index queue_campaign on queue (campaign_id, ready) where campaign_id is not null;
-- For the end of a campaign's pause, and for the list of an account's pending mails, together with queue_ready and
-- queue_later_due.
create index queue_held on queue (account_id, campaign_id, held) where held is not null;
-- For the release of a destination.
create index queue_held_destination on queue (destination) where held = 'destination';
call secure('queue');

create view delivery_state with (security_invoker = true) as
select delivery.id, delivery.account_id, delivery.email_id, delivery.position, delivery.recipient, delivery.stream,
       case when queue.id is null then 'done'
            when queue.data_until is not null then 'in_data'
            else 'queued' end as phase,
       queue.held, delivery.status, delivery.reply, coalesce(queue.attempt, delivery.attempt) as attempt,
       coalesce(queue.ambiguous, delivery.ambiguous) as ambiguous, queue.due_at,
       queue.first_due_at, queue.epoch, queue.data_until, delivery.created_at, delivery.settled_at
  from delivery left join queue using (id);
comment on view delivery_state is
    'Deliveries with their state in the queue, for operators: queued (waiting for due_at or for a worker, or held), in_data '
    '(past the fence, being handed over) or done.';
grant select on delivery_state to "${app}", mailroom_system;

-- Written by operators; the worker with the active dispatcher ends holds and deletes their rows.
create table destination_hold (
    destination  text primary key,
    reason       text not null,
    held_by      uuid not null,
    held_at      timestamptz not null,
    until        timestamptz,
    released_at  timestamptz
);
comment on table destination_hold is
    'Recipient domains that operators hold: their mail waits in the queue. While a domain is held, its rows in queue that '
    'become due are held. A row is deleted after its release, when it holds no delivery any more.';
comment on column destination_hold.destination is 'As queue.destination.';
comment on column destination_hold.held_by is 'The account of the operator.';
comment on column destination_hold.until is 'When the hold ends by itself; null if an operator must release it.';
comment on column destination_hold.released_at is
    'When the hold ended; its deliveries are being made due. Null while it is in force.';
grant select, insert, update, delete on destination_hold to "${app}", mailroom_system;
create trigger notify_stop after insert or update on destination_hold
    for each row when (new.released_at is null) execute function notify_stop();
-- Every worker reads the holds again, and one of them releases the mail.
create trigger notify_work after insert or update or delete on destination_hold
    for each row execute function notify_work();

-- Written by operators.
create table queue_pause (
    campaign   boolean primary key,
    reason     text not null,
    paused_by  uuid not null,
    paused_at  timestamptz not null
);
comment on table queue_pause is
    'One row for each stream of the queue that is paused: its mail is not published and not begun; mail is accepted as before.';
comment on column queue_pause.campaign is 'As queue.campaign: true for the mail of campaigns, false for all other mail.';
comment on column queue_pause.paused_by is 'The account of the operator.';
grant select, insert, update, delete on queue_pause to "${app}", mailroom_system;
create trigger notify_stop after insert on queue_pause for each row execute function notify_stop();
-- Every worker reads the pauses again: a pause takes effect at once.
create trigger notify_work after insert or update or delete on queue_pause
    for each row execute function notify_work();
