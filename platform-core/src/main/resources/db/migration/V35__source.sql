-- Written by operators.
create table sending_source (
    name        text primary key,
    v4          text,
    v6          text,
    public_v4   text,
    public_v6   text,
    helo        text not null,
    state       text not null check (state in ('active', 'draining', 'paused')),
    changed_by  uuid not null,
    changed_at  timestamptz not null,
    check (v4 is not null or v6 is not null)
);
comment on table sending_source is 'Local addresses of workers from which mail is sent directly.';
comment on column sending_source.v4 is 'Address of a network interface of each worker; null if it sends by IPv6 only.';
comment on column sending_source.v6 is 'The same by IPv6; null if it never uses IPv6.';
comment on column sending_source.public_v4 is 'Address that receivers see, behind NAT; null if it is v4.';
comment on column sending_source.public_v6 is 'Address that receivers see, behind NAT; null if it is v6.';
comment on column sending_source.helo is 'Name in EHLO.';
comment on column sending_source.state is 'draining: it sends retries only; paused: it sends nothing.';
comment on column sending_source.changed_by is 'Account of the operator.';

-- Written by operators.
create table sending_pool (
    name           text primary key,
    when_empty     text not null check (when_empty in ('wait', 'fallback', 'any')),
    fallback_pool  text references sending_pool,
    changed_by     uuid not null,
    changed_at     timestamptz not null,
    check ((when_empty = 'fallback') = (fallback_pool is not null))
);
comment on table sending_pool is 'Sending addresses that share the mail for which the pool is chosen.';
comment on column sending_pool.when_empty is
    'While no address of the pool can be used, its mail waits, uses the other pool, or leaves from any address.';
comment on column sending_pool.changed_by is 'Account of the operator.';

-- Written by operators.
create table sending_pool_member (
    pool    text not null references sending_pool on delete cascade,
    source  text not null references sending_source on delete cascade,
    weight  int not null check (weight between 1 and 100),
    primary key (pool, source)
);
comment on table sending_pool_member is 'Addresses of pools.';
comment on column sending_pool_member.weight is 'Share of the mail of the pool, in proportion to the other addresses.';

-- Written by operators.
create table pool_choice (
    kind    text not null check (kind in ('domain', 'account', 'plan', 'platform')),
    key     text not null,
    stream  text not null check (stream in ('transactional', 'campaign')),
    pool    text not null references sending_pool,
    primary key (kind, key, stream)
);
comment on table pool_choice is 'The pools of mail. The choice for a domain precedes those for account, plan and platform.';
comment on column pool_choice.key is 'Id of the domain or account, name of the plan, or empty for the platform.';

-- Written by workers.
create table source_seen (
    worker_id  uuid not null,
    source     text not null references sending_source on delete cascade,
    v4         boolean not null,
    v6         boolean not null,
    seen_at    timestamptz not null,
    primary key (worker_id, source)
);
comment on table source_seen is 'Workers that have a sending address.';
comment on column source_seen.v4 is 'Whether the worker can bind the address of IPv4.';
comment on column source_seen.v6 is 'Whether the worker can bind the address of IPv6.';
grant select, insert, update, delete
    on sending_source, sending_pool, sending_pool_member, pool_choice, source_seen to "${app}", mailroom_system;
grant select on sending_source, sending_pool, sending_pool_member, pool_choice, source_seen to mailroom_read;

create trigger notify_work after insert or update or delete on sending_source
    for each statement execute function notify_work();
create trigger notify_work after insert or update or delete on sending_pool
    for each statement execute function notify_work();
create trigger notify_work after insert or update or delete on sending_pool_member
    for each statement execute function notify_work();
create trigger notify_work after insert or update or delete on pool_choice
    for each statement execute function notify_work();

alter table delivery_attempt add column source text;
comment on column delivery_attempt.source is 'Local address from which the mail was sent; null if the system chose it.';
grant select (source) on delivery_attempt to mailroom_read;
