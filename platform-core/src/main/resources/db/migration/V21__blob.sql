-- Written by uploads to the bucket, by the removal of mails with content in it, and by the job that removes the objects.
create table blob_loose (
    account_id  uuid not null,
    owner_id    uuid not null,
    part        text not null,
    due_at      timestamptz not null,
    failures    int not null default 0,
    primary key (account_id, owner_id, part)
);
comment on table blob_loose is
    'Objects in the bucket that no mail refers to, not yet or no longer. A row is inserted before its object is '
    'uploaded and deleted by the transaction that refers to it, so that objects left by a crash are found and removed.';
comment on column blob_loose.owner_id is 'The outgoing or received mail that the object is a part of.';
comment on column blob_loose.part is 'html, text, raw, or the position of an attachment.';
comment on column blob_loose.due_at is
    'When the object is removed unless it is referred to by then; -infinity while it is being removed.';
comment on column blob_loose.failures is
    'Number of removals that failed; from the first on, no mail can refer to the object.';
create index blob_loose_due on blob_loose (due_at);
call secure('blob_loose');
