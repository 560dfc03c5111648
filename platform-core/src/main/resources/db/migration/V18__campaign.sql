-- Campaigns: the campaigns, the contacts that they select and have handled, and their results. Their mails are rows of email,
-- delivery and queue like all others.

-- Written by the account; the fan-out updates the progress and the status.
create table campaign (
    id                 uuid primary key,
    account_id         uuid not null references account on delete cascade,
    name               text not null,
    status             text not null check (status in ('draft', 'scheduled', 'running', 'paused', 'sent')),
    sender             text not null,
    from_email         text not null,
    domain_id          uuid not null,
    reply_to           text[] not null default '{}',
    subject            text not null,
    contact_book_id    uuid not null,
    contact_book_name  text not null,
    filter             jsonb,
    template_id        uuid,
    html_content       text,
    text_content       text,
    pace               int check (pace > 0),
    send_at            timestamptz,
    started_at         timestamptz,
    start_snapshot     pg_snapshot,
    paused_reason      text,
    total_contacts     bigint not null default 0,
    selected           bigint not null default 0,
    cursor_at          timestamptz,
    cursor_id          uuid,
    selected_at        timestamptz,
    handled            bigint not null default 0,
    paced_until        timestamptz,
    fanned_out_at      timestamptz,
    created_at         timestamptz not null,
    updated_at         timestamptz not null,
    check (html_content is not null or text_content is not null),
    check ((status = 'scheduled') <= (send_at is not null)),
    check ((status in ('running', 'sent')) <= (started_at is not null))
    -- Free space for HOT updates: each visit of the fan-out updates the row.
) with (fillfactor = 70);
comment on table campaign is 'One mail to all subscribed contacts of a contact book.';
comment on column campaign.sender is 'The From header: address, or Name <address>.';
comment on column campaign.from_email is 'The address of sender.';
comment on column campaign.contact_book_id is 'No foreign key: the book may be deleted while the campaign remains.';
comment on column campaign.contact_book_name is
    'Name of the book when the campaign was last saved or run; shown once the book is deleted.';
comment on column campaign.filter is
    'Condition on the contacts, as in the API: property and equals, created_at, any, all; null for all contacts.';
comment on column campaign.template_id is
    'Template that supplies the content until the campaign starts; null if the content is the campaign''s own. No '
    'foreign key: without the template the campaign uses the content it last had.';
comment on column campaign.html_content is 'The HTML body; null if there is none.';
comment on column campaign.text_content is 'The plain text body; null if there is none.';
comment on column campaign.pace is 'Maximum number of mails per minute; null without a limit.';
comment on column campaign.send_at is 'The scheduled start; null if there is none.';
comment on column campaign.started_at is
    'When the campaign first ran; null before. Content and total_contacts are frozen from then on.';
comment on column campaign.start_snapshot is
    'Transactions that had committed when the campaign first ran: the contacts that they added are its contacts. Null '
    'before.';
comment on column campaign.paused_reason is
    'Why the system paused the campaign; null if a user did or if it is not paused.';
comment on column campaign.total_contacts is 'Number of subscribed contacts when the campaign first ran; 0 before.';
comment on column campaign.selected is 'Highest number given in campaign_audience, the position behind cursor_at.';
comment on column campaign.cursor_at is
    'created_at of the last contact that was selected, with cursor_id; null before the first. Contacts are selected in the '
    'order of (created_at, id).';
comment on column campaign.selected_at is 'When the last contact was selected; null before.';
comment on column campaign.handled is 'Highest number whose contact was handled.';
comment on column campaign.paced_until is 'Due time of the last mail of a campaign with a pace; null before.';
comment on column campaign.fanned_out_at is 'When the last contact was handled; null before.';
create index campaign_account on campaign (account_id, created_at desc, id desc);
-- For the job that starts scheduled campaigns.
create index campaign_due on campaign (send_at) where status = 'scheduled';
-- For the fan-out.
create index campaign_running on campaign (id) where status = 'running';
call secure('campaign');
create trigger notify_stop after update of status on campaign
    for each row when (old.status = 'running' and new.status <> 'running') execute function notify_stop();
-- The fan-out, and the job that starts scheduled campaigns, run at once.
create trigger notify_work after insert or update of status, send_at on campaign
    for each row when (new.status in ('running', 'scheduled')) execute function notify_work();

create function contact_matches(filter jsonb, properties jsonb, created timestamptz) returns boolean
language plpgsql stable as $$
declare
    part jsonb;
begin
    if filter is null then
        return true;
    elsif filter ? 'all' then
        for part in select value from jsonb_array_elements(filter -> 'all') loop
            if not contact_matches(part, properties, created) then
                return false;
            end if;
        end loop;
        return true;
    elsif filter ? 'any' then
        for part in select value from jsonb_array_elements(filter -> 'any') loop
            if contact_matches(part, properties, created) then
                return true;
            end if;
        end loop;
        return false;
    elsif filter ? 'property' then
        return coalesce(properties ->> (filter ->> 'property') = filter ->> 'equals', false);
    end if;
    return created > coalesce((filter -> 'created_at' ->> 'after')::timestamptz, '-infinity')
       and created < coalesce((filter -> 'created_at' ->> 'before')::timestamptz, 'infinity');
end $$;
comment on function contact_matches(jsonb, jsonb, timestamptz) is
    'Whether a contact with these properties and creation time satisfies the filter of a campaign.';

-- Written by the fan-out.
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

-- Inserted by the fan-out; unsubscribed_at is set by the person through the link in the mail.
create table campaign_recipient (
    campaign_id      uuid not null,
    contact_id       uuid not null,
    account_id       uuid not null,
    email_id         uuid,
    merge            jsonb,
    unsubscribed_at  timestamptz,
    primary key (campaign_id, contact_id)
);
comment on table campaign_recipient is
    'The contacts that a campaign has handled. The primary key makes sure that each gets one mail at most.';
comment on column campaign_recipient.email_id is
    'The mail; null for a contact that was unsubscribed or suppressed.';
comment on column campaign_recipient.merge is
    'Values of the placeholders, fixed when the mail was created: each attempt sends the same bytes.';
comment on column campaign_recipient.unsubscribed_at is
    'When the contact first unsubscribed by the link in the mail; null before.';
call secure('campaign_recipient');

-- Inserted by a request that changes the status of the campaign; the worker with the active dispatcher deletes it.
create table campaign_follow_up (
    campaign_id  uuid primary key,
    account_id   uuid not null
);
comment on table campaign_follow_up is
    'Campaigns with more waiting mails than a change of the status may move: the others are held or made due afterwards, '
    'step by step. A row is deleted when all have followed. The campaign may have been deleted.';
call secure('campaign_follow_up');
-- The mails follow at once.
create trigger notify_work after insert on campaign_follow_up for each row execute function notify_work();

-- Written by the triggers of email and campaign_recipient only.
create table campaign_count (
    campaign_id   uuid not null,
    account_id    uuid not null,
    slot          smallint not null,
    sent          bigint not null default 0,
    delivered     bigint not null default 0,
    bounced       bigint not null default 0,
    complained    bigint not null default 0,
    failed        bigint not null default 0,
    opened        bigint not null default 0,
    clicked       bigint not null default 0,
    unsubscribed  bigint not null default 0,
    skipped       bigint not null default 0,
    primary key (campaign_id, slot)
    -- Free space for HOT updates: each statement that changes mails of a campaign updates a row.
) with (fillfactor = 50);
comment on table campaign_count is
    'Results of campaigns in numbers of mails, summed over the slots. Maintained by triggers on email and '
    'campaign_recipient.';
comment on column campaign_count.slot is 'As in email_count.';
comment on column campaign_count.sent is 'Handed over with a final reply: sent, delivered, bounced or complained.';
comment on column campaign_count.delivered is 'Accepted by the recipient''s server, and not bounced later.';
comment on column campaign_count.failed is 'Not sent because of an error, or expired.';
comment on column campaign_count.opened is 'Mails opened at least once by a person; clicked likewise.';
comment on column campaign_count.unsubscribed is 'Contacts that unsubscribed by the link in the mail.';
comment on column campaign_count.skipped is
    'Contacts that were unsubscribed or suppressed when their turn came, or at the hand-over.';
call secure('campaign_count');

-- Written together with campaign_count.
create table campaign_minute (
    campaign_id   uuid not null,
    minute        timestamptz not null,
    slot          smallint not null,
    account_id    uuid not null,
    sent          bigint not null default 0,
    delivered     bigint not null default 0,
    bounced       bigint not null default 0,
    complained    bigint not null default 0,
    failed        bigint not null default 0,
    opened        bigint not null default 0,
    clicked       bigint not null default 0,
    unsubscribed  bigint not null default 0,
    skipped       bigint not null default 0,
    primary key (campaign_id, minute, slot)
    -- As for campaign_count.
) with (fillfactor = 50);
comment on table campaign_minute is
    'Changes of campaign_count by minute. A delivered mail that bounces later is subtracted in the minute of the bounce.';
call secure('campaign_minute');

create function add_campaign_counts(changes campaign_count[]) returns void language sql as $$
    with change as materialized (
        select * from unnest(changes)
         where (sent, delivered, bounced, complained, failed, opened, clicked, unsubscribed, skipped)
               is distinct from (0, 0, 0, 0, 0, 0, 0, 0, 0)
         order by campaign_id),
    minute as (
        insert into campaign_minute as counted (campaign_id, account_id, minute, slot, sent, delivered, bounced,
                                                complained, failed, opened, clicked, unsubscribed, skipped)
        select campaign_id, account_id, date_trunc('minute', now()), slot, sent, delivered, bounced, complained, failed,
               opened, clicked, unsubscribed, skipped
          from change
        on conflict (campaign_id, minute, slot) do update
           set sent = counted.sent + excluded.sent, delivered = counted.delivered + excluded.delivered,
               bounced = counted.bounced + excluded.bounced, complained = counted.complained + excluded.complained,
               failed = counted.failed + excluded.failed, opened = counted.opened + excluded.opened,
               clicked = counted.clicked + excluded.clicked,
               unsubscribed = counted.unsubscribed + excluded.unsubscribed,
               skipped = counted.skipped + excluded.skipped)
    insert into campaign_count as counted select * from change
    on conflict (campaign_id, slot) do update
       set sent = counted.sent + excluded.sent, delivered = counted.delivered + excluded.delivered,
           bounced = counted.bounced + excluded.bounced, complained = counted.complained + excluded.complained,
           failed = counted.failed + excluded.failed, opened = counted.opened + excluded.opened,
           clicked = counted.clicked + excluded.clicked, unsubscribed = counted.unsubscribed + excluded.unsubscribed,
           skipped = counted.skipped + excluded.skipped
$$;
comment on function add_campaign_counts(campaign_count[]) is
    'Adds to campaign_count and campaign_minute, in the order of the campaigns.';

-- Counts skipped contacts when they are inserted, and unsubscriptions when they are updated; email_written() counts the rest.
create function campaign_recipient_written() returns trigger language plpgsql as $$
begin
    if tg_op = 'INSERT' then
        if exists (select from added where email_id is null) then
            perform add_campaign_counts(array(
                select row(campaign_id, account_id, email_count_slot(), 0, 0, 0, 0, 0, 0, 0, 0, count(*))::campaign_count
                  from added where email_id is null group by campaign_id, account_id));
        end if;
    else
        perform add_campaign_counts(array(
            select row(campaign_id, account_id, email_count_slot(), 0, 0, 0, 0, 0, 0, 0, sum(difference), 0)::campaign_count
              from (select campaign_id, account_id, 1 as difference from added where unsubscribed_at is not null
                     union all
                    select campaign_id, account_id, -1 from removed where unsubscribed_at is not null) as change
             group by campaign_id, account_id));
    end if;
    return null;
end $$;
create trigger campaign_recipient_added after insert on campaign_recipient
    referencing new table as added for each statement execute function campaign_recipient_written();
create trigger campaign_recipient_changed after update on campaign_recipient
    referencing new table as added old table as removed
    for each statement execute function campaign_recipient_written();

-- Written by clicks.
create table campaign_link (
    campaign_id  uuid not null,
    link_id      uuid not null,
    slot         smallint not null,
    account_id   uuid not null,
    url          text not null,
    clicks       bigint not null,
    people       bigint,
    primary key (campaign_id, link_id, slot)
    -- Free space for HOT updates: each click updates a row.
) with (fillfactor = 50);
comment on table campaign_link is 'Number of clicks by persons on each link of a campaign, summed over the slots.';
comment on column campaign_link.link_id is 'As tracked_link.id.';
comment on column campaign_link.people is 'Number of mails with a click on the link.';
call secure('campaign_link');

-- Written by the first click of a recipient on a link.
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

create view campaign_seen with (security_invoker = true) as
select campaign.id, campaign.account_id, campaign.name, campaign.status, campaign.sender, campaign.from_email,
       campaign.domain_id, campaign.reply_to, campaign.subject, campaign.contact_book_id,
       coalesce(book.name, campaign.contact_book_name) as contact_book_name, campaign.template_id,
       case when template.id is not null then template.html_content else campaign.html_content end as html_content,
       case when template.id is not null then template.text_content else campaign.text_content end as text_content,
       campaign.send_at, campaign.started_at, campaign.paused_reason, campaign.filter, campaign.pace,
       case when campaign.started_at is null then coalesce(book.contacts, 0) else campaign.total_contacts end
           as total_contacts,
       counted.sent as sent_count, counted.delivered as delivered_count, counted.bounced as bounced_count,
       counted.complained as complained_count, counted.failed as failed_count, counted.opened as opened_count,
       counted.clicked as clicked_count, counted.unsubscribed as unsubscribed_count, counted.skipped as skipped_count,
       campaign.created_at, campaign.updated_at
  from campaign
  left join contact_book book on book.id = campaign.contact_book_id and book.account_id = campaign.account_id
  left join template on template.id = campaign.template_id and template.account_id = campaign.account_id
                    and campaign.started_at is null
 cross join lateral (
     select coalesce(sum(sent), 0)::bigint as sent, coalesce(sum(delivered), 0)::bigint as delivered,
            coalesce(sum(bounced), 0)::bigint as bounced, coalesce(sum(complained), 0)::bigint as complained,
            coalesce(sum(failed), 0)::bigint as failed, coalesce(sum(opened), 0)::bigint as opened,
            coalesce(sum(clicked), 0)::bigint as clicked, coalesce(sum(unsubscribed), 0)::bigint as unsubscribed,
            coalesce(sum(skipped), 0)::bigint as skipped
       from campaign_count
      where campaign_count.campaign_id = campaign.id and campaign_count.account_id = campaign.account_id) as counted;
comment on view campaign_seen is
    'Campaigns as shown: with their results, and before the start with the current content of the template and the '
    'current name and size of the book. The caller''s policies apply (security_invoker).';
grant select on campaign_seen to "${app}", mailroom_system;
