alter table account
    add column daily_limit bigint check (daily_limit >= 0),
    add column monthly_limit bigint check (monthly_limit >= 0),
    add column send_rate int check (send_rate > 0);
comment on column account.daily_limit is
    'Mails per day (UTC), set by an operator in place of the plan''s limit; null for that of the plan.';
comment on column account.monthly_limit is
    'Mails per calendar month (UTC), set by an operator in place of the plan''s limit; null for that of the plan.';
comment on column account.send_rate is
    'Requests to send and submitted mails per second and instance, set by an operator; null for the platform''s setting.';
-- Read every few seconds by each instance; accounts with a rate of their own are few.
create index account_send_rate on account (id) where send_rate is not null;

-- The apps cannot delete rows of the audit log but through this function, and it removes no row younger than 30 days.
create policy old_rows on audit to current_user
    using (created_at < now() - interval '30 days') with check (false);
create function remove_audit(before uuid, most int) returns bigint
language sql security definer set search_path = public, pg_temp as $$
    with removed as (
        delete from audit where id in (select id from audit where id < before order by id limit most) returning id)
    select count(*) from removed
$$;
comment on function remove_audit(uuid, int) is
    'Removes the oldest entries with ids below one, at most so many, and none younger than 30 days; returns their number.';
revoke all on function remove_audit(uuid, int) from public;
grant execute on function remove_audit(uuid, int) to mailroom_system;
comment on table audit is
    'Changes by operators, and by tenants to their keys, domains, webhook endpoints and sign-in, each inserted in the '
    'transaction of the change. Rows are not changed by the apps, and removed by remove_audit only.';
