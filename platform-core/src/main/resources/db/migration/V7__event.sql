-- Written in the transaction of the change that the event reports; only retention deletes rows. The trigger that queues
-- webhook calls is created with the tables of the webhooks.
create table event (
    id              uuid primary key,
    account_id      uuid not null,
    kind            text not null,
    email_id        uuid,
    data            jsonb not null default '{}',
    created_at      timestamptz not null,
    transaction_id  xid8 not null default pg_current_xact_id()
) partition by range (id);
comment on table event is
    'The append-only log of events, read by GET /emails/:id/events, by the feed and by webhooks.';
comment on column event.id is 'UUIDv7: ordered by time of creation.';
comment on column event.kind is 'Such as email.delivered or domain.verified.';
comment on column event.email_id is 'The mail concerned; null for events of other objects.';
comment on column event.data is
    'Payload; for events of a mail without the fields that are the same in all of them, which are read from email.';
comment on column event.transaction_id is
    'Transaction that inserted the row, the cursor of the feed: ids are generated before commit and cannot tell '
    'whether an earlier event is still uncommitted. Set to 0 for all rows after restoring a logical dump.';
create index event_email on event (email_id, id) where email_id is not null;
-- For the feed, in ascending order; created_at is included so that events older than the feed's span are skipped
-- in the index.
create index event_feed on event (account_id, transaction_id, id) include (created_at);
call secure('event');
