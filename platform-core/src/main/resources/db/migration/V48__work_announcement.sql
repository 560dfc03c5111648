create function announce_work() returns trigger language plpgsql as $$
begin
    perform pg_notify('mailroom_work', '');
    return null;
end $$;
comment on function announce_work() is
    'Wakes the loops of the workers that look for work. Only rare changes announce it, because commits that notify wait for '
    'each other: the rows of mails do not.';

create trigger announce_work after insert or update of status, send_at on campaign
    for each row when (new.status in ('running', 'scheduled')) execute function announce_work();
create trigger announce_work after insert on campaign_follow_up for each row execute function announce_work();
create trigger announce_work after insert or update or delete on destination_hold
    for each row execute function announce_work();
create trigger announce_work after insert or update or delete on queue_pause
    for each row execute function announce_work();
create trigger announce_work after insert or update of due_at on confirmation
    for each row when (new.due_at is not null) execute function announce_work();
create trigger announce_work after insert or update of subscribed_at on webhook_state
    for each row when (new.subscribed_at is not null) execute function announce_work();
