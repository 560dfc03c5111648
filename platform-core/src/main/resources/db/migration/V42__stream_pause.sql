-- With its constraints, which allowed one row for the whole queue.
alter table queue_pause drop column single;
alter table queue_pause add column campaign boolean not null default false;
alter table queue_pause alter column campaign drop default;
insert into queue_pause (campaign, reason, paused_by, paused_at)
select true, reason, paused_by, paused_at from queue_pause;
alter table queue_pause add primary key (campaign);
comment on table queue_pause is
    'One row for each stream of the queue that is paused: its mail is not leased and not begun; mail is accepted as before.';
comment on column queue_pause.campaign is 'As queue.campaign: true for the mail of campaigns, false for all other mail.';
