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
