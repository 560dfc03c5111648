create table queue (
    id           uuid primary key,
    account_id   uuid not null,
    email_id     uuid not null,
    recipient    text not null,
    destination  text not null,
    contact_id   uuid,
    campaign     boolean not null default false,
    ready        boolean not null,
    due_at       timestamptz not null,
    attempt      int not null default 0,
    ambiguous    int not null default 0,
    epoch        int not null default 0,
    data_until   timestamptz
) with (fillfactor = 60, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000);
comment on table queue is
    'Deliveries that are not finished, one row each, from the acceptance of the mail to the settlement. No index contains '
    'a column that the fence changes, so that its updates are HOT. Times are the database''s.';
comment on column queue.id is 'The id of the delivery.';
comment on column queue.recipient is 'The address alone.';
comment on column queue.destination is 'The recipient''s domain, lower-case.';
comment on column queue.contact_id is
    'The contact the mail is addressed to, whose consent is checked again at the fence; null for other mail.';
comment on column queue.campaign is 'Whether the mail belongs to the stream of campaigns, which follows transactional mail.';
comment on column queue.ready is
    'Whether due_at was reached. The dispatcher sets it, so that a lease does not visit accounts that have later mail only.';
comment on column queue.due_at is 'The earliest time of the next attempt.';
comment on column queue.attempt is 'Number of attempts begun.';
comment on column queue.ambiguous is
    'Number of attempts that ended without a final reply, so that it is unknown whether the server accepted the mail.';
comment on column queue.epoch is
    'Epoch of the last lease that passed the fence or was taken back: it cannot pass the fence any more.';
comment on column queue.data_until is
    'Set by the fence while the mail is handed over: when the hand-over counts as lost; null otherwise.';
-- For leases: account by account, transactional mail first, what is due first.
create index queue_ready on queue (account_id, campaign, due_at, id) where ready;
-- For the dispatcher, which marks rows as ready.
create index queue_later on queue (due_at) where not ready;
-- For the age of the oldest delivery.
create index queue_oldest on queue (due_at) where ready;
-- For the list of an account's pending mails, together with queue_ready.
create index queue_later_account on queue (account_id) where not ready;
call secure('queue');

create table lease (
    id          uuid primary key,
    account_id  uuid not null,
    campaign    boolean not null,
    epoch       int not null,
    until       timestamptz not null
) with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 2000);
comment on table lease is
    'Deliveries assigned to a worker, from the lease to the settlement. Rows are inserted and deleted, never updated; '
    'before one is deleted, its row in queue is locked.';
comment on column lease.id is 'The id of the delivery. A row without one in queue is void and removed when it expires.';
comment on column lease.epoch is 'Different for each lease; a worker that presents another one has lost the delivery.';
comment on column lease.until is 'Time by which the fence must be passed.';
call secure('lease');

create sequence lease_epoch as int cycle cache 100;
comment on sequence lease_epoch is 'Epochs of leases, unique among leases that may still be presented.';
grant usage on sequence lease_epoch to "${app}", mailroom_system;

create view delivery_state with (security_invoker = true) as
select delivery.id, delivery.account_id, delivery.email_id, delivery.position, delivery.recipient, delivery.stream,
       case when queue.id is null then 'done'
            when queue.data_until is not null then 'in_data'
            when lease.id is not null then 'leased'
            else 'queued' end as phase,
       delivery.status, delivery.reply, coalesce(queue.attempt, delivery.attempt) as attempt,
       coalesce(queue.ambiguous, delivery.ambiguous) as ambiguous, queue.due_at,
       lease.epoch, coalesce(queue.data_until, lease.until) as lease_until, delivery.created_at, delivery.settled_at
  from delivery left join queue using (id) left join lease using (id);
comment on view delivery_state is
    'Deliveries with their state in the queue, for operators: queued (waiting for due_at or for a worker), leased '
    '(assigned to a worker), in_data (past the fence, being handed over) or done.';
grant select on delivery_state to "${app}", mailroom_system;
