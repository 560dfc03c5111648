create table traffic (
    period     text not null check (period in ('minute', 'hour', 'day')),
    at         timestamptz not null,
    accepted   bigint not null,
    delivered  bigint not null,
    bounced    bigint not null,
    failed     bigint not null,
    deferred   bigint not null,
    primary key (period, at)
) with (fillfactor = 50);
comment on table traffic is
    'Counts of the whole platform by minute, hour and day of UTC. Each process adds what it has counted every few seconds; '
    'a process that is killed loses its last seconds. For charts only.';
comment on column traffic.at is 'Beginning of the period.';
comment on column traffic.accepted is 'Mails that became durable; the other counts are of deliveries, one a recipient.';
comment on column traffic.delivered is 'Deliveries that a recipient''s server or a relay accepted.';
comment on column traffic.failed is 'Deliveries that were given up.';
comment on column traffic.deferred is 'Attempts that were put off.';
grant select, insert, update, delete on traffic to "${app}", mailroom_system;
