-- Who sees what. ${app} is the role the apps sign in with: neither owner nor superuser, and
-- bound by the policies below. mailroom_system sees every account: Transactions alone takes
-- that role, for one transaction at a time.
do $$
begin
    if not exists (select from pg_roles where rolname = 'mailroom_system') then
        create role mailroom_system nologin;
    end if;
    -- A member must ask for the role (set role); it never has it by itself.
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

-- Puts a table under row-level security: a transaction sees the rows of the accounts that it
-- has named, and none where it has named none. nullif: a setting that was once set comes back
-- as an empty string, not as null.
create procedure secure(secured regclass, account_column text default 'account_id')
language plpgsql as $$
begin
    execute format('alter table %s enable row level security', secured);
    execute format('alter table %s force row level security', secured);
    execute format(
        'create policy own_account on %1$s
            using (%2$I = any ((select nullif(current_setting(''app.account_ids'', true), ''''))::uuid[]))
            with check (%2$I = any ((select nullif(current_setting(''app.account_ids'', true), ''''))::uuid[]))',
        secured, account_column);
    execute format('create policy every_account on %s to mailroom_system using (true) with check (true)', secured);
    execute format('grant select, insert, update, delete on %s to "${app}", mailroom_system', secured);
end $$;

-- Makes a function run as mailroom_system: for what must be found before the account is known.
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
