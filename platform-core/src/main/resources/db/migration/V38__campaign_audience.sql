create table campaign_audience (
    campaign_id  uuid not null,
    number       bigint not null,
    contact_id   uuid not null,
    account_id   uuid not null,
    primary key (campaign_id, number)
);
comment on table campaign_audience is
    'Contacts selected by a running campaign that it has not handled yet. A row is deleted with the page that creates the '
    'contact''s mail.';
comment on column campaign_audience.number is
    'Position in the order of (created_at, id) of the contacts; contacts that do not match the filter leave gaps.';
call secure('campaign_audience');

alter table campaign
    add column selected bigint not null default 0,
    add column handled bigint not null default 0,
    add column selected_at timestamptz;
comment on column campaign.cursor_at is
    'created_at of the last contact that was selected, with cursor_id; null before the first. Contacts are selected in the '
    'order of (created_at, id).';
comment on column campaign.selected is 'Highest number given in campaign_audience, the position behind cursor_at.';
comment on column campaign.handled is 'Highest number whose contact was handled.';
comment on column campaign.selected_at is 'When the last contact was selected; null before.';
update campaign set selected_at = fanned_out_at where fanned_out_at is not null;
