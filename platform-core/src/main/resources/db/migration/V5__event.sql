-- Everything that happened, in order: what GET /emails/:id/events shows and what webhooks are owed.
create table event (
    -- UUIDv7: time-ordered.
    id          uuid primary key,
    account_id  uuid not null,
    kind        text not null,
    email_id    uuid,
    data        jsonb not null default '{}',
    created_at  timestamptz not null
);
create index event_account on event (account_id, id);
create index event_email on event (email_id, id) where email_id is not null;
call secure('event');
