create table campaign_link_person (
    campaign_id  uuid not null,
    email_id     uuid not null,
    link_id      uuid not null,
    account_id   uuid not null,
    primary key (campaign_id, email_id, link_id)
);
comment on table campaign_link_person is
    'Mails of a campaign whose recipient has clicked a link, so that each is counted once in campaign_link.people. '
    'Removed with campaign_recipient.';
comment on column campaign_link_person.link_id is 'As tracked_link.id.';
call secure('campaign_link_person');

alter table campaign_link add column people bigint;
comment on column campaign_link.people is
    'Number of mails with a click on the link; null if the link was clicked before the column existed.';

alter table traffic
    add column requests bigint not null default 0,
    add column errors bigint not null default 0,
    add column sends bigint not null default 0,
    add column late_sends bigint not null default 0;
comment on column traffic.requests is 'Requests to the API that were answered.';
comment on column traffic.errors is 'Those of them with a status of 500 or above.';
comment on column traffic.sends is 'Requests to send one mail or a batch.';
comment on column traffic.late_sends is 'Those of them that took more than 250 ms.';
