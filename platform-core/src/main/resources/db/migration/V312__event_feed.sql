-- Which transaction wrote an event. Ids are made before their transaction commits, so they cannot
-- say where a reader has got to; transactions below the oldest that still runs are all over.
alter table event add column transaction_id xid8 not null default '0';
alter table event alter column transaction_id set default pg_current_xact_id();

-- Read forwards by the feed. created_at is there to pass over what is too old to be shown.
create index event_feed on event (account_id, transaction_id, id) include (created_at);
drop index event_account;
