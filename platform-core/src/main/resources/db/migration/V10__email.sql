-- What a sender sees of its mails: the mails, their content, their deliveries, and the counters of the log. The deliveries
-- that are not finished also have rows in queue.

-- Written at acceptance and by the fan-out of campaigns; settlements, cancellations, opens and clicks update it.
create table email (
    id              uuid primary key,
    account_id      uuid not null,
    domain_id       uuid not null,
    -- Of the next three columns one or none is set: a null takes no space, and a deleted key is told from a former member.
    api_key_id      uuid,
    person_id       uuid,
    campaign_id     uuid,
    sender          text not null,
    from_email      text not null,
    to_emails       text[] not null,
    cc              text[] not null default '{}',
    bcc             text[] not null default '{}',
    reply_to        text[] not null default '{}',
    subject         text not null,
    tags            jsonb not null default '{}',
    stream          text not null default 'transactional' check (stream in ('transactional', 'campaign')),
    status          text not null default 'pending'
                    check (status in ('pending', 'sent', 'delivered', 'bounced', 'complained', 'failed')),
    last_event      text not null,
    scheduled_at    timestamptz,
    open_tracking   boolean,
    click_tracking  boolean,
    open_count      int not null default 0,
    click_count     int not null default 0,
    trace           text,
    created_at      timestamptz not null
) partition by range (id);
comment on table email is 'An accepted mail without its content, as shown to the sender.';
comment on column email.account_id is
    'No foreign key: an account with mail is never deleted, and the check would lock the account''s row on every accept.';
comment on column email.domain_id is 'The sending domain; no foreign key, as mails outlive their domain.';
comment on column email.api_key_id is
    'The API key with which the mail was submitted; null for other mail. No foreign key, as mails outlive their key.';
comment on column email.person_id is
    'The person who submitted the mail, as member.person_id; null for mail of keys, campaigns and Mailroom itself. No '
    'foreign key, as mails outlive memberships.';
comment on column email.campaign_id is
    'The campaign that the mail belongs to; null for other mail. Its content is the campaign''s, rendered with '
    'campaign_recipient.merge; it has no row in email_content. Its delivery has the same id.';
comment on column email.sender is 'The From header: address, or Name <address>.';
comment on column email.from_email is 'The address of sender.';
comment on column email.to_emails is 'The To header: a list of address, or Name <address>; also cc, bcc and reply_to.';
comment on column email.tags is 'The sender''s own names and values, returned with the mail and its events.';
comment on column email.stream is 'Selects the retry delays; campaign for the mails of campaigns.';
comment on column email.status is
    'The worst status of the deliveries, in the order complained, bounced, failed, pending, sent, delivered; failed '
    'when every recipient is suppressed.';
comment on column email.last_event is
    'Kind of the last event without its email. prefix, such as queued, scheduled, delivered or cancelled.';
comment on column email.scheduled_at is 'When the mail is or was to be sent; null for immediate mail.';
comment on column email.open_tracking is 'Whether opens are tracked; null for the domain''s setting.';
comment on column email.click_tracking is 'Whether clicks are tracked; null for the domain''s setting.';
comment on column email.trace is
    'The span of the request that sent the mail, as in the header traceparent (W3C Trace Context); null unless the '
    'request was sampled.';
-- For the log, by account and by domain, newest first.
create index email_account on email (account_id, created_at desc, id desc);
create index email_domain on email (account_id, domain_id, created_at desc, id desc);
call secure('email');

-- Written at acceptance; removed by retention, earlier than the mail.
create table email_content (
    email_id     uuid primary key,
    account_id   uuid not null,
    html         text,
    text         text,
    headers      jsonb not null default '{}',
    attachments  jsonb not null default '[]',
    outside      text[]
) partition by range (email_id);
comment on table email_content is
    'Bodies and additional headers of a mail, apart from email so that its rows stay narrow and content can be deleted '
    'earlier.';
comment on column email_content.html is 'The HTML body; null if there is none or if it is in the bucket.';
comment on column email_content.text is 'The plain text body; null if there is none or if it is in the bucket.';
comment on column email_content.headers is 'Additional headers, name to value.';
comment on column email_content.attachments is
    'Metadata of the attachments, in order: [{"filename", "content_type", "content_id"}].';
comment on column email_content.outside is
    'Parts stored in the bucket: html, text, or the position of an attachment; null if there are none.';
-- Content in the bucket is removed before its partition is dropped.
create index email_content_outside on email_content (email_id) where outside is not null;
call secure('email_content');

-- Written and removed with email_content.
create table attachment (
    email_id    uuid not null,
    position    int not null,
    account_id  uuid not null,
    content     bytea not null,
    primary key (email_id, position)
) partition by range (email_id);
comment on table attachment is 'Content of an attachment that is not in the bucket.';
comment on column attachment.position is 'Index in email_content.attachments, from 0.';
-- Attachments are often compressed already: no compression by TOAST.
alter table attachment alter column content set storage external;
call secure('attachment');

-- Written at acceptance and by the fan-out of campaigns; settlements and late bounces and complaints update it.
create table delivery (
    id           uuid not null,
    account_id   uuid not null,
    email_id     uuid not null,
    position     int not null,
    recipient    text not null,
    contact_id   uuid,
    stream       text not null default 'transactional',
    attempt      int not null default 0,
    ambiguous    int not null default 0,
    status       text not null
                 check (status in ('pending', 'sent', 'delivered', 'bounced', 'complained', 'failed', 'suppressed')),
    reply        text,
    created_at   timestamptz not null,
    settled_at   timestamptz,
    -- With email_id, which the primary key of a partitioned table must contain.
    primary key (id, email_id)
) partition by range (email_id);
comment on table delivery is
    'One row for each mail and recipient: what the sender sees. It changes when an attempt is settled; until it is '
    'finished, the table queue has a row with the same id.';
comment on column delivery.position is 'Index among the mail''s recipients, from 0: To, then Cc, then Bcc.';
comment on column delivery.recipient is 'The address alone.';
comment on column delivery.contact_id is
    'The contact the mail is addressed to, whose consent is checked again at the fence; null for other mail.';
comment on column delivery.stream is 'Copy of email.stream.';
comment on column delivery.attempt is 'Number of attempts begun until the last settlement.';
comment on column delivery.ambiguous is
    'Number of attempts until the last settlement that ended without a final reply: it is unknown whether the '
    'server accepted the mail.';
comment on column delivery.status is
    'pending; sent: accepted by a relay; delivered: accepted by the recipient''s server; bounced; complained; failed; '
    'suppressed: not attempted.';
comment on column delivery.reply is 'The last reply or the last error; null before there is one.';
comment on column delivery.settled_at is 'When the delivery was finished; null while it is in the queue.';
create index delivery_email on delivery (email_id, position);
call secure('delivery');

-- Written by the triggers of email only.
create table email_count (
    account_id  uuid not null,
    domain_id   uuid not null,
    status      text not null,
    month       date not null,
    slot        smallint not null,
    count       bigint not null,
    primary key (account_id, domain_id, status, month, slot)
    -- Free space for HOT updates: each statement that writes mails updates rows.
) with (fillfactor = 50);
comment on table email_count is
    'Number of mails by account, domain, status and month, summed over the slots: the totals of the log.';
comment on column email_count.month is 'Month of the mail''s id, as month_of returns it.';
comment on column email_count.slot is
    'Counter that a transaction holds until it ends; concurrent transactions do not wait for each other; see '
    'email_count_slot().';
comment on column email_count.count is 'May be negative in a single slot; only the sum is meaningful.';
-- For the removal of the counts of a month together with its mails.
create index email_count_month on email_count (month);
-- For months that have ended, whose slots are added up.
create index email_count_slots on email_count (month) where slot <> 0;
call secure('email_count');

-- Written by the triggers of email only.
create table email_trouble (
    id          uuid primary key,
    account_id  uuid not null,
    domain_id   uuid not null,
    status      text not null,
    created_at  timestamptz not null
) partition by range (id);
comment on table email_trouble is
    'The mails with status bounced, complained or failed. An index on email.status instead would prevent HOT updates '
    'of every mail.';
comment on column email_trouble.id is 'The id of the mail; the other columns are copies of the mail''s.';
-- For the log filtered by status, by account and by domain.
create index email_trouble_account on email_trouble (account_id, status, created_at, id);
create index email_trouble_domain on email_trouble (account_id, domain_id, status, created_at, id);
call secure('email_trouble');

-- Written by queries for deep pages of the log; removed by the trigger of email when mails of the account are removed.
create table email_anchor (
    account_id  uuid not null,
    domain_id   uuid not null,
    position    bigint not null,
    created_at  timestamptz not null,
    id          uuid not null,
    primary key (account_id, domain_id, position)
);
comment on table email_anchor is
    'Mails at regular positions of the log, from which the query for a deep page starts.';
comment on column email_anchor.domain_id is 'The domain whose log it is; all zeros for the log of the account.';
comment on column email_anchor.position is 'Position of the mail, counted from the oldest, from 1.';
comment on column email_anchor.created_at is 'The mail''s created_at.';
comment on column email_anchor.id is 'The mail''s id.';
call secure('email_anchor');

create function email_count_slot() returns smallint language plpgsql as $$
declare
    slots constant int := 64;
    -- First key of the advisory locks of this function; no other code may use it.
    family constant int := 321;
begin
    for i in 0 .. slots - 1 loop
        if pg_try_advisory_xact_lock(family, (pg_backend_pid() + i) % slots) then
            return (pg_backend_pid() + i) % slots;
        end if;
    end loop;
    return pg_backend_pid() % slots;
end $$;
comment on function email_count_slot() is
    'A slot that no other running transaction uses. When all are in use, a slot is shared and its rows may have to be '
    'waited for.';

create function month_of(id uuid) returns date language sql immutable parallel safe as $$
    select least(greatest(date_trunc('month',
               to_timestamp(('x' || encode(substring(uuid_send(id) for 6), 'hex'))::bit(48)::bigint / 1000.0)
               at time zone 'UTC')::date, '2000-01-01'), '2100-01-01')
$$;
comment on function month_of(uuid) is
    'First day of the month (UTC) of a UUIDv7, from 2000 to 2100; ids of other kinds count as the nearest of these.';

-- It calls add_campaign_counts, which is created with the tables of the campaigns.
create function email_written() returns trigger language plpgsql as $$
declare
    own constant smallint := email_count_slot();
begin
    if tg_op = 'INSERT' then
        insert into email_count as counted (account_id, domain_id, status, month, slot, count)
        select account_id, domain_id, status, month_of(id), own, count(*) from added
         group by 1, 2, 3, 4 order by 1, 2, 3, 4
        on conflict (account_id, domain_id, status, month, slot) do update set count = counted.count + excluded.count;
        insert into email_trouble (id, account_id, domain_id, status, created_at)
        select id, account_id, domain_id, status, created_at from added
         where status in ('bounced', 'complained', 'failed');
    elsif tg_op = 'UPDATE' then
        insert into email_count as counted (account_id, domain_id, status, month, slot, count)
        select account_id, domain_id, status, month_of(id), own, sum(difference)
          from (select id, account_id, domain_id, status, 1 as difference from added
                 union all
                select id, account_id, domain_id, status, -1 from removed) as change
         group by 1, 2, 3, 4 having sum(difference) <> 0 order by 1, 2, 3, 4
        on conflict (account_id, domain_id, status, month, slot) do update set count = counted.count + excluded.count;
        if found then
            -- Few changes of status end in or begin at trouble: only mails that were in the table are deleted from it.
            if exists (select from removed where status in ('bounced', 'complained', 'failed')) then
                delete from email_trouble using removed, added
                 where removed.status in ('bounced', 'complained', 'failed')
                   and email_trouble.id = removed.id and added.id = removed.id
                   and added.status not in ('bounced', 'complained', 'failed');
            end if;
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
        insert into email_count as counted (account_id, domain_id, status, month, slot, count)
        select account_id, domain_id, status, month_of(id), own, -count(*) from removed
         group by 1, 2, 3, 4 order by 1, 2, 3, 4
        on conflict (account_id, domain_id, status, month, slot) do update set count = counted.count + excluded.count;
        delete from email_trouble using removed where email_trouble.id = removed.id;
        delete from email_anchor using removed where email_anchor.account_id = removed.account_id;
    end if;
    return null;
end $$;
comment on function email_written() is
    'Maintains email_count, email_trouble, email_anchor and campaign_count, once a statement and in the order of their '
    'keys, which prevents deadlocks of concurrent statements. Mails that are removed stay in campaign_count.';

-- Triggers, and not the statements of the apps, so that the counts equal a recount of the mails whoever writes them.
create trigger email_added after insert on email
    referencing new table as added for each statement execute function email_written();
create trigger email_changed after update on email
    referencing new table as added old table as removed for each statement execute function email_written();
create trigger email_removed after delete on email
    referencing old table as removed for each statement execute function email_written();
