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
    'transaction of the change. Rows are neither changed nor deleted by the apps.';
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
