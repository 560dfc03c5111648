-- Moves of accounts between cells. Written by the program that moves an account, and by the triggers that it creates on the
-- tables of the account's cell while a move is under way. No trigger exists otherwise.

create table account_move (
    account_id     uuid primary key,
    cell           text not null,
    phase          text not null check (phase in ('copying', 'following', 'stopped', 'moved', 'left', 'arrived')),
    followed       uuid[] not null default '{}',
    copied         text[] not null default '{}',
    event_offset   bigint not null default 0,
    event_limit    bigint not null default 0,
    domains        text[] not null default '{}',
    paused_reason  text,
    paused_at      timestamptz,
    began_at       timestamptz not null default now(),
    stopped_at     timestamptz,
    moved_at       timestamptz
);
comment on table account_move is
    'Moves of accounts to and from other cells. A row of a move stays, so that a program that is started again continues it.';
comment on column account_move.cell is 'The other cell.';
comment on column account_move.phase is
    'In the old cell: copying; following (all tables are copied, changes follow); stopped (neither accepted nor sent); moved; '
    'left (only wishes of recipients follow). In the new one: arrived, from the commit that moves the account.';
comment on column account_move.followed is 'The account and its people when the move began.';
comment on column account_move.copied is 'Tables that are copied.';
comment on column account_move.domains is
    'Domains that received mail in the old cell: it lets senders try again until their MX records lead to the new one.';
comment on column account_move.event_offset is
    'What event.transaction_id is reduced by in the new cell, so that the order of the event feed stays and new events follow; '
    'at most event_limit.';
comment on column account_move.paused_reason is 'As in account, before the move stopped it; also paused_at.';
call secure('account_move');
call readable('account_move', 'account_id, cell, phase, copied, began_at, stopped_at, moved_at');

create table account_change (
    id          bigint generated always as identity primary key,
    account_id  uuid not null,
    name        text not null,
    key         jsonb not null
);
comment on table account_change is
    'Rows of an account that is being moved that were changed after they were copied. Deleted once the change is copied.';
comment on column account_change.account_id is 'The account that is being moved.';
comment on column account_change.name is 'The table.';
comment on column account_change.key is 'Key of the row, as copied_tables() names it.';
call secure('account_change');

create function receives_here(wanted text) returns table (account_id uuid, domain_id uuid, moved boolean)
language plpgsql stable as $$
begin
    return query select receiving.account_id, receiving.domain_id, false from domain_that_receives(wanted) as receiving;
    if not found then
        return query select move.account_id, null::uuid, true from account_move as move
                      where move.phase in ('moved', 'left') and wanted = any (move.domains);
    end if;
end $$;
comment on function receives_here(text) is
    'The verified domain of this name and its account, for RCPT TO; without a domain if the account was moved.';
call sees_every_account('receives_here(text)');

create function account_people(account uuid) returns uuid[] language sql stable as $$
    select array(select id from account as own where id = account_people.account
                  union select person_id from member where account_id = account_people.account order by 1)
$$;
comment on function account_people(uuid) is 'The account and the people who sign in to it.';

create function copied_tables(
    out name text, out owner text, out key text[], out unique_key boolean, out columns text[], out ahead boolean,
    out log boolean)
returns setof record language sql stable as $$
    -- From the policies, so that no table is forgotten. Triggers of the new cell write three tables; the anchors are a cache.
    with recursive secured as (
        select oid, relname::text as name, relkind,
               case relname when 'account' then 'id' else 'account_id' end as owner
          from pg_class
         where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition
           and exists (select from pg_policy where polrelid = pg_class.oid and polname = 'own_account')
           and relname not in ('account_move', 'account_change', 'email_count', 'email_trouble', 'webhook_delivery_count',
                               'email_anchor')),
    depth as (
        select oid, 0 as level from secured
         union
        select child.oid, depth.level + 1
          from depth join pg_constraint on confrelid = depth.oid and contype = 'f' and conrelid <> confrelid
          join secured as child on child.oid = conrelid),
    -- The primary key or, without one, a unique key or that of the partitions with the partition key.
    keyed as (
        select secured.oid, coalesce(own.indrelid is not null, false) as unique_key,
               coalesce(own.indkey, part.indkey::int2[] || pg_partitioned_table.partattrs::int2[]) as attributes
          from secured
          left join lateral (
              select indrelid, indkey::int2[] as indkey from pg_index
               where indrelid = secured.oid and indisunique and indpred is null and indexprs is null
               order by indisprimary desc limit 1) as own on true
          left join lateral (
              select pg_index.indkey from pg_inherits join pg_index on indrelid = inhrelid
               where inhparent = secured.oid and indisprimary limit 1) as part on true
          left join pg_partitioned_table on partrelid = secured.oid)
    select secured.name, secured.owner,
           array(select attname::text from unnest(keyed.attributes) with ordinality as number(attribute, place)
                   join pg_attribute on attrelid = secured.oid and attnum = attribute
                  group by attname order by min(place)),
           keyed.unique_key,
           array(select attname::text from pg_attribute
                  where attrelid = secured.oid and attnum > 0 and not attisdropped order by attname),
           -- Nothing acts on their rows: they are copied while the account still works in the old cell.
           secured.name in ('contact_book', 'contact', 'former_contact', 'suppression', 'email', 'email_content', 'attachment',
                            'delivery', 'delivery_attempt', 'event', 'idempotency_key', 'tracked_link', 'campaign_recipient',
                            'campaign_link_person', 'inbound_email', 'inbound_content', 'inbound_attachment', 'image',
                            'webhook_delivery', 'webhook_attempt', 'dead_letter', 'unexplained_refusal'),
           not has_table_privilege('mailroom_system', secured.oid, 'delete')
      from secured join keyed using (oid)
     order by (select max(level) from depth where depth.oid = secured.oid), secured.name
$$;
comment on function copied_tables() is
    'Tables of an account in the order in which their rows can be inserted: the column of the account, the key, whether it is '
    'unique, the columns, whether the table is copied before the account is stopped, and whether the apps only add rows.';

create function note_change() returns trigger language plpgsql as $$
declare
    moved constant uuid := tg_argv[0];
    changed record;
    key jsonb;
begin
    -- Waits while the move reads the last changes.
    perform pg_advisory_xact_lock_shared(322, hashtext(moved::text));
    if exists (select from account_move where account_id = moved and phase = 'moved') then
        raise exception 'The account % has been moved to another cell', moved using errcode = 'lock_not_available';
    end if;
    if tg_nargs = 1 then
        return null;
    end if;
    if tg_op = 'DELETE' then
        changed := old;
    else
        changed := new;
    end if;
    -- The first branches spare the conversion of large rows. A branch is parsed when it is used.
    if tg_argv[1] = 'id' then
        key := jsonb_build_object('id', changed.id);
    elsif tg_argv[1] = 'email_id' then
        key := jsonb_build_object('email_id', changed.email_id);
    elsif tg_argv[1] = 'email_id,position' then
        key := jsonb_build_object('email_id', changed.email_id, 'position', changed.position);
    elsif tg_argv[1] = 'id,email_id' then
        key := jsonb_build_object('id', changed.id, 'email_id', changed.email_id);
    else
        key := (select jsonb_object_agg(name, to_jsonb(changed) -> name) from unnest(string_to_array(tg_argv[1], ',')) as name);
    end if;
    insert into account_change (account_id, name, key) values (moved, tg_argv[2], key);
    return null;
end $$;
comment on function note_change() is
    'Records a change of a row of an account that is being moved. After the move it refuses the change, with the error of a '
    'lock that is not free, which refuses the request alone.';
call sees_every_account('note_change()');

-- As the owner of the tables. It locks one table a call, for a moment.
create function follow_table(account uuid, people uuid[], name text, ahead boolean, key text[], owner_column text)
returns void
language plpgsql security definer set search_path = public, pg_temp set lock_timeout = '100ms' as $$
declare
    suffix constant text := replace(account::text, '-', '');
begin
    if not exists (select from pg_trigger where tgrelid = format('%I', name)::regclass and tgname = 'moving_' || suffix) then
        execute format('create trigger %I after insert or update on %I for each row when (new.%I = any (%L::uuid[])) '
                       'execute function note_change(%s)', 'moving_' || suffix, name, owner_column, people,
                       case when ahead then format('%L, %L, %L', account, array_to_string(key, ','), name)
                            else format('%L', account) end);
        execute format('create trigger %I after delete on %I for each row when (old.%I = any (%L::uuid[])) '
                       'execute function note_change(%s)', 'moving_away_' || suffix, name, owner_column, people,
                       case when ahead then format('%L, %L, %L', account, array_to_string(key, ','), name)
                            else format('%L', account) end);
    end if;
end $$;
comment on function follow_table(uuid, uuid[], text, boolean, text[], text) is
    'Creates the triggers of a move on a table. It fails rather than waits for a lock for long.';

create function unfollow_table(account uuid, name text) returns void
language plpgsql security definer set search_path = public, pg_temp set lock_timeout = '100ms' as $$
declare
    suffix constant text := replace(account::text, '-', '');
begin
    if exists (select from pg_trigger where tgrelid = format('%I', name)::regclass and tgname = 'moving_' || suffix) then
        execute format('drop trigger %I on %I', 'moving_' || suffix, name);
        execute format('drop trigger %I on %I', 'moving_away_' || suffix, name);
    end if;
end $$;
comment on function unfollow_table(uuid, text) is
    'Removes the triggers of a move from a table. It fails rather than waits for a lock for long.';

create function note_late_change() returns trigger language plpgsql as $$
begin
    insert into account_change (account_id, name, key) values (new.account_id, tg_table_name, jsonb_build_object('id', new.id));
    return null;
end $$;
comment on function note_late_change() is 'Records what the recipients of old mails want, for the cell to which the account was moved.';
call sees_every_account('note_late_change()');

create function follow_late(account uuid, wanted boolean) returns void
language plpgsql security definer set search_path = public, pg_temp set lock_timeout = '100ms' as $$
declare
    late constant text := 'moved_' || replace(account::text, '-', '');
begin
    execute format('drop trigger if exists %I on contact', late);
    execute format('drop trigger if exists %I on suppression', late);
    if wanted then
        execute format('create trigger %I after update of subscribed on contact for each row '
                       'when (new.account_id = %L and old.subscribed and not new.subscribed) '
                       'execute function note_late_change()', late, account);
        execute format('create trigger %I after insert on suppression for each row when (new.account_id = %L) '
                       'execute function note_late_change()', late, account);
    end if;
end $$;
comment on function follow_late(uuid, boolean) is
    'Lets unsubscriptions and suppressed addresses follow an account that was moved, while the links and return paths of its '
    'old mails still lead here.';

create function late_changes(account uuid) returns jsonb language sql stable as $$
    select jsonb_agg(jsonb_build_object('unsubscribed', contact.id, 'address', suppression.address,
                                        'reason', suppression.reason))
      from account_change as change
      left join contact on change.name = 'contact' and contact.id = (change.key ->> 'id')::uuid
                        and contact.account_id = change.account_id
      left join suppression on change.name = 'suppression' and suppression.id = (change.key ->> 'id')::uuid
                            and suppression.account_id = change.account_id
     where change.account_id = late_changes.account
$$;
comment on function late_changes(uuid) is 'Unsubscriptions and suppressed addresses that follow an account, as take_late_changes reads them.';

create function take_late_changes(account uuid, changes jsonb) returns void language sql as $$
    update contact set subscribed = false, updated_at = now()
     where account_id = take_late_changes.account and subscribed
       and id in (select (late ->> 'unsubscribed')::uuid from jsonb_array_elements(changes) as late);
    insert into suppression (id, account_id, address, reason, created_at)
    select gen_random_uuid(), take_late_changes.account, late ->> 'address', late ->> 'reason', now()
      from jsonb_array_elements(changes) as late where late ->> 'address' is not null
    on conflict (account_id, address) do nothing
$$;
comment on function take_late_changes(uuid, jsonb) is 'Applies changes that follow an account to this cell.';

create function stop_account(account uuid) returns void language plpgsql as $$
begin
    update account_move as move
       set phase = 'stopped', stopped_at = clock_timestamp(), paused_reason = stopped.paused_reason, paused_at = stopped.paused_at
      from account as stopped
     where move.account_id = account and move.phase = 'following' and stopped.id = account;
    update account as stopped set paused_reason = 'being moved to the cell ' || move.cell, paused_at = now()
      from account_move as move where move.account_id = account and stopped.id = account;
end $$;
comment on function stop_account(uuid) is 'Stops the acceptance and the sending of mail of an account that is being moved.';

create function resume_account(account uuid) returns void language plpgsql as $$
begin
    update account as resumed set paused_reason = move.paused_reason, paused_at = move.paused_at
      from account_move as move where move.account_id = account and move.phase = 'stopped' and resumed.id = account;
    update webhook_state set lease_until = null where account_id = account and lease_until > now() + interval '12 hours';
    update account_move set phase = 'following', stopped_at = null where account_id = account and phase = 'stopped';
end $$;
comment on function resume_account(uuid) is 'Ends stop_account.';

create function account_is_idle(account uuid) returns boolean language plpgsql as $$
begin
    -- A lease of its own: no worker calls the endpoints, and results under the leases before are dropped.
    update webhook_state set lease_until = now() + interval '1 day', epoch = epoch + 1
     where account_id = account and (lease_until is null or lease_until < now());
    return not exists (select from queue where account_id = account and data_until is not null)
       and not exists (select from webhook_state
                        where account_id = account
                          and (coalesce(lease_until, now()) < now() + interval '12 hours' or subscribed_at is not null));
end $$;
comment on function account_is_idle(uuid) is
    'Takes the leases of the webhook endpoints of a stopped account that are free, and tells whether nothing is being sent.';

create function copied_row(account uuid, name text, column_name text, snapshots pg_snapshot[]) returns text
language sql stable as $$
    select case name || '.' || column_name
        -- Numbers of transactions mean nothing in the other cell.
        when 'event.transaction_id' then
            (select format('least(greatest(transaction_id::text::bigint - %s, 0), %s)::text::xid8', event_offset, event_limit)
               from account_move where account_id = copied_row.account)
        when 'contact.added_by' then format(
            '(3 + (select count(*) from unnest(%L::pg_snapshot[]) as snapshot where not pg_visible_in_snapshot('
            'coalesce(added_by, ''3''), snapshot)))::text::xid8', snapshots)
        when 'campaign.start_snapshot' then format(
            '(select format(''%%1$s:%%1$s:'', 4 + place - 1)::pg_snapshot from unnest(%L::pg_snapshot[]) with ordinality '
            'as known(snapshot, place) where snapshot::text = start_snapshot::text)', snapshots)
        when 'webhook_state.lease_until' then 'null::timestamptz'
        when 'webhook_state.caught_up_after' then 'null::xid8'
        when 'queue.epoch' then 'epoch + 1'
        when 'queue.held' then 'nullif(held, ''destination'')'
        when 'account.paused_reason' then
            'case when paused_reason like ''being moved to the cell %'' '
            'then (select move.paused_reason from account_move as move where move.account_id = account.id) '
            'else paused_reason end'
        when 'account.paused_at' then
            'case when paused_reason like ''being moved to the cell %'' '
            'then (select move.paused_at from account_move as move where move.account_id = account.id) else paused_at end'
        else quote_ident(column_name) end
$$;
comment on function copied_row(uuid, text, text, pg_snapshot[]) is
    'The value of a column in the other cell, as an expression. The snapshots are those of the campaigns that still select '
    'contacts, in their order: they and the transactions of the contacts become small numbers in the same order.';

create function campaign_snapshots(account uuid) returns pg_snapshot[] language sql stable as $$
    -- Later ones have larger bounds, or fewer transactions that were open.
    select array(select known::pg_snapshot
                   from (select distinct start_snapshot::text as known from campaign
                          where account_id = account and start_snapshot is not null and status in ('running', 'paused')) as start
                  order by pg_snapshot_xmax(known::pg_snapshot), pg_snapshot_xmin(known::pg_snapshot),
                           (select count(*) from pg_snapshot_xip(known::pg_snapshot)) desc)
$$;
comment on function campaign_snapshots(uuid) is 'Snapshots of the campaigns that may still select contacts.';

create function sealed_secrets(people uuid[]) returns table (place text, sealed bytea) language sql stable as $$
    select 'dkim_key/' || id || '/' || account_id, sealed_private_key from dkim_key where account_id = any(people)
     union all
    select 'webhook_endpoint/' || id || '/' || account_id, sealed_secret from webhook_endpoint where account_id = any(people)
     union all
    select 'second_factor/' || account_id, sealed_secret from second_factor where account_id = any(people)
     union all
    select 'tracking_domain/' || id, sealed_key from tracking_domain
     where account_id = any(people) and sealed_key is not null
$$;
comment on function sealed_secrets(uuid[]) is 'Secrets that the master key of the new cell must open, with their places.';

create function stored_objects(account uuid) returns table (owner_id uuid, part text) language sql stable as $$
    select email_id, unnest(outside) from email_content where account_id = account and outside is not null
     union all
    select inbound_email_id, unnest(outside) from inbound_content where account_id = account and outside is not null
     union all
    select id, 'image' from image where account_id = account and content is null
$$;
comment on function stored_objects(uuid) is 'Objects in the bucket that rows of an account refer to.';

create function clear_account(account uuid) returns void language plpgsql as $$
declare
    people constant uuid[] := account_people(account) || account;
    spec record;
begin
    if not exists (select from account as waiting
                    where waiting.id = account and paused_reason like 'being moved from the cell %') then
        return;
    end if;
    perform loosen_objects(account);
    for spec in select name, owner
                  from copied_tables() with ordinality as copied(name, owner, key, unique_key, columns, ahead, log, place)
                 where not log and name not in ('account', 'blob_loose') order by place desc loop
        execute format('delete from %I where %I = any ($1)', spec.name, spec.owner) using people;
    end loop;
    delete from email_count where account_id = account;
    delete from email_anchor where account_id = account;
    delete from webhook_delivery_count where account_id = account;
    delete from account as own where own.id = account;
end $$;
comment on function clear_account(uuid) is 'Removes the copy of an account that has not arrived.';

create function expect_account(account uuid, from_cell text, plan_name text) returns void language plpgsql as $$
begin
    -- What an earlier move from here has left.
    update account as left_here set paused_reason = 'being moved from the cell ' || from_cell
     where left_here.id = account and paused_reason like 'moved to the cell %';
    perform clear_account(account);
    insert into account (id, email, email_key, plan, paused_reason, paused_at, created_at)
    values (account, '', 'moving:' || account, plan_name, 'being moved from the cell ' || from_cell, now(), now());
end $$;
comment on function expect_account(uuid, text, text) is
    'Creates the row of an account whose move to this cell begins: rows that are copied early refer to it.';

create function movable_plan(account uuid) returns text language sql stable as $$
    select plan from account as own where own.id = account and role = 'tenant' and email_verified_at is not null
$$;
comment on function movable_plan(uuid) is 'The plan of an account that can be moved; null for others.';

create function unique_names(people uuid[]) returns setof text language sql stable as $$
    select 'address ' || email_key from account where id = any(people)
     union all
    select 'domain ' || name from domain where account_id = any(people) and status in ('verified', 'temporary_failure')
     union all
    select 'tracking domain ' || name from tracking_domain where account_id = any(people) and removed_at is null
$$;
comment on function unique_names(uuid[]) is 'Names of an account that no other account may have.';

create function taken_name(names text[], people uuid[], plan_name text) returns text language sql stable as $$
    select case when not exists (select from plan where name = plan_name) then 'no plan ' || plan_name
                when exists (select from account where id = people[1] and paused_reason is null) then 'the account'
                when exists (select from blob_loose where account_id = any(people))
                    then 'objects of an earlier copy, which are removed within an hour'
                else (select taken
                        from (select 'address ' || email_key as taken, id as owner from account
                               union all
                              select 'domain ' || name, account_id from domain
                               where status in ('verified', 'temporary_failure')
                               union all
                              select 'tracking domain ' || name, account_id from tracking_domain where removed_at is null)
                             as other
                       where taken = any(names) and owner <> all(people) limit 1) end
$$;
comment on function taken_name(text[], uuid[], text) is 'A reason for which this cell cannot take an account; null if there is none.';

create function hold_campaigns(account uuid) returns pg_snapshot[] language plpgsql as $$
declare
    snapshots constant pg_snapshot[] := campaign_snapshots(account);
begin
    -- The jobs skip rows that are locked.
    perform from campaign where account_id = account for update;
    insert into account_change (account_id, name, key)
    select account_id, 'contact', jsonb_build_object('id', id) from contact
     where account_id = account and not pg_visible_in_snapshot(added_by, snapshots[1]);
    return snapshots;
end $$;
comment on function hold_campaigns(uuid) is
    'Locks the campaigns of an account, and lets contacts follow that were added after one of them had started. Returns '
    'campaign_snapshots.';

create function loosen_objects(account uuid) returns void language sql as $$
    insert into blob_loose (account_id, owner_id, part, due_at)
    select account, owner_id, part, now() from stored_objects(account) on conflict do nothing
$$;
comment on function loosen_objects(uuid) is 'Has the objects of an account removed from the bucket.';

create function moved_keys(account uuid) returns setof text language sql stable as $$
    select prefix from api_key where account_id = account
$$;
comment on function moved_keys(uuid) is 'Prefixes of the API keys of an account.';

create function record_move(account uuid, act_name text, other_cell text) returns void language sql as $$
    insert into audit (id, account_id, actor_id, actor_kind, act, target, details)
    select encode(set_bit(set_bit(overlay(uuid_send(gen_random_uuid())
               placing substring(int8send((extract(epoch from clock_timestamp()) * 1000)::bigint) from 3) from 1 for 6),
               52, 1), 53, 1), 'hex')::uuid,
           account, coalesce((select id from account as platform where role = 'platform' limit 1), account), 'operator',
           act_name, '', jsonb_build_object('cell', other_cell)
$$;
comment on function record_move(uuid, text, text) is 'Records a step of a move in the audit log, as an act of the platform.';

create function leave_account(account uuid) returns void language plpgsql as $$
declare
    people constant uuid[] := account_people(account);
    target constant text := (select cell from account_move where account_id = account);
begin
    -- Nothing may act on what stays: the mails and contacts, for their links, and the account, its people and keys, for
    -- answers that name the new cell.
    update account_move as move
       set domains = array(select name from domain
                            where domain.account_id = account and status in ('verified', 'temporary_failure'))
     where move.account_id = account;
    delete from queue where account_id = account;
    delete from webhook_delivery where account_id = account and status = 'pending';
    delete from webhook_endpoint where account_id = account;
    delete from webhook_state where account_id = account;
    delete from confirmation where account_id = account;
    delete from campaign where account_id = account;
    delete from campaign_audience where account_id = account;
    delete from campaign_follow_up where account_id = account;
    update tracking_domain set check_at = null, renew_at = null where account_id = account;
    update api_key set domain_id = null, moved_to = target where account_id = account;
    delete from domain where account_id = account;
    delete from session where account_id = any(people);
    delete from device_sign_in where account_id = account;
    delete from sign_in_challenge where account_id = any(people);
    delete from invitation where account_id = account;
    -- Users of an outside issuer have no session.
    delete from member where account_id = account;
    update account set paused_reason = 'moved to the cell ' || target, paused_at = now(), pause_notice = false
     where id = any(people);
    update account_move set phase = 'moved', moved_at = clock_timestamp() where account_id = account;
end $$;
comment on function leave_account(uuid) is 'Ends a move in the old cell, after the commit in the new one.';

alter table api_key add column moved_to text;
comment on column api_key.moved_to is 'The cell to which the account was moved; null otherwise.';

-- The owner of the tables creates the triggers.
do $$
declare
    owner constant text := current_user;
begin
    set local role mailroom_system;
    execute format('grant execute on function note_change(), note_late_change() to %I', owner);
    execute format('set local role %I', owner);
end $$;

revoke all on function follow_table(uuid, uuid[], text, boolean, text[], text), unfollow_table(uuid, text),
    follow_late(uuid, boolean) from public;
grant execute on function follow_table(uuid, uuid[], text, boolean, text[], text), unfollow_table(uuid, text),
    follow_late(uuid, boolean) to mailroom_system;
