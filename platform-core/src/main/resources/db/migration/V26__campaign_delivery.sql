alter table campaign
    add column filter jsonb,
    add column pace int check (pace > 0),
    add column cursor_at timestamptz,
    add column cursor_id uuid,
    add column paced_until timestamptz,
    add column fanned_out_at timestamptz;
comment on column campaign.filter is
    'Condition on the contacts, as in the API: property and equals, created_at, any, all; null for all contacts.';
comment on column campaign.pace is 'Maximum number of mails per minute; null without a limit.';
comment on column campaign.cursor_at is
    'created_at of the last contact that was handled, with cursor_id; null before the first page. Contacts are handled '
    'in the order of (created_at, id).';
comment on column campaign.paced_until is 'Due time of the last mail of a campaign with a pace; null before.';
comment on column campaign.fanned_out_at is 'When the last contact was handled; null before.';
update campaign
   set status = 'paused', paused_reason = 'It was started before campaigns could be sent: resume it to send it now'
 where status = 'running';
-- For the fan-out.
create index campaign_running on campaign (id) where status = 'running';

alter table email add column campaign_id uuid;
comment on column email.campaign_id is
    'The campaign that the mail belongs to; null for other mail. Its content is the campaign''s, rendered with '
    'campaign_recipient.merge; it has no row in email_content. Its delivery has the same id.';

alter table queue add column campaign_id uuid;
comment on column queue.campaign_id is
    'The campaign that must be running when the fence is passed; null for other mail. While the campaign is not '
    'running, its rows are held: ready is false and due_at is the year 9999.';
-- For pausing, for resuming and for the end of a campaign. The fence changes neither column.
create index queue_campaign on queue (campaign_id, ready) where campaign_id is not null;

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
    'Values of the placeholders, fixed when the mail was created, so that each attempt sends the same bytes.';
comment on column campaign_recipient.unsubscribed_at is
    'When the contact first unsubscribed by the link in the mail; null before.';
call secure('campaign_recipient');

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
) with (fillfactor = 50);
comment on table campaign_minute is
    'Changes of campaign_count by minute. A delivered mail that bounces later is subtracted in the minute of the bounce.';
call secure('campaign_minute');

create table campaign_link (
    campaign_id  uuid not null,
    link_id      uuid not null,
    slot         smallint not null,
    account_id   uuid not null,
    url          text not null,
    clicks       bigint not null,
    primary key (campaign_id, link_id, slot)
) with (fillfactor = 50);
comment on table campaign_link is 'Number of clicks by persons on each link of a campaign, summed over the slots.';
comment on column campaign_link.link_id is 'As tracked_link.id.';
call secure('campaign_link');

drop view campaign_seen;
alter table campaign
    drop column sent_count,
    drop column delivered_count,
    drop column opened_count,
    drop column clicked_count;
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

create or replace function email_written() returns trigger language plpgsql as $$
declare
    own constant smallint := email_count_slot();
begin
    if tg_op = 'INSERT' then
        insert into email_count as counted (account_id, domain_id, status, slot, count)
        select account_id, domain_id, status, own, count(*) from added
         group by 1, 2, 3 order by 1, 2, 3
        on conflict (account_id, domain_id, status, slot) do update set count = counted.count + excluded.count;
        insert into email_trouble (id, account_id, domain_id, status, created_at)
        select id, account_id, domain_id, status, created_at from added
         where status in ('bounced', 'complained', 'failed');
    elsif tg_op = 'UPDATE' then
        insert into email_count as counted (account_id, domain_id, status, slot, count)
        select account_id, domain_id, status, own, sum(difference)
          from (select account_id, domain_id, status, 1 as difference from added
                 union all
                select account_id, domain_id, status, -1 from removed) as change
         group by 1, 2, 3 having sum(difference) <> 0 order by 1, 2, 3
        on conflict (account_id, domain_id, status, slot) do update set count = counted.count + excluded.count;
        if found then
            -- Few changes of status end in or begin at trouble: only mails that were in the table are deleted from it.
            delete from email_trouble using removed, added
             where removed.status in ('bounced', 'complained', 'failed')
               and email_trouble.id = removed.id and added.id = removed.id
               and added.status not in ('bounced', 'complained', 'failed');
            insert into email_trouble as trouble (id, account_id, domain_id, status, created_at)
            select id, account_id, domain_id, status, created_at from added
             where status in ('bounced', 'complained', 'failed') order by id
            on conflict (id) do update set status = excluded.status where trouble.status <> excluded.status;
        end if;
        if exists (select from added where campaign_id is not null) then
            perform add_campaign_counts(array(
                select row(campaign_id, account_id, own,
                           sum(difference * (status in ('sent', 'delivered', 'bounced', 'complained'))::int),
                           sum(difference * (status in ('delivered', 'complained'))::int),
                           sum(difference * (status = 'bounced')::int),
                           sum(difference * (status = 'complained')::int),
                           sum(difference * (status = 'failed' and last_event not in ('suppressed', 'cancelled'))::int),
                           sum(difference * (open_count > 0)::int), sum(difference * (click_count > 0)::int), 0,
                           sum(difference * (status = 'failed' and last_event in ('suppressed', 'cancelled'))::int)
                       )::campaign_count
                  from (select *, 1 as difference from added union all select *, -1 from removed) as change
                 where campaign_id is not null group by campaign_id, account_id));
        end if;
    else
        insert into email_count as counted (account_id, domain_id, status, slot, count)
        select account_id, domain_id, status, own, -count(*) from removed
         group by 1, 2, 3 order by 1, 2, 3
        on conflict (account_id, domain_id, status, slot) do update set count = counted.count + excluded.count;
        delete from email_trouble using removed where email_trouble.id = removed.id;
        delete from email_anchor using removed where email_anchor.account_id = removed.account_id;
    end if;
    return null;
end $$;
comment on function email_written() is
    'Maintains email_count, email_trouble, email_anchor and campaign_count, once a statement and in the order of their '
    'keys, so that concurrent statements do not deadlock. Mails that are removed stay in campaign_count.';
