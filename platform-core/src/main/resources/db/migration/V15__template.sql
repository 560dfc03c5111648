-- Written by the account.
create table template (
    id            uuid primary key,
    account_id    uuid not null references account on delete cascade,
    name          text not null,
    subject       text,
    html_content  text,
    text_content  text,
    variables     text[] not null,
    created_at    timestamptz not null,
    updated_at    timestamptz not null,
    unique (account_id, name),
    check (html_content is not null or text_content is not null)
);
comment on table template is 'Reusable content of mails and campaigns, with placeholders.';
comment on column template.subject is 'Null if each mail states its own.';
comment on column template.html_content is 'The HTML body; null if there is none.';
comment on column template.text_content is 'The plain text body; null if there is none.';
comment on column template.variables is 'Names of the placeholders, in order of appearance.';
create index template_account on template (account_id, created_at desc, id desc);
call secure('template');
