-- One mail to everybody in a contact book.
create table campaign (
    id                 uuid primary key,
    account_id         uuid not null references account,
    name               text not null,
    status             text not null check (status in ('draft', 'scheduled', 'running', 'paused', 'sent')),
    -- The From header: address, or Name <address>.
    sender             text not null,
    from_email         text not null,
    domain_id          uuid not null,
    reply_to           text[] not null default '{}',
    subject            text not null,
    -- No foreign key: a book may go while campaigns tell of it, and leaves its last known name.
    contact_book_id    uuid not null,
    contact_book_name  text not null,
    -- Where its content comes from until it starts. No foreign key: without its template it sends what it last had.
    template_id        uuid,
    html_content       text,
    text_content       text,
    send_at            timestamptz,
    -- When it first ran. From then on its content and its number of contacts stay.
    started_at         timestamptz,
    -- Why the system paused it; null where a person did.
    paused_reason      text,
    total_contacts     bigint not null default 0,
    sent_count         bigint not null default 0,
    delivered_count    bigint not null default 0,
    opened_count       bigint not null default 0,
    clicked_count      bigint not null default 0,
    created_at         timestamptz not null,
    updated_at         timestamptz not null,
    check (html_content is not null or text_content is not null),
    check ((status = 'scheduled') <= (send_at is not null)),
    check ((status in ('running', 'sent')) <= (started_at is not null))
) with (fillfactor = 70);
create index campaign_account on campaign (account_id, created_at desc, id desc);
create index campaign_due on campaign (send_at) where status = 'scheduled';
call secure('campaign');

-- Campaigns as they are shown: until one starts, its book and its template speak for themselves. The policies of
-- whoever asks hold.
create view campaign_seen with (security_invoker = true) as
select campaign.id, campaign.account_id, campaign.name, campaign.status, campaign.sender, campaign.from_email,
       campaign.domain_id, campaign.reply_to, campaign.subject, campaign.contact_book_id,
       coalesce(book.name, campaign.contact_book_name) as contact_book_name, campaign.template_id,
       case when template.id is not null then template.html_content else campaign.html_content end as html_content,
       case when template.id is not null then template.text_content else campaign.text_content end as text_content,
       campaign.send_at, campaign.started_at, campaign.paused_reason,
       case when campaign.started_at is null then coalesce(book.contacts, 0) else campaign.total_contacts end
           as total_contacts,
       campaign.sent_count, campaign.delivered_count, campaign.opened_count, campaign.clicked_count,
       campaign.created_at, campaign.updated_at
  from campaign
  left join contact_book book on book.id = campaign.contact_book_id and book.account_id = campaign.account_id
  left join template on template.id = campaign.template_id and template.account_id = campaign.account_id
                    and campaign.started_at is null;
grant select on campaign_seen to "${app}", mailroom_system;
