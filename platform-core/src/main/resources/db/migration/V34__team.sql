alter table account drop constraint account_role_check,
    add constraint account_role_check check (role in ('tenant', 'operator', 'platform', 'member'));
comment on column account.role is
    'tenant; operator: may use the operators'' part of the admin app; platform: sender of Mailroom''s own mail, never '
    'signs in; member: a person who signs in to another account, see member. Such a row owns nothing.';

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

set local role mailroom_system;
insert into member (person_id, account_id, role, created_at)
select id, id, 'owner', created_at from account where role <> 'platform';
reset role;

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

create function session_member(wanted uuid, person uuid) returns table (account_id uuid, role text)
language sql stable as '
    select member.account_id, member.role
      from session join member on member.person_id = session.account_id
     where session.id = wanted and session.account_id = person and session.expires_at > now()';
comment on function session_member(uuid, uuid) is
    'The account and the role of a person with an unexpired session; called once for each access token, without a '
    'transaction.';
call sees_every_account('session_member(uuid, uuid)');
drop function session_stands(uuid, uuid);
comment on column session.account_id is 'The person who signed in.';

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
