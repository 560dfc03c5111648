-- How many mails an account has, for each domain and status: what a list's total is read from.
-- A transaction counts in a slot that is its own until it ends, so that those at work at once
-- never wait for each other; a slot by itself may be negative, only the sum means something.
create table email_count (
    account_id  uuid not null,
    domain_id   uuid not null,
    status      text not null,
    slot        smallint not null,
    count       bigint not null,
    primary key (account_id, domain_id, status, slot)
) with (fillfactor = 50);
call secure('email_count');

-- The mails that went wrong, by what became of them. Apart from the mails: an index over their
-- status would make each of a good mail's changes of status rewrite all of its index entries.
create table email_trouble (
    id          uuid primary key,
    account_id  uuid not null,
    domain_id   uuid not null,
    status      text not null,
    created_at  timestamptz not null
);
create index email_trouble_account on email_trouble (account_id, status, created_at, id);
create index email_trouble_domain on email_trouble (account_id, domain_id, status, created_at, id);
call secure('email_trouble');

-- Every so many mails, counted from the oldest: where deep pages begin to look.
create table email_anchor (
    account_id  uuid not null,
    -- Of whose list: a domain's, or with nothing but zeros all of the account's.
    domain_id   uuid not null,
    position    bigint not null,
    created_at  timestamptz not null,
    id          uuid not null,
    primary key (account_id, domain_id, position)
);
call secure('email_anchor');

-- A slot that no other transaction has. Where all are taken, it shares one and may have to wait.
create function email_count_slot() returns smallint language plpgsql as $$
declare
    slots constant int := 64;
    -- Sets these locks apart from other advisory ones.
    family constant int := 321;
begin
    for i in 0 .. slots - 1 loop
        if pg_try_advisory_xact_lock(family, (pg_backend_pid() + i) % slots) then
            return (pg_backend_pid() + i) % slots;
        end if;
    end loop;
    return pg_backend_pid() % slots;
end $$;

-- Keeps all three, once a statement and in order of their keys, whoever writes mails and wherever.
create function email_written() returns trigger language plpgsql as $$
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
            delete from email_trouble using added
             where email_trouble.id = added.id and added.status not in ('bounced', 'complained', 'failed');
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

create trigger email_added after insert on email
    referencing new table as added for each statement execute function email_written();
create trigger email_changed after update on email
    referencing new table as added old table as removed for each statement execute function email_written();
create trigger email_removed after delete on email
    referencing old table as removed for each statement execute function email_written();

set local role mailroom_system;
insert into email_count select account_id, domain_id, status, 0, count(*) from email group by 1, 2, 3;
insert into email_trouble select id, account_id, domain_id, status, created_at from email
 where status in ('bounced', 'complained', 'failed');
reset role;
