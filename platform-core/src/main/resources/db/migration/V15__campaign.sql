create table campaign (
    id                 uuid primary key,
    account_id         uuid not null references account,
    name               text not null,
    status             text not null check (status in ('draft', 'scheduled', 'running', 'paused', 'sent')),
    sender             text not null,
    from_email         text not null,
    domain_id          uuid not null,
    reply_to           text[] not null default '{}',
    subject            text not null,
    contact_book_id    uuid not null,
    contact_book_name  text not null,
    template_id        uuid,
    html_content       text,
    text_content       text,
    send_at            timestamptz,
    started_at         timestamptz,
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
comment on table campaign is 'One mail to all subscribed contacts of a contact book.';
comment on column campaign.sender is 'The From header: address, or Name <address>.';
comment on column campaign.from_email is 'The address of sender.';
comment on column campaign.contact_book_id is 'No foreign key: the book may be deleted while the campaign remains.';
comment on column campaign.contact_book_name is
    'Name of the book when the campaign was last saved or run; shown once the book is deleted.';
comment on column campaign.template_id is
    'Template that supplies the content until the campaign starts; null if the content is the campaign''s own. No '
    'foreign key: without the template the campaign uses the content it last had.';
comment on column campaign.html_content is 'The HTML body; null if there is none.';
comment on column campaign.text_content is 'The plain text body; null if there is none.';
comment on column campaign.send_at is 'The scheduled start; null if there is none.';
comment on column campaign.started_at is
    'When the campaign first ran; null before. Content and total_contacts are frozen from then on.';
comment on column campaign.paused_reason is
    'Why the system paused the campaign; null if a user did or if it is not paused.';
comment on column campaign.total_contacts is 'Number of subscribed contacts when the campaign first ran; 0 before.';
create index campaign_account on campaign (account_id, created_at desc, id desc);
create index campaign_due on campaign (send_at) where status = 'scheduled';
call secure('campaign');

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
comment on view campaign_seen is
    'Campaigns as shown: before the start with the current content of the template and the current name and size of '
    'the book. The caller''s policies apply (security_invoker).';
grant select on campaign_seen to "${app}", mailroom_system;
