-- What operators see and write.

-- Written by operators.
create table account_note (
    id          uuid primary key,
    account_id  uuid not null references account on delete cascade,
    author_id   uuid not null,
    note        text not null,
    created_at  timestamptz not null
);
comment on table account_note is 'A note of an operator about an account, which its owner does not see.';
comment on column account_note.author_id is 'The operator''s account.';
create index account_note_account on account_note (account_id, id);
call secure('account_note');

-- Written by the workers, each its own row.
create table worker (
    id             uuid primary key,
    host           text not null,
    dispatching    boolean not null,
    draining       boolean not null default false,
    in_hand        int not null default 0,
    sender_threads int not null default 0,
    busy_threads   int not null default 0,
    started_at     timestamptz not null,
    seen_at        timestamptz not null
    -- Free space for HOT updates: the row is updated every few seconds.
) with (fillfactor = 50);
comment on table worker is
    'Workers that run or ran within the last day. Each writes its own row at regular intervals; nothing depends on it '
    'but what operators are shown.';
comment on column worker.id is 'Generated at the start of the process.';
comment on column worker.host is 'Name of the machine or container.';
comment on column worker.dispatching is 'Whether the worker held the lock of the dispatcher when it was last seen.';
comment on column worker.draining is
    'Whether the worker stops: it finishes the hand-overs that it has begun, and begins no more.';
comment on column worker.in_hand is 'Deliveries that the worker has taken from the topic and not finished.';
comment on column worker.sender_threads is 'Mails that the worker can hand over at the same time; 0 if it is unknown.';
comment on column worker.busy_threads is 'Sender threads in use.';
comment on column worker.seen_at is 'Time of the last write, by the database''s clock.';
grant select, insert, update, delete on worker to "${app}", mailroom_system;

-- Written by the workers, each its own rows.
create table destination_report (
    worker_id         uuid not null,
    transport         text not null,
    destination       text not null,
    connections       int not null,
    connection_limit  int not null,
    circuit           text not null check (circuit in ('closed', 'half_open', 'open')),
    closed_until      timestamptz,
    handed            bigint not null,
    unreached         bigint not null,
    busy              bigint not null,
    distrusted        bigint not null,
    mailbox           bigint not null,
    other             bigint not null,
    seen_at           timestamptz not null,
    primary key (worker_id, transport, destination)
    -- Free space for HOT updates: each report updates the rows.
) with (fillfactor = 50);
comment on table destination_report is
    'Recipient domains that workers contacted recently: at most 200 of each worker, which writes its rows every three '
    'seconds. Rows that are not written any more are deleted after a minute. Nothing depends on them but what operators are shown.';
comment on column destination_report.worker_id is 'As worker.id.';
comment on column destination_report.connections is
    'Open connections to the servers of the domain, or to the relay.';
comment on column destination_report.connection_limit is 'Number of connections that may be used at present.';
comment on column destination_report.closed_until is 'When an open circuit admits a trial; null otherwise.';
comment on column destination_report.handed is 'Hand-overs with a reply in the last minute.';
comment on column destination_report.unreached is
    'Deferrals of the last ten minutes because no session could be opened; the other counts are of the same time.';
comment on column destination_report.busy is 'Deferrals by a server that was overloaded or ended the session.';
comment on column destination_report.distrusted is 'Deferrals for reasons of security or policy, such as greylisting.';
comment on column destination_report.mailbox is 'Deferrals because of the recipient''s mailbox.';
grant select, insert, update, delete on destination_report to "${app}", mailroom_system;

-- Written by every process, which adds what it has counted.
create table traffic (
    period      text not null check (period in ('minute', 'hour', 'day')),
    at          timestamptz not null,
    accepted    bigint not null,
    delivered   bigint not null,
    bounced     bigint not null,
    failed      bigint not null,
    deferred    bigint not null,
    requests    bigint not null default 0,
    errors      bigint not null default 0,
    sends       bigint not null default 0,
    late_sends  bigint not null default 0,
    primary key (period, at)
    -- Free space for HOT updates: each process updates three rows every few seconds.
) with (fillfactor = 50);
comment on table traffic is
    'Counts of the whole platform by minute, hour and day of UTC. Each process adds what it has counted every few seconds; '
    'a process that is killed loses its last seconds. For charts only.';
comment on column traffic.at is 'Beginning of the period.';
comment on column traffic.accepted is 'Mails that became durable; the other counts are of deliveries, one a recipient.';
comment on column traffic.delivered is 'Deliveries that a recipient''s server or a relay accepted.';
comment on column traffic.failed is 'Deliveries that were given up.';
comment on column traffic.deferred is 'Attempts that were deferred.';
comment on column traffic.requests is 'Requests to the API that were answered.';
comment on column traffic.errors is 'Those of them with a status of 500 or above.';
comment on column traffic.sends is 'Requests to send one mail or a batch.';
comment on column traffic.late_sends is 'Those of them that took more than 250 ms.';
grant select, insert, update, delete on traffic to "${app}", mailroom_system;
