-- What could not be read or put into words, and stopped nothing else: for operators to look into,
-- mend and try once more.
create table dead_letter (
    -- The delivery's where it is known, else made of where it was found: found again, it is no other.
    id            uuid primary key,
    -- Null where nobody knows whose it was.
    account_id    uuid,
    what          text not null check (what in ('record', 'mail')),
    why           text not null,
    email_id      uuid,
    delivery_id   uuid,
    died_at       timestamptz not null,
    -- When it was put back into the queue: once, and never again.
    requeued_at   timestamptz
);
create index dead_letter_newest on dead_letter (died_at desc, id);
call secure('dead_letter');
