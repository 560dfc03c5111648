create table template (
    id            uuid primary key,
    account_id    uuid not null references account,
    name          text not null,
    subject       text,
    html_content  text,
    text_content  text,
    -- The names of its placeholders, in order of appearance.
    variables     text[] not null,
    created_at    timestamptz not null,
    updated_at    timestamptz not null,
    unique (account_id, name),
    check (html_content is not null or text_content is not null)
);
create index template_account on template (account_id, created_at desc, id desc);
call secure('template');
