create trigger announce_work after update of notice_due on webhook_endpoint
    for each row when (new.notice_due) execute function announce_work();
