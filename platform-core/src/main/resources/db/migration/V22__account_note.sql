create table account_note (
    id          uuid primary key,
    account_id  uuid not null references account,
    author_id   uuid not null,
    note        text not null,
    created_at  timestamptz not null
);
comment on table account_note is 'A note of an operator about an account, which its owner does not see.';
comment on column account_note.author_id is 'The operator''s account.';
create index account_note_account on account_note (account_id, id);
call secure('account_note');
