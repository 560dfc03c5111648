-- Written by the account when content that consists of blocks is saved in the web app.
create table block_document (
    id           uuid primary key,
    account_id   uuid not null references account on delete cascade,
    template_id  uuid unique references template on delete cascade,
    campaign_id  uuid unique references campaign on delete cascade,
    document     jsonb not null,
    html_hash    bytea not null,
    check (num_nonnulls(template_id, campaign_id) = 1)
);
comment on table block_document is
    'The blocks from which the web app wrote the HTML of a template or a campaign, so that they can be edited again.';
comment on column block_document.document is 'The blocks, in the format of the editor.';
comment on column block_document.html_hash is
    'SHA-256 of the HTML that was written; the blocks count only while the HTML is the same.';
call secure('block_document');
