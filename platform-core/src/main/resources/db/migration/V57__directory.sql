-- The directory of cells: which cell has an account, an address of a person and a domain. One database is the directory; the
-- tables of every other cell are its copy, which PostgreSQL replicates. Without cells they stay empty.

-- The roles of the cells, mailroom_cell_<name>, are its members: in the directory they call the functions and read the tables.
do $$
begin
    if not exists (select from pg_roles where rolname = 'mailroom_directory') then
        create role mailroom_directory nologin;
    end if;
end $$;
grant usage on schema public to mailroom_directory;

-- Written by the program with which a cell joins, and by each cell every minute.
create table directory_cell (
    name     text primary key check (name ~ '^[a-z][a-z0-9]{1,3}$'),
    url      text not null,
    seen_at  timestamptz not null default now()
);
comment on table directory_cell is 'The cells.';
comment on column directory_cell.url is 'Base URL of the cell''s web app, where its people sign in.';
comment on column directory_cell.seen_at is
    'When the cell last reached the directory, by the directory''s clock; in a copy it shows how far the copy has got.';

-- Written by the cells, by the functions below.
create table directory_account (
    id          uuid primary key,
    cell        text not null references directory_cell,
    claimed_at  timestamptz not null default now()
);
comment on table directory_account is 'The cell of each account.';
comment on column directory_account.claimed_at is 'When the cell claimed it, or it was moved there.';
create index directory_account_cell on directory_account (cell);

-- Written by the cells, by the functions below.
create table directory_name (
    name        text primary key,
    account     uuid not null references directory_account on delete cascade,
    claimed_at  timestamptz not null default now()
);
comment on table directory_name is
    'Names that only one account of all cells has: verified addresses of people, and verified domains.';
comment on column directory_name.name is
    '"domain <name>", or "address <hash>": no cell learns the addresses of another.';
comment on column directory_name.account is 'The account to which the domain belongs, or that the person uses.';
comment on column directory_name.claimed_at is 'When the cell last claimed it.';
create index directory_name_account on directory_name (account);

grant select on directory_cell, directory_account, directory_name to mailroom_directory, mailroom_system, mailroom_read;

create function directory_address(email_key text) returns text language sql immutable as $$
    select 'address ' || encode(sha256(convert_to(email_key, 'UTF8')), 'hex')
$$;
comment on function directory_address(text) is 'The name of an address in the directory.';

create function directory_home(wanted text) returns table (account uuid, cell text, url text) language sql stable as $$
    select directory_account.id, directory_account.cell, directory_cell.url
      from directory_name join directory_account on id = directory_name.account join directory_cell on directory_cell.name = cell
     where directory_name.name = wanted
     union all
    select directory_account.id, directory_account.cell, directory_cell.url
      from directory_account join directory_cell on directory_cell.name = cell
     where wanted ~ '^account [0-9a-f-]{36}$' and id = substring(wanted from 9)::uuid
$$;
comment on function directory_home(text) is 'The account and the cell of a name, or of "account <id>"; no row if it is not known.';
grant execute on function directory_home(text) to mailroom_directory;
call sees_every_account('directory_home(text)');

-- The functions below are called in the directory. They run as the owner of the tables, for the cell of the caller's role.
create function directory_caller() returns text language plpgsql stable as $$
declare
    caller constant text := substring(session_user from '^mailroom_cell_([a-z][a-z0-9]{1,3})$');
begin
    if caller is null then
        raise exception 'The role % is not that of a cell', session_user using errcode = 'insufficient_privilege';
    end if;
    return caller;
end $$;
comment on function directory_caller() is 'The cell of the role that has signed in.';

create function claim_names(names text[], accounts uuid[]) returns table (refused text, cell text, url text)
language plpgsql security definer set search_path = public, pg_temp as $$
declare
    caller constant text := directory_caller();
begin
    insert into directory_account as own (id, cell) select distinct claim, caller from unnest(accounts) as claim order by 1
    on conflict (id) do update set claimed_at = now() where own.cell = caller;
    -- In the order of the names, so that no two cells wait for each other.
    insert into directory_name as taken (name, account)
    select claim.name, claim.account
      from unnest(names, accounts) as claim(name, account)
      join directory_account as home on home.id = claim.account and home.cell = caller
     where claim.name not like 'account %' order by claim.name
    on conflict (name) do update set account = excluded.account, claimed_at = now()
     where exists (select from directory_account as home where home.id = taken.account and home.cell = caller);
    return query
    select claim.name, other.name, other.url
      from unnest(names, accounts) as claim(name, account)
      join directory_account as claimer on claimer.id = claim.account
      left join directory_name as taken on taken.name = claim.name
      left join directory_account as holder on holder.id = taken.account
      join directory_cell as other on other.name = coalesce(holder.cell, claimer.cell)
     where other.name <> caller;
end $$;
comment on function claim_names(text[], uuid[]) is
    'Claims names and their accounts for the caller''s cell; "account <id>" claims the account alone. Returns the names that '
    'another cell has, with that cell. A claim of what the cell has already renews it.';

create function release_names(names text[], accounts uuid[], age interval) returns void
language plpgsql security definer set search_path = public, pg_temp as $$
declare
    caller constant text := directory_caller();
begin
    delete from directory_name as released using unnest(names, accounts) as given(name, account), directory_account as home
     where released.name = given.name and released.account = given.account and home.id = given.account and home.cell = caller
       and released.claimed_at <= now() - age;
    delete from directory_account as released using unnest(names, accounts) as given(name, account)
     where given.name = 'account ' || given.account and released.id = given.account and released.cell = caller
       and released.claimed_at <= now() - age
       and not exists (select from directory_name as kept where kept.account = released.id);
end $$;
comment on function release_names(text[], uuid[], interval) is
    'Releases names of the caller''s cell and accounts of it, unless they were claimed a short time ago.';

create function move_directory_account(moved uuid, target text) returns void
language plpgsql security definer set search_path = public, pg_temp as $$
begin
    update directory_account set cell = target, claimed_at = now() where id = moved and cell = directory_caller();
end $$;
comment on function move_directory_account(uuid, text) is 'Gives an account of the caller''s cell, with its names, to another cell.';

create function directory_seen() returns void language plpgsql security definer set search_path = public, pg_temp as $$
begin
    update directory_cell set seen_at = now() where name = directory_caller();
end $$;
comment on function directory_seen() is 'Records that the caller''s cell reaches the directory.';

revoke all on function claim_names(text[], uuid[]), release_names(text[], uuid[], interval),
    move_directory_account(uuid, text), directory_seen() from public;
grant execute on function claim_names(text[], uuid[]), release_names(text[], uuid[], interval),
    move_directory_account(uuid, text), directory_seen() to mailroom_directory;

create function directory_differences(own_cell text)
returns table (kind text, name text, account uuid, target text, claimed_at timestamptz) language sql stable as $$
    with own as (
        select directory_address(person.email_key) as name, coalesce(member.account_id, person.id) as account
          from account as person left join member on member.person_id = person.id
         where person.role in ('tenant', 'member') and person.email_verified_at is not null
           and person.email_key !~ '^(second|identity|moving):'
           and coalesce(person.paused_reason, '') !~ '^(being moved from|moved to) the cell '
         union all
        select 'domain ' || domain.name, domain.account_id from domain join account on account.id = domain.account_id
         where domain.status in ('verified', 'temporary_failure') and account.role <> 'platform'
           and coalesce(account.paused_reason, '') not like 'being moved from the cell %'
         union all
        -- Accounts of an outside issuer may have no address.
        select 'account ' || id, id from account
         where role = 'tenant' and (email_verified_at is not null or email_key like 'identity:%')
           and coalesce(paused_reason, '') !~ '^(being moved from|moved to) the cell '),
    held as (
        select directory_name.name, directory_name.account, directory_name.claimed_at
          from directory_name join directory_account on directory_account.id = directory_name.account where cell = own_cell
         union all
        select 'account ' || id, id, directory_account.claimed_at from directory_account where cell = own_cell),
    gone as (
        select account_id, cell from account_move where phase in ('moved', 'left'))
    select 'moved', 'account ' || held.account, held.account, gone.cell, held.claimed_at
      from held join gone on gone.account_id = held.account and held.name = 'account ' || held.account
     union all
    select case when held.name is null then 'missing' else 'surplus' end, coalesce(own.name, held.name),
           coalesce(own.account, held.account), null, held.claimed_at
      from own full join held on held.name = own.name and held.account = own.account
     where (own.name is null and held.account not in (select account_id from gone)
            -- An account that is operated here, or has a domain but no verified address.
            and not (held.name like 'account %' and held.account in (select account from own)))
        or held.name is null
     order by 2
$$;
comment on function directory_differences(text) is
    'Where the copy of the directory differs from this cell: missing there, surplus there, or moved from here.';
