-- Roles and row-level security. The apps sign in as ${app}, which owns no table and is subject to the policies below.
-- mailroom_system sees the rows of every account; Transactions takes it with "set local role" for single transactions.
do $$
begin
    if not exists (select from pg_roles where rolname = 'mailroom_system') then
        create role mailroom_system nologin;
    end if;
    -- Members do not inherit the role's rights, they have to set the role. Before PostgreSQL 16 this is an attribute
    -- of the member, not of the grant.
    if current_setting('server_version_num')::int >= 160000 then
        execute 'grant mailroom_system to "${app}" with inherit false, set true';
        execute format('grant mailroom_system to %I with inherit false, set true', current_user);
    else
        execute 'alter role "${app}" noinherit';
        execute 'grant mailroom_system to "${app}"';
        execute format('grant mailroom_system to %I', current_user);
    end if;
end $$;

grant usage on schema public to "${app}", mailroom_system;

create procedure secure(secured regclass, account_column text default 'account_id')
language plpgsql as $$
begin
    execute format('alter table %s enable row level security', secured);
    execute format('alter table %s force row level security', secured);
    -- nullif: a setting that was set in an earlier transaction of the session reads as '' and not as null.
    -- The inner cast is a part of the sub-select, which runs once for a statement. The outer one has no cost at run time;
    -- without it, "any" would take the sub-select for a list of rows. A cast outside only parses the list for each row.
    execute format(
        'create policy own_account on %1$s
            using (%2$I = any ((select nullif(current_setting(''app.account_ids'', true), '''')::uuid[])::uuid[]))
            with check (%2$I = any ((select nullif(current_setting(''app.account_ids'', true), '''')::uuid[])::uuid[]))',
        secured, account_column);
    execute format('create policy every_account on %s to mailroom_system using (true) with check (true)', secured);
    execute format('grant select, insert, update, delete on %s to "${app}", mailroom_system', secured);
end $$;
comment on procedure secure(regclass, text) is
    'Puts a table under row-level security and grants the apps access to it. A transaction sees and writes the rows of '
    'the accounts listed in app.account_ids, and none when the setting is absent; mailroom_system sees all rows.';

create procedure sees_every_account(function regprocedure)
language plpgsql as $$
begin
    grant create on schema public to mailroom_system;
    execute format('alter function %s security definer set search_path = public, pg_temp', function);
    execute format('revoke all on function %s from public', function);
    execute format('grant execute on function %s to "${app}"', function);
    execute format('alter function %s owner to mailroom_system', function);
    revoke create on schema public from mailroom_system;
end $$;
comment on procedure sees_every_account(regprocedure) is
    'Makes a function run as mailroom_system, for lookups that precede the knowledge of the account. Only the apps may '
    'execute it. Afterwards the function belongs to mailroom_system, so add its comment before.';

-- For the triggers of tables whose rows stop mail that has passed the fence and is not begun.
create function notify_stop() returns trigger language plpgsql as $$
begin
    perform pg_notify('mailroom_stop', '');
    return null;
end $$;
comment on function notify_stop() is
    'Makes the workers check the mail that they have fenced and not begun. Only rare changes notify it, as notify_work.';
