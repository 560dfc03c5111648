-- Accounts and the people who belong to them. How people sign in is in the next file.

-- The plans below are the defaults; operators change them and add others.
create table plan (
    name                text primary key,
    daily_limit         bigint,
    monthly_limit       bigint,
    domain_limit        bigint,
    contact_book_limit  bigint,
    contact_limit       bigint,
    weight              int not null default 1 check (weight between 1 and 4)
);
comment on table plan is 'Limits of an account, by plan; a null limit means unlimited.';
comment on column plan.daily_limit is 'Mails per day (UTC).';
comment on column plan.monthly_limit is 'Mails per calendar month (UTC).';
comment on column plan.domain_limit is 'Sending domains.';
comment on column plan.contact_book_limit is 'Contact books.';
comment on column plan.contact_limit is 'Contacts in all books together.';
comment on column plan.weight is 'Quarters of the largest share of the deliveries in flight that one account may have.';
insert into plan (name, daily_limit, monthly_limit, domain_limit, contact_book_limit, contact_limit, weight)
values
    ('free', 100, 3000, 10, 2, 200, 1),
    ('pro', null, 50000, null, null, null, 2),
    ('unlimited', null, null, null, null, null, 4);
grant select on plan to "${app}", mailroom_system;
-- Operators create and change plans; plans belong to no account.
grant insert, update on plan to mailroom_system;

-- Written by registration, the settings of the owner, operators, and the job that pauses accounts.
create table account (
    id                 uuid primary key,
    email              text not null,
    email_key          text not null unique,
    second_of          uuid references account on delete set null,
    name               text not null default '',
    password_hash      text,
    email_verified_at  timestamptz,
    plan               text not null references plan,
    daily_limit        bigint check (daily_limit >= 0),
    monthly_limit      bigint check (monthly_limit >= 0),
    send_rate          int check (send_rate > 0),
    role               text not null default 'tenant' check (role in ('tenant', 'operator', 'platform', 'member')),
    transport          text check (transport in ('relay', 'mx')),
    paused_reason      text,
    paused_at          timestamptz,
    pause_notice       boolean not null default false,
    counted_from       date,
    created_at         timestamptz not null
);
comment on table account is
    'An owner of domains, API keys and mails. Only accounts whose address was never verified are deleted, with all that '
    'they own, when somebody else proves control of the address.';
comment on column account.email is
    'The owner''s address as entered; empty when an external issuer supplied no verified address.';
comment on column account.email_key is
    'The address for sign-in: lower-case, domain in ASCII; identity:<id> when email is empty, second:<id> for a second '
    'registration of an address.';
comment on column account.second_of is
    'For a second registration of an address, which is never verified: the account that had the address before, whose id '
    'salts password_hash; null for all other accounts.';
comment on column account.name is 'Display name; may be empty.';
comment on column account.password_hash is 'Argon2id hash; null when only an external issuer signs in.';
comment on column account.email_verified_at is 'When the owner proved control of the address; null before.';
comment on column account.daily_limit is
    'Mails per day (UTC), set by an operator in place of the plan''s limit; null for that of the plan.';
comment on column account.monthly_limit is
    'Mails per calendar month (UTC), set by an operator in place of the plan''s limit; null for that of the plan.';
comment on column account.send_rate is
    'Requests to send and submitted mails per second and instance, set by an operator; null for the platform''s setting.';
comment on column account.role is
    'tenant; operator: may use the operators'' part of the admin app; platform: sender of Mailroom''s own mail, never '
    'signs in; member: a person who signs in to another account, see member. Such a row owns nothing.';
comment on column account.transport is
    'Transport of the account''s mail: relay or mx; null for the platform''s default. A domain''s own choice precedes.';
comment on column account.paused_reason is
    'Why the account may not send at present, as shown to its owner; null if it may.';
comment on column account.paused_at is
    'When the account was paused; null if it may send. Mail that is due and waits for longer than a week fails.';
comment on column account.pause_notice is 'Whether the notice about the pause still has to be sent to the owner.';
comment on column account.counted_from is
    'First day (UTC) that counts towards an automatic pause, set when an operator lifts a pause; null when all days '
    'count.';
-- For the job that fails mail of accounts that have been paused for long.
create index account_paused on account (paused_at) where paused_at is not null;
-- For the job that sends notices about pauses.
create index account_pause_notice on account (id) where pause_notice;
-- Read by every lease; accounts with a transport of their own are few.
create index account_transport on account (id) where transport is not null;
-- Read every few seconds by each instance; accounts with a rate of their own are few.
create index account_send_rate on account (id) where send_rate is not null;
-- For the operators' list of accounts, newest first; without it the figures of all accounts are read for one page.
create index account_newest on account (created_at desc, id desc);
-- For sign-in, which compares the hash, and for the end of second registrations.
create index account_second on account (second_of, password_hash) where second_of is not null;
call secure('account', 'id');
create trigger notify_stop after update of paused_reason on account
    for each row when (old.paused_reason is null and new.paused_reason is not null) execute function notify_stop();

create function account_by_email(wanted text) returns setof account
language sql stable as 'select * from account where email_key = wanted';
comment on function account_by_email(text) is 'The account with this email_key, for sign-in and password reset.';
call sees_every_account('account_by_email(text)');

create function second_registration(first uuid, hash text) returns setof account
language sql stable as '
    select * from account
     where second_of = first and (hash is null or password_hash = hash) order by created_at, id limit 1';
comment on function second_registration(uuid, text) is
    'The oldest second registration of an account''s address that has this password hash, or of all if it is null.';
call sees_every_account('second_registration(uuid, text)');

create function close_second_registrations(first uuid) returns bigint language plpgsql as $$
declare
    -- Waits for sign-ins that hold the rows, so that their sessions are deleted too.
    closed uuid[] := array(select id from account where second_of = first for update);
begin
    -- The only table without a foreign key to account whose rows do not expire.
    delete from suppression where account_id = any(closed);
    delete from account where id = any(closed);
    return cardinality(closed);
end $$;
comment on function close_second_registrations(uuid) is
    'Deletes the second registrations of an account''s address, with all that they own; returns their number.';
call sees_every_account('close_second_registrations(uuid)');

create function release_address(wanted text) returns bigint language plpgsql as $$
declare
    stranger uuid;
    closed bigint;
begin
    select id into stranger from account where email_key = wanted and email_verified_at is null for update;
    if not found then
        return 0;
    end if;
    closed := close_second_registrations(stranger);
    delete from suppression where account_id = stranger;
    -- The people who joined the account sign in nowhere else.
    delete from account where id = stranger or id in (select person_id from member where account_id = stranger);
    return closed + 1;
end $$;
comment on function release_address(text) is
    'Deletes the account with this email_key if it is not verified, and the second registrations of its address, with all '
    'that they own; returns their number.';
call sees_every_account('release_address(text)');

create function replace_account(stranger uuid, owner uuid, hash text) returns bigint language plpgsql as $$
declare
    replaced account;
    closed bigint;
begin
    select * into replaced from account where id = stranger and email_verified_at is null for update;
    if not found then
        return 0;
    end if;
    closed := release_address(replaced.email_key);
    -- What operators have set for the address stays; nothing else does.
    insert into account (id, email, email_key, password_hash, email_verified_at, plan, daily_limit, monthly_limit,
                         send_rate, transport, paused_reason, created_at)
    values (owner, replaced.email, replaced.email_key, hash, now(), replaced.plan, replaced.daily_limit,
            replaced.monthly_limit, replaced.send_rate, replaced.transport, replaced.paused_reason, now());
    return closed;
end $$;
comment on function replace_account(uuid, uuid, text) is
    'Replaces an account that is not verified by an empty, verified one with the same address, another id and this '
    'password hash; returns the number of deleted accounts, 0 if the account is verified.';
call sees_every_account('replace_account(uuid, uuid, text)');

-- Written by a trigger for founders, and by the people who accept an invitation; owners and admins change the role.
create table member (
    person_id   uuid primary key references account on delete cascade,
    account_id  uuid not null references account on delete cascade,
    role        text not null check (role in ('owner', 'admin', 'developer', 'viewer')),
    created_at  timestamptz not null default now()
);
comment on table member is
    'People who sign in, each with the account that they use. A person belongs to one account; its founder has the id of '
    'the account.';
comment on column member.person_id is 'The row of account with the person''s address, name and password.';
comment on column member.account_id is 'The account whose domains, mails and contacts the person uses.';
comment on column member.role is
    'viewer: reads; developer: also sends, and manages domains, keys, templates and webhooks; admin: also manages '
    'contacts, campaigns, suppressions and members; owner: also manages the plan. An account keeps an owner.';
create index member_account on member (account_id);
call secure('member');

-- So that no account exists without an owner, however it was created.
create function add_founder() returns trigger language plpgsql as $$
begin
    insert into member (person_id, account_id, role, created_at) values (new.id, new.id, 'owner', new.created_at);
    return null;
end $$;
comment on function add_founder() is 'Makes the person who founds an account its owner.';
create trigger account_founded after insert on account
    for each row when (new.role in ('tenant', 'operator')) execute function add_founder();

create function member_of(person uuid) returns table (account_id uuid, role text)
language sql stable as 'select account_id, role from member where person_id = person';
comment on function member_of(uuid) is 'The account that a person uses, with the role; no row for anyone else.';
call sees_every_account('member_of(uuid)');

-- Written when a person is invited, replaced when the person is invited again.
create table invitation (
    id          uuid primary key,
    account_id  uuid not null references account on delete cascade,
    email       text not null,
    email_key   text not null,
    role        text not null check (role in ('owner', 'admin', 'developer', 'viewer')),
    hash        bytea not null unique,
    created_at  timestamptz not null default now(),
    expires_at  timestamptz not null,
    unique (account_id, email_key)
);
comment on table invitation is 'An invitation to join an account, deleted when it is accepted or withdrawn.';
comment on column invitation.email_key is 'The address for comparison: lower-case, domain in ASCII.';
comment on column invitation.role is 'The role that the invited person will have.';
comment on column invitation.hash is 'SHA-256 of the token in the mailed link.';
call secure('invitation');

create function invitation_account(wanted bytea) returns uuid
language sql stable as 'select account_id from invitation where hash = wanted and expires_at > now()';
comment on function invitation_account(bytea) is 'The account of an unexpired invitation; null if there is none.';
call sees_every_account('invitation_account(bytea)');
