-- Written by the account when its owners or admins change the settings.
create table brand (
    account_id  uuid primary key references account on delete cascade,
    name        text not null default '',
    colour      text check (colour ~ '^#[0-9a-f]{6}$'),
    footer      text not null default '',
    languages   text[] not null default '{en}' check (cardinality(languages) > 0),
    logo_id     uuid,
    logo_type   text check (logo_type in ('image/png', 'image/jpeg', 'image/webp')),
    logo        bytea,
    updated_at  timestamptz not null,
    check ((logo_id is null) = (logo_type is null))
);
comment on table brand is
    'What recipients see of an account: on the pages that its mails link to, and in the mails that ask them to confirm.';
comment on column brand.name is 'Public name of the account; empty for none.';
comment on column brand.colour is 'Colour of buttons and links, as #rrggbb; null for a neutral one.';
comment on column brand.footer is 'Text at the end of each page, such as the postal address; may have several lines.';
comment on column brand.languages is
    'Languages of the pages (ISO 639-1), the first of them for readers of other ones and for mails.';
comment on column brand.logo_id is 'A random id, another one for each logo; null without a logo.';
comment on column brand.logo is 'The bytes of the logo; null without one, or if it is in the bucket.';
-- Images are compressed already.
alter table brand alter column logo set storage external;
call secure('brand');

create function loosen_logo() returns trigger language plpgsql as $$
begin
    insert into blob_loose (account_id, owner_id, part, due_at) values (old.account_id, old.logo_id, 'logo', now())
    on conflict do nothing;
    return null;
end $$;
comment on function loosen_logo() is
    'Has a logo removed from the bucket after its row, also when that is deleted together with the account.';
create trigger brand_logo_changed after update on brand
    for each row when (old.logo_id is distinct from new.logo_id and old.logo_id is not null and old.logo is null)
    execute function loosen_logo();
create trigger brand_logo_deleted after delete on brand
    for each row when (old.logo_id is not null and old.logo is null) execute function loosen_logo();
call sees_every_account('loosen_logo()');

alter table contact_book add column public_name text;
comment on column contact_book.public_name is 'Name that recipients see in place of the name; null for the name itself.';
