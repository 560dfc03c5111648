-- Deletion of accounts. Written by the owners and operators who ask for it, and by the job that erases the rows.

create table account_deletion (
    account_id     uuid primary key references account on delete cascade,
    delete_at      timestamptz not null,
    paused_reason  text,
    paused_at      timestamptz,
    people         uuid[] not null default '{}',
    begun_at       timestamptz,
    erased         text[] not null default '{}',
    created_at     timestamptz not null default now()
);
comment on table account_deletion is
    'Accounts that will be deleted. The row goes with its account, or when the deletion is cancelled.';
comment on column account_deletion.delete_at is 'When the erasure begins; until then the deletion can be cancelled.';
comment on column account_deletion.paused_reason is
    'As in account, before the deletion was asked for; also paused_at. A cancelled deletion restores it.';
comment on column account_deletion.people is 'The account and the people who signed in to it, once the erasure has begun.';
comment on column account_deletion.begun_at is
    'When its people and keys lost access and the erasure began; null before.';
comment on column account_deletion.erased is 'Tables that had no rows of the account when they were looked at.';
call secure('account_deletion');
call readable('account_deletion', 'account_id, delete_at, begun_at, erased, created_at');

create function ask_deletion(tenant uuid, delay interval) returns boolean language plpgsql as $$
declare
    asked record;
begin
    select paused_reason, paused_at into asked from account
     where id = tenant and role = 'tenant' for update;
    if not found or asked.paused_reason like '%moved to the cell %' then
        return false;
    end if;
    insert into account_deletion (account_id, delete_at, paused_reason, paused_at)
    values (tenant, now() + delay, asked.paused_reason, asked.paused_at) on conflict do nothing;
    if not found then
        return false;
    end if;
    update account
       set paused_reason = 'the account will be deleted on '
                           || to_char((now() + delay) at time zone 'UTC', 'FMDD FMMonth YYYY, HH24:MI "UTC"'),
           paused_at = coalesce(asked.paused_at, now()), pause_notice = false
     where id = tenant;
    return true;
end $$;
comment on function ask_deletion(uuid, interval) is
    'Pauses an account until its deletion after some time. False if that was done before, and for accounts that are being '
    'moved, have been moved, or are no tenant''s.';

create function cancel_deletion(tenant uuid) returns boolean language plpgsql as $$
declare
    former record;
begin
    delete from account_deletion where account_id = tenant and begun_at is null returning paused_reason, paused_at into former;
    if not found then
        return false;
    end if;
    update account set paused_reason = former.paused_reason, paused_at = former.paused_at where id = tenant;
    return true;
end $$;
comment on function cancel_deletion(uuid) is 'Ends ask_deletion; false if there is none or the erasure has begun.';

create function begin_erasure(tenant uuid) returns boolean language plpgsql as $$
declare
    gone constant uuid[] := account_people(tenant);
    person uuid;
begin
    -- A move copied the row: the other cell erases the account, if it still shall be deleted.
    delete from account_deletion
     where account_id = tenant
       and exists (select from account_move where account_id = tenant and phase in ('moved', 'left'));
    update account_deletion set begun_at = now(), people = gone
     where account_id = tenant and begun_at is null and delete_at <= now()
       and not exists (select from account_move
                        where account_id = tenant and phase in ('copying', 'following', 'stopped'));
    if not found then
        return false;
    end if;
    foreach person in array gone loop
        perform close_second_registrations(person);
    end loop;
    delete from api_key where account_id = tenant;
    delete from device_sign_in where account_id = tenant;
    delete from invitation where account_id = tenant;
    delete from session where account_id = any(gone);
    delete from one_time_token where account_id = any(gone);
    delete from sign_in_challenge where account_id = any(gone);
    delete from identity where account_id = any(gone);
    delete from member where account_id = tenant;
    delete from tracking_domain where account_id = tenant;
    -- Other accounts may verify the names from here on, and no mail arrives.
    update domain set status = 'pending', recheck_at = null, notice = null where account_id = tenant;
    update account
       set email = '', email_key = 'deleted:' || id, name = '', password_hash = null, email_verified_at = null,
           paused_reason = coalesce(paused_reason, 'the account is deleted'), paused_at = coalesce(paused_at, now())
     where id = any(gone);
    return true;
end $$;
comment on function begin_erasure(uuid) is
    'Takes all access from the people and keys of an account whose deletion is due, and frees its names.';

create function erased_tables(out name text, out found_by text) returns setof record language sql stable as $$
    -- From the policies, so that no table is forgotten.
    with secured as (
        select oid, relname::text as name from pg_class
         where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition
           and exists (select from pg_policy where polrelid = pg_class.oid and polname = 'own_account')
           and relname not in ('account', 'account_deletion', 'blob_loose')),
    indexed as (
        select secured.oid, attname::text as name, attnotnull as required
          from secured join pg_index on indrelid = secured.oid and indpred is null and indisvalid
          join pg_attribute on attrelid = secured.oid and attnum = indkey[0])
    select found.name, found.found_by
      from (select secured.name, place,
                   case when secured.name in ('attachment', 'email_content', 'delivery', 'queue', 'webhook_attempt') then null
                        when exists (select from indexed where oid = secured.oid and indexed.name = 'account_id')
                        then 'account_id'
                        else coalesce(
                            (select indexed.name from indexed
                              where oid = secured.oid and required
                                and indexed.name in ('campaign_id', 'contact_book_id', 'domain_id') limit 1),
                            case when not exists (
                                     select from pg_constraint join secured as parent on parent.oid = confrelid
                                      where conrelid = secured.oid and contype = 'f' and confdeltype = 'c'
                                        and confrelid <> conrelid)
                                 then 'account_id' end) end as found_by
              from secured
              left join copied_tables() with ordinality as copied(name, o, k, u, c, a, l, place) using (name)) as found
     -- Rows that are found by others precede them.
     order by found.found_by = 'account_id', place desc nulls last, found.name
$$;
comment on function erased_tables() is
    'Tables with rows of accounts in the order of their erasure, and the column by which rows of an account are found: its '
    'own, or the id of a row that has them. Null for rows that go with those they belong to. Small tables have no index for it.';

create function erase_step(tenant uuid, most int) returns bigint
language plpgsql security definer
set search_path = public, pg_temp set lock_timeout = '2s'
set enable_seqscan = off set enable_bitmapscan = off set enable_hashjoin = off set enable_mergejoin = off as $$
declare
    gone uuid[];
    done text[];
    ids uuid[];
    spec record;
    leaf regclass;
    removed bigint;
begin
    -- The policies let the owner of the tables, too, see the rows of these accounts only.
    perform set_config('app.account_ids', array[tenant]::text, true);
    select people, erased into gone, done from account_deletion
     where account_id = tenant and begun_at is not null for update skip locked;
    if not found then
        return 0;
    end if;
    perform set_config('app.account_ids', gone::text, true);
    ids := array(select id from email where account_id = tenant order by created_at desc limit least(most, 200));
    if cardinality(ids) > 0 then
        ids := array(select id from unnest(ids) as id order by id);
        insert into blob_loose (account_id, owner_id, part, due_at)
        select account_id, email_id, unnest(outside), now() from email_content
         where email_id = any(ids) and email_id between ids[1] and ids[cardinality(ids)] and outside is not null
        on conflict (account_id, owner_id, part) do update set due_at = excluded.due_at;
        delete from queue where id in (
            select id from delivery where email_id = any(ids) and email_id between ids[1] and ids[cardinality(ids)]);
        delete from delivery where email_id = any(ids) and email_id between ids[1] and ids[cardinality(ids)];
        delete from attachment where email_id = any(ids) and email_id between ids[1] and ids[cardinality(ids)];
        delete from email_content where email_id = any(ids) and email_id between ids[1] and ids[cardinality(ids)];
        delete from email where id = any(ids) and id between ids[1] and ids[cardinality(ids)];
        return cardinality(ids);
    end if;
    ids := array(select id from webhook_delivery where account_id = tenant limit most);
    if cardinality(ids) > 0 then
        delete from webhook_attempt where delivery_id = any(ids);
        delete from webhook_delivery where id = any(ids);
        return cardinality(ids);
    end if;
    ids := array(select id from inbound_email where account_id = tenant limit least(most, 200));
    if cardinality(ids) > 0 then
        insert into blob_loose (account_id, owner_id, part, due_at)
        select account_id, inbound_email_id, unnest(outside), now() from inbound_content
         where inbound_email_id = any(ids) and outside is not null
        on conflict (account_id, owner_id, part) do update set due_at = excluded.due_at;
        delete from inbound_email where id = any(ids);
        return cardinality(ids);
    end if;
    for spec in select * from erased_tables() where found_by is not null and name <> all(done) loop
        for leaf in
            select coalesce(inhrelid, pg_class.oid)::regclass
              from pg_class left join pg_inherits on inhparent = pg_class.oid
             where pg_class.oid = format('public.%I', spec.name)::regclass
        loop
            execute format('delete from %1$s where ctid = any (array(select ctid from %1$s where %2$I = any (%3$s) limit %4$s))',
                           leaf, spec.found_by,
                           case when spec.found_by = 'account_id' then '$1'
                                else format('array(select id from %I where account_id = any ($1))',
                                            left(spec.found_by, -length('_id'))) end,
                           most)
              using gone;
            get diagnostics removed = row_count;
            if removed > 0 then
                return removed;
            end if;
        end loop;
        update account_deletion set erased = erased || spec.name where account_id = tenant;
    end loop;
    return 0;
end $$;
comment on function erase_step(uuid, int) is
    'Removes some rows of an account whose erasure has begun, at most so many of one table with the rows that belong to them; '
    'returns their number, 0 if none is left.';
revoke all on function erase_step(uuid, int) from public;
grant execute on function erase_step(uuid, int) to mailroom_system;

create function finish_erasure(tenant uuid, record_id uuid) returns boolean language plpgsql as $$
declare
    deletion record;
    spec record;
    late boolean;
begin
    select people, created_at, begun_at into deletion from account_deletion
     where account_id = tenant and begun_at is not null for update;
    if not found or exists (select from blob_loose where account_id = any(deletion.people)) then
        return false;
    end if;
    for spec in select name from erased_tables() where found_by = 'account_id' loop
        execute format('select exists (select from %I where account_id = any ($1))', spec.name) into late using deletion.people;
        if late then
            -- Of a request that was under way.
            update account_deletion set erased = '{}' where account_id = tenant;
            return false;
        end if;
    end loop;
    delete from account where id = any(deletion.people);
    insert into audit (id, account_id, actor_id, actor_kind, act, target, details)
    select record_id, null, coalesce((select id from account where role = 'platform' limit 1), tenant), 'operator',
           'account.erased', tenant::text,
           jsonb_build_object('asked_at', deletion.created_at, 'began_at', deletion.begun_at);
    return true;
end $$;
comment on function finish_erasure(uuid, uuid) is
    'Deletes an account and its people if nothing else of them is left, also in the bucket, and records that without personal '
    'data; false if something is left.';
