-- Written by the account when its members upload and delete images.
create table image (
    id          uuid primary key,
    account_id  uuid not null references account on delete cascade,
    name        text not null,
    type        text not null check (type in ('image/png', 'image/jpeg', 'image/gif', 'image/webp')),
    size        int not null check (size > 0),
    content     bytea,
    created_at  timestamptz not null
);
comment on table image is 'Images that the account has uploaded for its mails; recipients read them by a signed address.';
comment on column image.name is 'The name of the file; shown to members only.';
comment on column image.type is 'By the first bytes of the content.';
comment on column image.size is 'Number of bytes.';
comment on column image.content is 'Null if it is in the bucket.';
-- Images are compressed already.
alter table image alter column content set storage external;
create index image_account on image (account_id, created_at desc, id desc);
call secure('image');

create function loosen_image() returns trigger language plpgsql as $$
begin
    insert into blob_loose (account_id, owner_id, part, due_at) values (old.account_id, old.id, 'image', now())
    on conflict do nothing;
    return null;
end $$;
comment on function loosen_image() is
    'Has an image removed from the bucket after its row, also when that is deleted together with the account.';
create trigger image_deleted after delete on image
    for each row when (old.content is null) execute function loosen_image();
call sees_every_account('loosen_image()');
