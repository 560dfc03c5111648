-- Mails, deliveries, attempts and events in monthly partitions, by the time in their UUIDv7. The tables of before become
-- the first partitions: no row is copied, but the primary key of delivery is built anew.

create function first_id(at timestamptz) returns uuid language sql immutable strict parallel safe as $$
    select (lpad(to_hex((extract(epoch from at) * 1000)::bigint), 12, '0') || repeat('0', 20))::uuid
$$;
comment on function first_id(timestamptz) is 'The smallest UUIDv7 of a time (RFC 9562 5.7).';

create function month_of(id uuid) returns date language sql immutable parallel safe as $$
    select least(greatest(date_trunc('month',
               to_timestamp(('x' || encode(substring(uuid_send(id) for 6), 'hex'))::bit(48)::bigint / 1000.0)
               at time zone 'UTC')::date, '2000-01-01'), '2100-01-01')
$$;
comment on function month_of(uuid) is
    'First day of the month (UTC) of a UUIDv7, from 2000 to 2100; ids of other kinds count as the nearest of these.';

create function partition_bounds(month date, out lower uuid, out upper uuid) language sql immutable strict parallel safe as $$
    select first_id(month::timestamp at time zone 'UTC'), first_id((month + interval '1 month') at time zone 'UTC')
$$;
comment on function partition_bounds(date) is 'The ids of a month: from lower up to, and without, upper.';

create function partitioned_tables(out name text, out key text, out fillfactor int) returns setof record
language sql immutable parallel safe as $$
    values ('email', 'id', 80), ('email_content', 'email_id', 100), ('attachment', 'email_id', 100),
           ('delivery', 'email_id', 80), ('delivery_attempt', 'email_id', 100), ('email_trouble', 'id', 100),
           ('event', 'id', 100)
$$;
comment on function partitioned_tables() is 'Tables with a partition for each month, with their partition keys.';

-- A partition has the policies of its table, and no grants: it is accessed through the table only.
create procedure close_partition(part regclass, description text) language plpgsql as $$
begin
    if not (select relrowsecurity from pg_class where oid = part) then
        call secure(part);
    end if;
    execute format('revoke all on %s from "${app}", mailroom_system', part);
    execute format('comment on table %s is %L', part, description);
end $$;
comment on procedure close_partition(regclass, text) is
    'Puts a partition under row-level security and removes all access but that through its table.';

create function create_partition(parent text, month date) returns boolean
language plpgsql security definer set search_path = public, pg_temp set lock_timeout = '100ms' as $$
declare
    part constant text := parent || to_char(month, '_YYYY_MM');
    bounds record;
    spec record;
begin
    select * into strict spec from partitioned_tables() where name = parent;
    if month <> date_trunc('month', month) or month not between now() - interval '2 years' and now() + interval '2 years' then
        raise exception 'No partition may be created for %', month;
    elsif to_regclass(part) is not null then
        return false;
    end if;
    select * into bounds from partition_bounds(month);
    execute format('create table %I (like %I including defaults including constraints including storage '
                   'including compression) with (fillfactor = %s)', part, parent, spec.fillfactor);
    -- Rows of the month that arrived before its partition.
    execute format('with moved as (delete from %1$I where %2$I >= %3$L and %2$I < %4$L returning *) '
                   'insert into %5$I select * from moved', parent || '_other', spec.key, bounds.lower, bounds.upper, part);
    call close_partition(part::regclass, format('Partition of %s: %s.', parent, to_char(month, 'YYYY-MM')));
    execute format('alter table %I attach partition %I for values from (%L) to (%L)', parent, part, bounds.lower, bounds.upper);
    return true;
end $$;
comment on function create_partition(text, date) is
    'Creates the partition of a table for a month; false if it exists. It fails rather than waits for a lock for long.';

-- Counts of mails by month, so that those of a month can be removed with it.
alter table email_count add column month date not null default '2000-01-01';
alter table email_count alter column month drop default,
    drop constraint email_count_pkey, add primary key (account_id, domain_id, status, month, slot);
create index email_count_month on email_count (month);
-- For months that have ended, whose slots are added up.
create index email_count_slots on email_count (month) where slot <> 0;
comment on column email_count.month is 'Month of the mail''s id, as month_of returns it.';
comment on table email_count is
    'Number of mails by account, domain, status and month, summed over the slots: the totals of the log.';

create function removable_month(month date, content_only boolean) returns boolean
language sql stable security definer set search_path = public, pg_temp as $$
    -- The id of a delivery is created with its mail, within a day.
    select not exists (select from queue where id < first_id((month + interval '1 month 1 day') at time zone 'UTC'))
       and not exists (select from email_content where email_id < bounds.upper and outside is not null)
       and (content_only or not exists (select from event where email_id < bounds.upper and id >= bounds.upper))
      from partition_bounds(month) as bounds
$$;
comment on function removable_month(date, boolean) is
    'Whether no mail up to the end of a month waits in the queue, has content in the bucket or, unless only its content '
    'is removed, has events of a later month.';

create function remove_month_counts(after date, month date) returns void
language sql security definer set search_path = public, pg_temp as $$
    with removed as (
        delete from email_count where email_count.month > after and email_count.month <= remove_month_counts.month
        returning account_id)
    delete from email_anchor where account_id in (select account_id from removed)
$$;
comment on function remove_month_counts(date, date) is
    'Removes the counts of mails after one month up to another, and the anchors of their accounts.';

create function stray_tables() returns text[]
language plpgsql security definer set search_path = public, pg_temp as $$
declare
    parent text;
    stray boolean;
    strays text[] = '{}';
begin
    for parent in select name from partitioned_tables() loop
        execute format('select exists (select from %I)', parent || '_other') into stray;
        strays = strays || case when stray then array[parent] else '{}' end;
    end loop;
    return strays;
end $$;
comment on function stray_tables() is 'Tables with rows whose ids are outside of all months that have a partition.';

create function drop_partitions(month date, content_only boolean) returns boolean
language plpgsql security definer set search_path = public, pg_temp set lock_timeout = '50ms' as $$
declare
    suffix constant text := to_char(month, '_YYYY_MM');
    oldest boolean;
begin
    if month <> date_trunc('month', month) or month + interval '1 month' > now() at time zone 'UTC' then
        raise exception 'The month % has not ended', month;
    elsif to_regclass('email_content' || suffix) is null and (content_only or to_regclass('email' || suffix) is null) then
        return false;
    end if;
    if content_only then
        lock table only email_content, only attachment in access exclusive mode;
    else
        lock table only delivery, only email, only email_content, only attachment, only delivery_attempt,
            only email_trouble, only event in access exclusive mode;
    end if;
    -- From here no transaction that wrote into these tables is open.
    if not removable_month(month, content_only) then
        return false;
    end if;
    execute format('drop table if exists %I, %I', 'email_content' || suffix, 'attachment' || suffix);
    if not content_only then
        select pg_get_expr(relpartbound, oid) like '%MINVALUE%' into oldest from pg_class where oid = to_regclass('email' || suffix);
        perform remove_month_counts(
            case when oldest then '-infinity' else (month - interval '1 month')::date end, month);
        execute format('drop table if exists %I, %I, %I, %I, %I', 'delivery' || suffix, 'email' || suffix,
                       'delivery_attempt' || suffix, 'email_trouble' || suffix, 'event' || suffix);
    end if;
    return true;
end $$;
comment on function drop_partitions(date, boolean) is
    'Drops the partitions of a month that has ended, or only those with content, and what is counted of its mails; false '
    'if there are none or if the month is not removable. It fails rather than waits for a lock for long.';

-- The tables of before become the partitions of this month and all earlier ones.
create procedure partition_table(parent text, key text, keys text) language plpgsql as $$
declare
    month constant date := date_trunc('month', now() at time zone 'UTC');
    part constant text := parent || to_char(month, '_YYYY_MM');
    upper constant uuid := (select bounds.upper from partition_bounds(month) as bounds);
    description constant text := obj_description(parent::regclass, 'pg_class');
    indexes text[];
    triggers text[];
    statement text;
    index record;
begin
    select array_agg(pg_get_indexdef(indexrelid)) into indexes
      from pg_index where indrelid = parent::regclass and not indisprimary;
    select array_agg(pg_get_triggerdef(oid)) into triggers
      from pg_trigger where tgrelid = parent::regclass and not tgisinternal;
    execute (select coalesce(string_agg(format('drop trigger %I on %I', tgname, parent), ';'), '')
               from pg_trigger where tgrelid = parent::regclass and not tgisinternal);
    execute format('alter table %I rename to %I', parent, part);
    for index in select relname from pg_index join pg_class on pg_class.oid = indexrelid where indrelid = part::regclass loop
        execute format('alter index %I rename to %I', index.relname, overlay(index.relname placing part from 1 for length(parent)));
    end loop;
    if pg_get_indexdef((select indexrelid from pg_index where indrelid = part::regclass and indisprimary)) not like '%(' || keys || ')' then
        execute format('alter table %I drop constraint %I, add primary key (%s)', part, part || '_pkey', keys);
    end if;
    execute format('create table %I (like %I including defaults including constraints including comments including storage '
                   'including compression, primary key (%s)) partition by range (%I)', parent, part, keys, key);
    execute format('comment on table %I is %L', parent, description);
    call secure(parent::regclass);
    foreach statement in array coalesce(indexes, '{}') || coalesce(triggers, '{}') loop
        execute statement;
    end loop;
    -- Attaching reads the table once, to check this range.
    execute format('alter table %I attach partition %I for values from (minvalue) to (%L)', parent, part, upper);
    call close_partition(part::regclass, format('Partition of %s: up to %s.', parent, to_char(month, 'YYYY-MM')));
    execute format('create table %I partition of %I default with (fillfactor = %s)', parent || '_other', parent,
                   (select fillfactor from partitioned_tables() where name = parent));
    call close_partition((parent || '_other')::regclass, format('Partition of %s: rows outside of the others.', parent));
    -- create_partition takes rows of a new month from here.
    execute format('create policy owner on %I to current_user using (true) with check (true)', parent || '_other');
    for ahead in 1 .. 3 loop
        perform create_partition(parent, (month + ahead * interval '1 month')::date);
    end loop;
end $$;

-- The trigger of event is created anew, by the owner of the table.
do $$
declare
    owner constant text := current_user;
begin
    set local role mailroom_system;
    execute format('grant execute on function queue_webhook_calls() to %I', owner);
    execute format('set local role %I', owner);
end $$;

drop view delivery_state;
call partition_table('email', 'id', 'id');
call partition_table('email_content', 'email_id', 'email_id');
call partition_table('attachment', 'email_id', 'email_id, "position"');
call partition_table('delivery', 'email_id', 'id, email_id');
call partition_table('delivery_attempt', 'email_id', 'account_id, email_id, id');
call partition_table('email_trouble', 'id', 'id');
call partition_table('event', 'id', 'id');
drop procedure partition_table(text, text, text);

create view delivery_state with (security_invoker = true) as
select delivery.id, delivery.account_id, delivery.email_id, delivery.position, delivery.recipient, delivery.stream,
       case when queue.id is null then 'done'
            when queue.data_until is not null then 'in_data'
            when lease.id is not null then 'leased'
            else 'queued' end as phase,
       delivery.status, delivery.reply, coalesce(queue.attempt, delivery.attempt) as attempt,
       coalesce(queue.ambiguous, delivery.ambiguous) as ambiguous, queue.due_at,
       lease.epoch, coalesce(queue.data_until, lease.until) as lease_until, delivery.created_at, delivery.settled_at
  from delivery left join queue using (id) left join lease using (id);
comment on view delivery_state is
    'Deliveries with their state in the queue, for operators: queued (waiting for due_at or for a worker), leased '
    '(assigned to a worker), in_data (past the fence, being handed over) or done.';
grant select on delivery_state to "${app}", mailroom_system;

-- Content in the bucket is removed before its partition is dropped.
create index email_content_outside on email_content (email_id) where outside is not null;

create or replace function email_written() returns trigger language plpgsql as $$
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

-- The apps' role owns no table: it creates and drops partitions through these functions only, as mailroom_system.
revoke all on function create_partition(text, date), drop_partitions(date, boolean), stray_tables(),
    removable_month(date, boolean), remove_month_counts(date, date) from public;
grant execute on function create_partition(text, date), drop_partitions(date, boolean), stray_tables() to mailroom_system;
grant create on schema public to mailroom_system;
alter function removable_month(date, boolean) owner to mailroom_system;
alter function remove_month_counts(date, date) owner to mailroom_system;
revoke create on schema public from mailroom_system;
do $$
declare
    owner constant text := current_user;
begin
    set local role mailroom_system;
    execute format('grant execute on function removable_month(date, boolean), remove_month_counts(date, date) to %I', owner);
    execute format('set local role %I', owner);
end $$;
