-- As before, but for the mails that are taken off the list of trouble: only those are looked for there that
-- were on it. Nearly every change of status is a good one of a mail that was never in trouble.
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
            delete from email_trouble using removed, added
             where removed.status in ('bounced', 'complained', 'failed')
               and email_trouble.id = removed.id and added.id = removed.id
               and added.status not in ('bounced', 'complained', 'failed');
            insert into email_trouble as trouble (id, account_id, domain_id, status, created_at)
            select id, account_id, domain_id, status, created_at from added
             where status in ('bounced', 'complained', 'failed') order by id
            on conflict (id) do update set status = excluded.status where trouble.status <> excluded.status;
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
