-- Written by the account when a template is saved or published.
create table template_version (
    id            uuid primary key,
    account_id    uuid not null references account on delete cascade,
    template_id   uuid not null references template on delete cascade,
    number        integer,
    name          text not null,
    subject       text,
    html_content  text,
    text_content  text,
    variables     text[] not null,
    blocks        jsonb,
    member_id     uuid,
    api_key_id    uuid,
    changed_at    timestamptz not null,
    unique (template_id, number)
);
comment on table template_version is 'The draft of a template, and the newest 50 contents that were published.';
comment on column template_version.number is 'Counted from 1 in each template; null for the draft.';
comment on column template_version.blocks is
    'The blocks from which the web app wrote the HTML; null if it was written otherwise.';
comment on column template_version.member_id is
    'The person who saved the draft or published; null for API keys, and if unknown.';
comment on column template_version.api_key_id is 'The API key that published; null for people, and if unknown.';
-- At most one draft; saving replaces it.
create unique index template_version_draft on template_version (template_id) where number is null;
call secure('template_version');
