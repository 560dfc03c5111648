-- Where clicks lead to. Kept once an account, whatever the number of mails that have the link in them.
create table tracked_link (
    account_id  uuid not null,
    -- The first half of the target's SHA-256.
    id          uuid not null,
    url         text not null,
    created_at  timestamptz not null default now(),
    primary key (account_id, id)
);
call secure('tracked_link');

-- The contact that a delivery goes to, whose consent is looked at again at hand-off; null where it is of no book.
alter table delivery add column contact_id uuid;
