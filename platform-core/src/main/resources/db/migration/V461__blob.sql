-- What is too large for a row lies in a bucket, where there is one. Objects that no mail refers to: not yet, or no
-- longer. A row is written before its object and goes with the commit that refers to it, so that whatever dies in
-- between leaves nothing behind.
create table blob_loose (
    account_id  uuid not null,
    -- The mail that it is a part of.
    owner_id    uuid not null,
    -- html, text, or the place of a file.
    part        text not null,
    -- When the object is removed.
    due_at      timestamptz not null,
    primary key (account_id, owner_id, part)
);
create index blob_loose_due on blob_loose (due_at);
call secure('blob_loose');

-- Which parts of a mail lie in the bucket; null where none do.
alter table email_content add column outside text[];
