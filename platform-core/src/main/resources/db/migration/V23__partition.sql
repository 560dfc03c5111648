-- Mails, deliveries, attempts and events in monthly partitions, by the time in their UUIDv7: the functions that create and
-- drop partitions, and the first partitions. month_of() is created with the counters of mails.

create function first_id(at timestamptz) returns uuid language sql immutable strict parallel safe as $$
    select (lpad(to_hex((extract(epoch from at) * 1000)::bigint), 12, '0') || repeat('0', 20))::uuid
$$;
comment on function first_id(timestamptz) is 'The smallest UUIDv7 of a time (RFC 9562 5.7).';

create function partition_bounds(month date, out lower uuid, out upper uuid) language sql immutable strict parallel safe as $$
    select first_id(month::timestamp at time zone 'UTC'), first_id((month + interval '1 month') at time zone 'UTC')
$$;
comment on function partition_bounds(date) is 'The ids of a month: from lower up to, and without, upper.';

create function partitioned_tables(out name text, out key text, out fillfactor int) returns setof record
language sql immutable parallel safe as $$
    -- All rows of a page are updated soon after each other: only half a page of space keeps their updates HOT.
    values ('email', 'id', 45), ('email_content', 'email_id', 100), ('attachment', 'email_id', 100),
           ('delivery', 'email_id', 45), ('delivery_attempt', 'email_id', 100), ('email_trouble', 'id', 100),
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

-- The first partition of each table is that of this month and of all earlier ones, so that any mail has a place; the default
-- one takes rows outside of all months. Three months are created ahead.
do $$
declare
    month constant date := date_trunc('month', now() at time zone 'UTC');
    upper constant uuid := (select bounds.upper from partition_bounds(month) as bounds);
    spec record;
    part text;
begin
    for spec in select * from partitioned_tables() loop
        part := spec.name || to_char(month, '_YYYY_MM');
        execute format('create table %I partition of %I for values from (minvalue) to (%L) with (fillfactor = %s)',
                       part, spec.name, upper, spec.fillfactor);
        call close_partition(part::regclass, format('Partition of %s: up to %s.', spec.name, to_char(month, 'YYYY-MM')));
        part := spec.name || '_other';
        execute format('create table %I partition of %I default with (fillfactor = %s)', part, spec.name, spec.fillfactor);
        call close_partition(part::regclass, format('Partition of %s: rows outside of the others.', spec.name));
        -- create_partition takes rows of a new month from here.
        execute format('create policy owner on %I to current_user using (true) with check (true)', part);
        for ahead in 1 .. 3 loop
            perform create_partition(spec.name, (month + ahead * interval '1 month')::date);
        end loop;
    end loop;
end $$;
