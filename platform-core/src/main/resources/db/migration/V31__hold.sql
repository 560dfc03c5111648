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
    'become due are marked: ready is false and due_at is the year 9998. A row is deleted after its release, when no '
    'delivery is marked any more.';
comment on column destination_hold.destination is 'As queue.destination.';
comment on column destination_hold.held_by is 'The account of the operator.';
comment on column destination_hold.until is 'When the hold ends by itself; null if an operator must release it.';
comment on column destination_hold.released_at is
    'When the hold ended; its deliveries are being made due. Null while it is in force.';
grant select, insert, update, delete on destination_hold to "${app}", mailroom_system;

create table queue_pause (
    single     boolean primary key default true check (single),
    reason     text not null,
    paused_by  uuid not null,
    paused_at  timestamptz not null
);
comment on table queue_pause is
    'One row while the queue of the platform is paused: nothing is leased and nothing is begun; mail is accepted as before.';
comment on column queue_pause.paused_by is 'The account of the operator.';
grant select, insert, update, delete on queue_pause to "${app}", mailroom_system;

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
