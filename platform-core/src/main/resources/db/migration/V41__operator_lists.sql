alter table worker
    add column draining boolean not null default false,
    add column in_hand int not null default 0,
    add column lanes int not null default 0,
    add column busy_lanes int not null default 0,
    set (fillfactor = 50);
comment on column worker.draining is
    'Whether the worker stops: it finishes the hand-overs that it has begun, and begins no more.';
comment on column worker.in_hand is 'Deliveries that the worker has taken from the topic and not finished.';
comment on column worker.lanes is 'Mails that the worker can hand over at the same time; 0 if it is unknown.';
comment on column worker.busy_lanes is 'Lanes in use.';

-- For the operators' list of accounts, newest first; without it the figures of all accounts are read for one page.
create index account_newest on account (created_at desc, id desc);
