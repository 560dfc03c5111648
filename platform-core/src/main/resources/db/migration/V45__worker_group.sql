alter table source_seen add column worker_group text not null default 'default';
comment on column source_seen.worker_group is 'Group of the worker, from whose topic it takes deliveries.';

alter table source_warmup_day add column complaints bigint not null default 0;
comment on column source_warmup_day.complaints is
    'Mails of the address to the provider that were reported as spam while this was the last sending day.';
