alter table contact add column added_by xid8;
alter table contact alter column added_by set default pg_current_xact_id();
comment on column contact.added_by is
    'Transaction that added the contact; null if that was before the column existed. Clocks of servers differ, the order of '
    'commits does not.';

alter table campaign add column start_snapshot pg_snapshot;
comment on column campaign.start_snapshot is
    'Transactions that had committed when the campaign first ran: the contacts that they added are its contacts. Null '
    'before, and for campaigns that ran before the column existed: theirs are the contacts created before started_at.';

create table campaign_follow_up (
    campaign_id  uuid primary key,
    account_id   uuid not null
);
comment on table campaign_follow_up is
    'Campaigns with more waiting mails than a change of the status may move: the others are held or made due afterwards, '
    'step by step. A row is deleted when all have followed. The campaign may have been deleted.';
call secure('campaign_follow_up');
-- For making the held mails of a campaign due.
create index queue_campaign_held on queue (campaign_id) where due_at = timestamptz '9999-01-01 00:00:00Z';

-- For marking mail as ready account by account, in place of queue_later_account.
create index queue_later_due on queue (account_id, due_at) where not ready;
drop index queue_later_account;

create table webhook_delivery_count (
    endpoint_id  uuid not null,
    slot         smallint not null,
    account_id   uuid not null,
    count        bigint not null,
    primary key (endpoint_id, slot)
) with (fillfactor = 50);
comment on table webhook_delivery_count is
    'Number of calls to each webhook endpoint, summed over the slots. Maintained by a trigger on webhook_delivery.';
comment on column webhook_delivery_count.slot is 'As in email_count.';
comment on column webhook_delivery_count.count is 'May be negative in a single slot; only the sum is meaningful.';
call secure('webhook_delivery_count');

create function webhook_delivery_written() returns trigger language plpgsql as $$
begin
    if tg_op = 'INSERT' then
        if exists (select from added) then
            insert into webhook_delivery_count as counted (endpoint_id, slot, account_id, count)
            select endpoint_id, email_count_slot(), account_id, count(*) from added group by endpoint_id, account_id
             order by endpoint_id
            on conflict (endpoint_id, slot) do update set count = counted.count + excluded.count;
        end if;
    elsif exists (select from removed) then
        insert into webhook_delivery_count as counted (endpoint_id, slot, account_id, count)
        select endpoint_id, email_count_slot(), account_id, -count(*) from removed group by endpoint_id, account_id
         order by endpoint_id
        on conflict (endpoint_id, slot) do update set count = counted.count + excluded.count;
    end if;
    return null;
end $$;
comment on function webhook_delivery_written() is
    'Maintains webhook_delivery_count, once a statement and in the order of the endpoints.';
create trigger webhook_delivery_added after insert on webhook_delivery
    referencing new table as added for each statement execute function webhook_delivery_written();
create trigger webhook_delivery_removed after delete on webhook_delivery
    referencing old table as removed for each statement execute function webhook_delivery_written();
-- The triggers have locked the table against writes, so that no call is missed or counted twice.
insert into webhook_delivery_count (endpoint_id, slot, account_id, count)
select endpoint_id, 0, account_id, count(*) from webhook_delivery group by endpoint_id, account_id;
