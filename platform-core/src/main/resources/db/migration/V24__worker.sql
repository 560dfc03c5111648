create table worker (
    id           uuid primary key,
    host         text not null,
    dispatching  boolean not null,
    started_at   timestamptz not null,
    seen_at      timestamptz not null
);
comment on table worker is
    'Workers that run or ran within the last day. Each writes its own row at regular intervals; nothing depends on it '
    'but what operators are shown.';
comment on column worker.id is 'Generated at the start of the process.';
comment on column worker.host is 'Name of the machine or container.';
comment on column worker.dispatching is 'Whether the worker held the lock of the dispatcher when it was last seen.';
comment on column worker.seen_at is 'Time of the last write, by the database''s clock.';
grant select, insert, update, delete on worker to "${app}", mailroom_system;
