-- Read access for people: the statements of the runbooks run as members of mailroom_read, which has neither a password nor a
-- login. It sees the rows of every account, but no content of mails, no secret and no partition.
do $$
begin
    if not exists (select from pg_roles where rolname = 'mailroom_read') then
        create role mailroom_read nologin;
    end if;
end $$;
grant usage on schema public to mailroom_read;

create procedure readable(readable regclass, columns text)
language plpgsql as $$
begin
    execute format('create policy readable on %s for select to mailroom_read using (true)', readable);
    execute format('grant select (%s) on %s to mailroom_read', columns, readable);
end $$;
comment on procedure readable(regclass, text) is
    'Grants mailroom_read some columns of a table under row-level security, in the rows of all accounts.';

call readable('account', 'id, email, email_key, plan, role, transport, paused_reason, paused_at, created_at');
call readable('domain', 'id, account_id, name, status, transport, created_at, verified_at, checked_at, failing_since');
call readable('dkim_key', 'id, account_id, domain_id, selector, algorithm, active, created_at');
call readable('queue', 'id, account_id, email_id, recipient, destination, campaign_id, campaign, ready, held, due_at, '
    'first_due_at, attempt, ambiguous, epoch, data_until');
call readable('delivery', 'id, account_id, email_id, position, recipient, stream, attempt, ambiguous, status, reply, '
    'created_at, settled_at');
call readable('delivery_attempt', 'id, account_id, email_id, delivery_id, attempt, began_at, took_ms, outcome, transport, '
    'host, address, tls, reply');
call readable('dead_letter', 'id, account_id, what, why, email_id, delivery_id, died_at, requeued_at');
call readable('event', 'id, account_id, kind, email_id, data, created_at');
call readable('reputation_day', 'account_id, domain_id, day, delivered, sent, hard_bounced, complained, '
    'unverified_bounced, unverified_complained');
call readable('reputation_cause', 'account_id, domain_id, day, cause, count');
call readable('webhook_endpoint', 'id, account_id, url, events, active, disabled_reason, disabled_at, created_at');
call readable('webhook_state', 'endpoint_id, account_id, lease_until, next_due_at, failures, failing_since, inactive_since');
call readable('webhook_delivery', 'id, account_id, endpoint_id, event_id, kind, due_at, attempt, status, last_status, '
    'created_at, settled_at');
call readable('webhook_attempt', 'id, account_id, delivery_id, status, error, took_ms, attempted_at');
grant select on queue_pause, destination_hold, plan to mailroom_read;

create view queue_reply with (security_invoker = true) as
select queue.id, queue.account_id, queue.destination, queue.attempt, queue.ambiguous, queue.due_at, delivery.reply
  from queue
  -- offset 0: row by row through the index; a join of its own would read all partitions of delivery.
 cross join lateral (select reply from delivery where id = queue.id and email_id = queue.email_id offset 0) as delivery
 where queue.attempt > 0;
comment on view queue_reply is 'Deliveries in the queue that were attempted, with their last reply, for operators.';
grant select on queue_reply, delivery_state to mailroom_read;
