-- Partitions by month or by day, and those of webhook calls and their attempts.

create function first_of(day date) returns uuid language sql immutable strict parallel safe as $$
    select first_id(day::timestamp at time zone 'UTC')
$$;
comment on function first_of(date) is 'The smallest UUIDv7 of a day (UTC).';

create function days_from() returns uuid language sql stable parallel safe as $$
    select 'ffffffff-ffff-ffff-ffff-ffffffffffff'::uuid
$$;
comment on function days_from() is
    'The first id that is counted by day, the beginning of a month: no partition of a day is older. partition_by_day '
    'replaces it; plans contain its value and are made again then.';

create function period_of(id uuid) returns date language sql stable parallel safe as $$
    select case when id < days_from() then month_of(id)
                else least((to_timestamp(('x' || encode(substring(uuid_send(id) for 6), 'hex'))::bit(48)::bigint / 1000.0)
                            at time zone 'UTC')::date, '2100-01-01') end
$$;
comment on function period_of(uuid) is
    'First day of the time that an id is counted in: its month or, from days_from() on, its day.';

create function partition_specs(out name text, out key text, out fillfactor int, out kind text) returns setof record
language sql immutable parallel safe as $$
    -- In the order of locks. All rows of a page are updated soon after each other: only half a page of space keeps their
    -- updates HOT.
    values ('delivery', 'email_id', 45, 'mail'), ('email', 'id', 45, 'mail'), ('email_content', 'email_id', 100, 'content'),
           ('attachment', 'email_id', 100, 'content'), ('delivery_attempt', 'email_id', 100, 'mail'),
           ('email_trouble', 'id', 100, 'mail'), ('event', 'id', 100, 'mail'),
           ('webhook_delivery', 'event_id', 70, 'call'), ('webhook_attempt', 'delivery_id', 100, 'call')
$$;
comment on function partition_specs() is
    'Tables with a partition for each month or day, with their partition keys; those of a kind are dropped together.';

create function partitions_of(parent text) returns table (part regclass, first date, until date)
language sql stable as $$
    select inhrelid::regclass,
           case when pg_get_expr(relpartbound, pg_class.oid) like '%MINVALUE%' then '-infinity'
                else to_date(suffix, 'YYYY_MM_DD') end,
           (to_date(suffix, 'YYYY_MM_DD') + case when length(suffix) = 7 then interval '1 month' else interval '1 day' end)::date
      from pg_inherits join pg_class on pg_class.oid = inhrelid
     cross join lateral substring(relname from '_([0-9]{4}_[0-9]{2}(?:_[0-9]{2})?)$') as suffix
     where inhparent = to_regclass(parent) and suffix is not null
$$;
comment on function partitions_of(text) is
    'Partitions of a table by their names, with the first day of each and the day after its last one.';

create function missing_partitions(by_day boolean, today date) returns table (parent text, first date, until date)
language sql stable as $$
    with existing as materialized (
        select name, part.first, part.until from partition_specs() cross join lateral partitions_of(name) as part
         where part.until > date_trunc('month', today::timestamp))
    select spec.name, period.first, period.until
      from partition_specs() as spec
     cross join generate_series(date_trunc('month', today::timestamp), case when by_day then today + 31
                                else date_trunc('month', today::timestamp) + interval '3 months' end, interval '1 month') as month
     cross join lateral (
        select first_of(month::date) >= days_from() and (by_day or exists (
                   select from existing where existing.name = spec.name and existing.until = existing.first + 1
                      and existing.first >= month and existing.first < month + interval '1 month')) as daily) as unit
     cross join lateral (
        select month::date, (month + interval '1 month')::date where not daily
         union all
        select day::date, day::date + 1
          from generate_series(greatest(month, today), month + interval '1 month - 1 day', interval '1 day') as day
         where daily and (not by_day or day <= today + 31)) as period(first, until)
     where not exists (select from existing where existing.name = spec.name and existing.first < period.until
                          and period.first < existing.until)
     order by period.first, spec.name
$$;
comment on function missing_partitions(boolean, date) is
    'Partitions that do not exist, oldest first: of the month of a day and the three after it or, by day, of 31 days after '
    'it. A month that has partitions of days gets no other ones.';

create function create_partition(parent text, first date, until date) returns boolean
language plpgsql security definer set search_path = public, pg_temp set lock_timeout = '100ms' as $$
declare
    part constant text := parent || to_char(first, case when until = first + 1 then '_YYYY_MM_DD' else '_YYYY_MM' end);
    lower constant uuid := first_of(first);
    upper constant uuid := first_of(until);
    spec record;
begin
    select * into strict spec from partition_specs() where name = parent;
    if not (until = first + 1 and lower >= days_from()
            or first = date_trunc('month', first) and until = first + interval '1 month')
            or first not between now() - interval '2 years' and now() + interval '2 years' then
        raise exception 'No partition may be created for % to %', first, until;
    elsif exists (select from partitions_of(parent) as other where other.first < create_partition.until
                     and create_partition.first < other.until) then
        return false;
    end if;
    execute format('create table %I (like %I including defaults including constraints including storage '
                   'including compression) with (fillfactor = %s)', part, parent, spec.fillfactor);
    -- Rows of the time that arrived before its partition.
    execute format('with moved as (delete from %1$I where %2$I >= %3$L and %2$I < %4$L returning *) '
                   'insert into %5$I select * from moved', parent || '_other', spec.key, lower, upper, part);
    if spec.kind = 'call' then
        -- The key of the table would have to contain the partition key.
        execute format('alter table %I add primary key (id)', part);
    end if;
    call close_partition(part::regclass, format('Partition of %s: %s.', parent,
                         case when until = first + 1 then first::text else to_char(first, 'YYYY-MM') end));
    execute format('alter table %I attach partition %I for values from (%L) to (%L)', parent, part, lower, upper);
    return true;
end $$;
comment on function create_partition(text, date, date) is
    'Creates the partition of a table from a day up to another one, for a month or a day; false if there is one. It fails '
    'rather than waits for a lock for long.';

create or replace function create_partition(parent text, month date) returns boolean
language sql security definer set search_path = public, pg_temp as $$
    select create_partition(parent, month, (month + interval '1 month')::date)
$$;

-- The rows are read here, while others are written. The steps after it lock the tables and read no rows.
alter table webhook_delivery validate constraint first_partition;
alter table webhook_attempt validate constraint first_partition;

-- The tables so far become the first partitions, with all their indexes.
do $$
declare
    spec record;
    index regclass;
    bound text;
    last date;
    part text;
begin
    for spec in select * from partition_specs() where kind = 'call' loop
        bound := (select substring(pg_get_constraintdef(oid) from '[0-9a-f]{8}-[0-9a-f-]{27}') from pg_constraint
                   where conname = 'first_partition' and conrelid = spec.name::regclass);
        last := month_of(bound::uuid) - 1;
        part := spec.name || to_char(last, '_YYYY_MM');
        execute format('alter table %I rename to %I', spec.name, part);
        for index in select indexrelid from pg_index where indrelid = part::regclass loop
            execute format('alter index %s rename to %I', index, replace(index::text, spec.name, part));
        end loop;
        execute format('create table %I (like %I including defaults including constraints including comments '
                       'including storage) partition by range (%I)', spec.name, part, spec.key);
        execute format('alter table %I drop constraint first_partition', spec.name);
        execute format('comment on table %I is %L', spec.name, obj_description(part::regclass, 'pg_class'));
        execute format('drop policy readable on %I', part);
        execute format('revoke all on %I from mailroom_read', part);
        call close_partition(part::regclass, format('Partition of %s: up to %s.', spec.name, to_char(last, 'YYYY-MM')));
        call secure(spec.name::regclass);
        if spec.name = 'webhook_delivery' then
            execute format('drop trigger webhook_delivery_added on %I', part);
            execute format('drop trigger webhook_delivery_removed on %I', part);
            alter table webhook_delivery add unique (account_id, endpoint_id, event_id);
            create index webhook_delivery_endpoint on webhook_delivery (endpoint_id, created_at, id);
            create index webhook_delivery_due on webhook_delivery (endpoint_id, due_at, id) where status = 'pending';
            create index webhook_delivery_requested on webhook_delivery (endpoint_id, due_at, id)
                where status = 'pending' and requested;
        else
            create index webhook_attempt_delivery on webhook_attempt (delivery_id, id);
        end if;
        execute format('alter table %I attach partition %I for values from (minvalue) to (%L)', spec.name, part, bound);
        execute format('alter table %I drop constraint first_partition', part);
        part := spec.name || '_other';
        execute format('create table %I partition of %I (primary key (id)) default with (fillfactor = %s)', part, spec.name,
                       spec.fillfactor);
        call close_partition(part::regclass, format('Partition of %s: rows outside of the others.', spec.name));
        -- create_partition takes rows of a new month or day from here.
        execute format('create policy owner on %I to current_user using (true) with check (true)', part);
    end loop;
end $$;

-- Few rows: an endpoint has one for each slot.
alter table webhook_delivery_count add column period date not null default '-infinity';
alter table webhook_delivery_count drop constraint webhook_delivery_count_pkey, add primary key (endpoint_id, period, slot);
create index webhook_delivery_count_period on webhook_delivery_count (period);
create index webhook_delivery_count_slots on webhook_delivery_count (period) where slot <> 0;
comment on column webhook_delivery_count.period is
    'As period_of returns it for the event; -infinity for calls that were queued before they were counted by period.';

-- As mailroom_system: the owner sees no rows.
create function in_use_from(lower uuid) returns boolean
language plpgsql security definer set search_path = public, pg_temp as $$
declare
    spec record;
    used boolean;
begin
    for spec in select * from partition_specs() loop
        execute format('select exists (select from %I where %I >= $1 and tableoid <> %L::regclass)', spec.name, spec.key,
                       spec.name || '_other') into used using lower;
        if used then
            return true;
        end if;
    end loop;
    return false;
end $$;
comment on function in_use_from(uuid) is 'Whether partitions have rows from an id on, apart from those outside of all others.';

create function recount_from(lower uuid) returns void
language sql security definer set search_path = public, pg_temp as $$
    insert into email_count as counted (account_id, domain_id, status, month, slot, count)
    select account_id, domain_id, status, period, 0, sum(difference)
      from (select account_id, domain_id, status, 1 as difference, period_of(id) as period from email where id >= lower
             union all
            select account_id, domain_id, status, -1, month_of(id) from email where id >= lower) as change
     group by 1, 2, 3, 4 having sum(difference) <> 0 order by 1, 2, 3, 4
    on conflict (account_id, domain_id, status, month, slot) do update set count = counted.count + excluded.count;
    insert into webhook_delivery_count as counted (endpoint_id, period, slot, account_id, count)
    select endpoint_id, period, 0, account_id, sum(difference)
      from (select endpoint_id, account_id, 1 as difference, period_of(event_id) as period from webhook_delivery
             where event_id >= lower
             union all
            select endpoint_id, account_id, -1, month_of(event_id) from webhook_delivery where event_id >= lower) as change
     group by 1, 2, 4 having sum(difference) <> 0 order by 1, 2
    on conflict (endpoint_id, period, slot) do update set count = counted.count + excluded.count
$$;
comment on function recount_from(uuid) is 'Moves the counts of rows from an id on from their months to their days.';

create function partition_by_day(month date) returns boolean
language plpgsql security definer set search_path = public, pg_temp set lock_timeout = '100ms' as $$
declare
    part regclass;
begin
    if month <> date_trunc('month', month) or month <= now() at time zone 'UTC' + interval '1 day' then
        raise exception 'The month % may have begun', month;
    elsif days_from() <= first_of(month) then
        return false;
    end if;
    lock table only delivery, only email, only email_content, only attachment, only delivery_attempt, only email_trouble,
        only event, only webhook_delivery, only webhook_attempt in access exclusive mode;
    if in_use_from(first_of(month)) then
        return false;
    end if;
    for part in select existing.part from partition_specs() cross join lateral partitions_of(name) as existing
                 where first >= month loop
        execute format('drop table %s', part);
    end loop;
    execute format('create or replace function days_from() returns uuid language sql stable parallel safe as %L',
                   format('select %L::uuid', first_of(month)));
    perform recount_from(first_of(month));
    return true;
end $$;
comment on function partition_by_day(date) is
    'Removes the empty partitions of a later month and of those after it, which get partitions by day instead; false if it '
    'did so for an earlier month or if one has rows. It fails rather than waits for a lock for long.';

create function removable(until date, kind text) returns boolean
language sql stable security definer set search_path = public, pg_temp as $$
    select case when kind = 'call' then
               not exists (select from webhook_delivery where event_id < first_of(until) and status = 'pending')
               -- Calls that are older than their event, by a difference of the clocks.
               and not exists (select from webhook_delivery where event_id >= first_of(until) and id < first_of(until))
           else
               -- The id of a delivery is created with its mail, within a day.
               not exists (select from queue where id < first_of(until + 1))
               and not exists (select from email_content where email_id < first_of(until) and outside is not null)
               and (kind = 'content'
                    or not exists (select from event where email_id < first_of(until) and id >= first_of(until))) end
$$;
comment on function removable(date, text) is
    'Whether no mail up to a day waits in the queue, has content in the bucket or, unless only its content is removed, has '
    'later events; whether no webhook call of an event up to a day waits.';

create function remove_call_counts(first date, until date) returns void
language sql security definer set search_path = public, pg_temp as $$
    delete from webhook_delivery_count where period >= first and period < until
$$;
comment on function remove_call_counts(date, date) is 'Removes the counts of webhook calls from a day up to another one.';

create function drop_partitions(until date, kind text) returns boolean
language plpgsql security definer set search_path = public, pg_temp set lock_timeout = '50ms' as $$
declare
    parts regclass[];
    counted date;
    spec record;
begin
    if until > now() at time zone 'UTC' then
        raise exception 'The time up to % has not ended', until;
    end if;
    select array_agg(part), min(first) filter (where name in ('email', 'webhook_delivery'))
      into parts, counted
      from partition_specs() as specs cross join lateral partitions_of(name) as existing
     where existing.until = drop_partitions.until
       and (specs.kind = drop_partitions.kind or specs.kind = 'content' and drop_partitions.kind = 'mail');
    if parts is null then
        return false;
    end if;
    -- It delays no mail, and PostgreSQL ends a vacuum of rows that is in its way, after deadlock_timeout (1 s).
    perform set_config('lock_timeout', '5s', true);
    execute 'lock table only ' || array_to_string(parts, ', only ') || ' in share update exclusive mode';
    perform set_config('lock_timeout', '50ms', true);
    for spec in select name from partition_specs() as specs
                 where specs.kind = drop_partitions.kind or specs.kind = 'content' and drop_partitions.kind = 'mail' loop
        execute format('lock table only %I in access exclusive mode', spec.name);
    end loop;
    -- From here no transaction that wrote into these tables is open.
    if not removable(until, kind) then
        return false;
    elsif kind = 'mail' and counted is not null then
        perform remove_month_counts(counted - 1, until - 1);
    elsif kind = 'call' and counted is not null then
        perform remove_call_counts(counted, until);
    end if;
    execute 'drop table ' || array_to_string(parts, ', ');
    return true;
end $$;
comment on function drop_partitions(date, text) is
    'Drops the partitions of a kind that end with a day that has passed, and what is counted of their rows; false if there '
    'are none or if they are not removable. It fails rather than waits for a lock for long.';

create or replace function drop_partitions(month date, content_only boolean) returns boolean
language sql security definer set search_path = public, pg_temp as $$
    select drop_partitions((month + interval '1 month')::date, case when content_only then 'content' else 'mail' end)
$$;

create or replace function stray_tables() returns text[]
language plpgsql security definer set search_path = public, pg_temp as $$
declare
    parent text;
    stray boolean;
    strays text[] = '{}';
begin
    for parent in select name from partition_specs() loop
        execute format('select exists (select from %I)', parent || '_other') into stray;
        strays = strays || case when stray then array[parent] else '{}' end;
    end loop;
    return strays;
end $$;

-- As before, by period.
create or replace function email_written() returns trigger language plpgsql as $$
declare
    own constant smallint := email_count_slot();
begin
    if tg_op = 'INSERT' then
        insert into email_count as counted (account_id, domain_id, status, month, slot, count)
        select account_id, domain_id, status, period_of(id), own, count(*) from added
         group by 1, 2, 3, 4 order by 1, 2, 3, 4
        on conflict (account_id, domain_id, status, month, slot) do update set count = counted.count + excluded.count;
        insert into email_trouble (id, account_id, domain_id, status, created_at)
        select id, account_id, domain_id, status, created_at from added
         where status in ('bounced', 'complained', 'failed');
    elsif tg_op = 'UPDATE' then
        insert into email_count as counted (account_id, domain_id, status, month, slot, count)
        select account_id, domain_id, status, period_of(id), own, sum(difference)
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
        select account_id, domain_id, status, period_of(id), own, -count(*) from removed
         group by 1, 2, 3, 4 order by 1, 2, 3, 4
        on conflict (account_id, domain_id, status, month, slot) do update set count = counted.count + excluded.count;
        delete from email_trouble using removed where email_trouble.id = removed.id;
        delete from email_anchor using removed where email_anchor.account_id = removed.account_id;
    end if;
    return null;
end $$;
comment on column email_count.month is 'First day of the time that the mail is counted in, as period_of returns it.';

create or replace function webhook_delivery_written() returns trigger language plpgsql as $$
begin
    if tg_op = 'INSERT' then
        if exists (select from added) then
            insert into webhook_delivery_count as counted (endpoint_id, period, slot, account_id, count)
            select endpoint_id, period_of(event_id), email_count_slot(), account_id, count(*) from added group by 1, 2, 4
             order by 1, 2
            on conflict (endpoint_id, period, slot) do update set count = counted.count + excluded.count;
        end if;
    elsif exists (select from removed) then
        insert into webhook_delivery_count as counted (endpoint_id, period, slot, account_id, count)
        select endpoint_id, period_of(event_id), email_count_slot(), account_id, -count(*) from removed group by 1, 2, 4
         order by 1, 2
        on conflict (endpoint_id, period, slot) do update set count = counted.count + excluded.count;
    end if;
    return null;
end $$;

-- The apps' role owns no table: it creates and drops partitions through these functions only, as mailroom_system.
revoke all on function create_partition(text, date, date), drop_partitions(date, text), partition_by_day(date),
    in_use_from(uuid), recount_from(uuid), removable(date, text), remove_call_counts(date, date) from public;
grant execute on function create_partition(text, date, date), drop_partitions(date, text), partition_by_day(date)
    to mailroom_system;
grant create on schema public to mailroom_system;
alter function in_use_from(uuid) owner to mailroom_system;
alter function recount_from(uuid) owner to mailroom_system;
alter function removable(date, text) owner to mailroom_system;
alter function remove_call_counts(date, date) owner to mailroom_system;
revoke create on schema public from mailroom_system;
do $$
declare
    owner constant text := current_user;
begin
    set local role mailroom_system;
    execute format('grant execute on function in_use_from(uuid), recount_from(uuid), removable(date, text), '
                   'remove_call_counts(date, date) to %I', owner);
    execute format('set local role %I', owner);
end $$;

call readable('webhook_delivery', 'id, account_id, endpoint_id, event_id, kind, due_at, attempt, status, last_status, '
    'created_at, settled_at');
call readable('webhook_attempt', 'id, account_id, delivery_id, status, error, took_ms, attempted_at');
-- Triggers: the number equals a count of the calls, whoever writes them.
create trigger webhook_delivery_added after insert on webhook_delivery
    referencing new table as added for each statement execute function webhook_delivery_written();
create trigger webhook_delivery_removed after delete on webhook_delivery
    referencing old table as removed for each statement execute function webhook_delivery_written();
do $$
begin
    perform create_partition(parent, first, until) from missing_partitions(false, (now() at time zone 'UTC')::date);
end $$;
