-- Written with each change that it records; the job for retention calls remove_audit.
create table audit (
    id          uuid primary key,
    account_id  uuid,
    actor_id    uuid not null,
    actor_kind  text not null check (actor_kind in ('person', 'api_key', 'operator')),
    act         text not null,
    target      text not null default '',
    reason      text,
    details     jsonb not null default '{}',
    created_at  timestamptz not null default now()
);
comment on table audit is
    'Changes by operators, and by tenants to their keys, domains, webhook endpoints and sign-in, each inserted in the '
    'transaction of the change. Rows are not changed by the apps, and removed by remove_audit only.';
comment on column audit.id is 'UUIDv7: ordered by time of creation.';
comment on column audit.account_id is 'The account concerned; null for acts that concern the whole platform.';
comment on column audit.actor_id is 'The account that signed in, or the API key.';
comment on column audit.actor_kind is 'The credential and role with which the actor was authenticated.';
comment on column audit.act is 'Such as domain.created or account.suspended.';
comment on column audit.target is 'Id or name of the changed object; empty if it is the account.';
comment on column audit.reason is 'The reason that an operator gave; null for acts without one.';
comment on column audit.details is 'New values, without secrets and without content of mails.';
create index audit_account on audit (account_id, id);
create index audit_actor on audit (actor_id, id);
call secure('audit');
revoke update, delete on audit from "${app}", mailroom_system;

-- The apps cannot delete rows of the audit log but through this function, and it removes no row younger than 30 days.
create policy old_rows on audit to current_user
    using (created_at < now() - interval '30 days') with check (false);
create function remove_audit(before uuid, most int) returns bigint
language sql security definer set search_path = public, pg_temp as $$
    with removed as (
        delete from audit
         where id in (select id from audit where id < before order by id limit most)
           -- The policy repeats the condition, but does not apply to an owner that bypasses row-level security.
           and created_at < now() - interval '30 days'
        returning id)
    select count(*) from removed
$$;
comment on function remove_audit(uuid, int) is
    'Removes the oldest entries with ids below one, at most so many, and none younger than 30 days; returns their number.';
revoke all on function remove_audit(uuid, int) from public;
grant execute on function remove_audit(uuid, int) to mailroom_system;
