-- Moves the rows of the demo account into the last 30 days, in one transaction and limited to the account by
-- app.account_ids. No mail of the account is being handed over meanwhile. Tables that count by time are counted again
-- from the moved rows. The temporary tables planned and planned_campaign have the times of mails and campaigns.

-- The time from the first attempt of a delivery to a later one: the sum of the usual delays.
create function pg_temp.waited(attempt int) returns interval language sql immutable as $$
    select coalesce(sum(delay), '0')
      from unnest(array['30 s', '2 min', '10 min', '30 min', '1 h', '2 h', '4 h', '8 h', '8 h', '8 h', '8 h', '8 h', '8 h',
                        '8 h', '8 h']::interval[]) with ordinality as usual(delay, n)
     where n < attempt
$$;

-- A UUIDv7 of a time. Its milliseconds are rounded down, as in every other one; rounded to the nearest, events within
-- one millisecond would be in another order than their times.
create function pg_temp.id_at(at timestamptz) returns uuid language sql volatile as $$
    select encode(set_bit(set_bit(overlay(uuid_send(gen_random_uuid())
               placing substring(int8send(floor(extract(epoch from at) * 1000)::bigint) from 3) from 1 for 6),
               52, 1), 53, 1), 'hex')::uuid
$$;

-- A number from 0 to 1 that depends on a text only.
create function pg_temp.share(text) returns float8 language sql immutable as $$
    select (hashtext($1) & 65535) / 65536.0::float8
$$;

-- Mails, in the order of their planned times; those of campaigns one after the other, waiting ones last.
create temp table moved on commit drop as
select email.id, planned.at from email join planned on planned.email_id = email.id
 union all
select email.id, started_at + interval '2 seconds' + spacing * row_number() over (
           partition by email.campaign_id order by queue.id is not null, delivery.settled_at, email.id)
  from email join planned_campaign on planned_campaign.campaign_id = email.campaign_id join delivery on delivery.email_id = email.id
  left join queue on queue.id = delivery.id;
create unique index on moved (id);
analyze moved;

update email set created_at = moved.at,
       scheduled_at = case when status = 'pending' then scheduled_at else scheduled_at + (moved.at - email.created_at) end
  from moved where moved.id = email.id;
update email_trouble set created_at = email.created_at from email where email.id = email_trouble.id;
delete from email_anchor;

update delivery_attempt as attempt
   set began_at = email.created_at + interval '240 ms' + pg_temp.share(attempt.id::text) * interval '1.2 seconds'
                + pg_temp.waited(attempt.attempt)
  from email join delivery on delivery.email_id = email.id
 where attempt.email_id = email.id and attempt.delivery_id = delivery.id;
update delivery
   set created_at = email.created_at,
       settled_at = case when settled_at is not null then coalesce(
           (select max(began_at + took_ms * interval '1 millisecond') from delivery_attempt as attempt
             where attempt.account_id = delivery.account_id and attempt.email_id = email.id
               and attempt.delivery_id = delivery.id), email.created_at + interval '1 second') end
  from email where email.id = delivery.email_id;
update queue set ready = false, due_at = now() + interval '17 minutes' where destination = 'slow.example';

update dead_letter set died_at = settled_at from delivery where delivery.id = dead_letter.delivery_id;

-- Campaigns.
update campaign set created_at = planned.started_at - interval '26 hours', started_at = planned.started_at,
       fanned_out_at = case when fanned_out_at is not null then planned.started_at + interval '20 seconds' end,
       updated_at = coalesce((select max(settled_at) + interval '1 second' from email
                                join delivery on delivery.email_id = email.id where campaign_id = campaign.id),
                             planned.started_at)
  from planned_campaign as planned where planned.campaign_id = campaign.id;
update campaign set created_at = now() - interval '5 hours' * (1 + pg_temp.share(id::text)), updated_at = now() - interval '2 hours'
 where started_at is null;

-- Opens, clicks and unsubscriptions after the delivery, in their order.
create temp table reaction on commit drop as
select event.id, event.email_id,
       least(delivery.settled_at + interval '3 minutes'
             + interval '30 hours' * power(pg_temp.share(event.email_id::text), 3)
             + interval '40 seconds' * row_number() over (partition by event.email_id, kind order by event.id)
             + case kind when 'email.opened' then interval '0' when 'email.clicked' then interval '25 seconds'
                    else interval '3 minutes' end,
             now() - interval '2 minutes' * (0.2 + pg_temp.share(event.id::text))) as at
  from event join delivery on delivery.email_id = event.email_id and delivery.recipient = event.data ->> 'recipient'
 where kind in ('email.opened', 'email.clicked', 'email.complained')
    or (kind = 'email.bounced' and exists (select from event as earlier where earlier.email_id = event.email_id
                                              and earlier.kind = 'email.delivered' and earlier.id < event.id
                                              and earlier.data ->> 'recipient' = event.data ->> 'recipient'));
update campaign_recipient as recipient
   set unsubscribed_at = coalesce((select max(at) + interval '20 seconds' from reaction
                                    where reaction.email_id = recipient.email_id), unsubscribed_at)
 where unsubscribed_at is not null;
update contact set updated_at = recipient.unsubscribed_at
  from campaign_recipient as recipient where recipient.contact_id = contact.id and recipient.unsubscribed_at is not null;

-- Objects that are older than the mails.
update account set created_at = now() - interval '76 days', email_verified_at = now() - interval '76 days' + interval '4 minutes';
update domain set created_at = now() - interval '75 days' + interval '1 day' * rank,
       verified_at = case when verified_at is not null then now() - interval '75 days' + interval '1 day' * rank + interval '11 minutes' end
  from (select id, row_number() over (order by id) as rank from domain) as ranked where ranked.id = domain.id;
update dkim_key set created_at = domain.created_at from domain where domain.id = domain_id;
update api_key set created_at = now() - interval '73 days',
       last_used_at = case when last_used_at is not null then now() - interval '4 minutes' end;
update template set created_at = now() - interval '60 days' + interval '9 days' * rank,
       updated_at = now() - interval '50 days' + interval '9 days' * rank
  from (select id, row_number() over (order by id) as rank from template) as ranked where ranked.id = template.id;
update contact_book set created_at = now() - interval '72 days', updated_at = now() - interval '72 days';
update suppression set created_at = now() - interval '31 days' * (0.2 + pg_temp.share(id::text)) where reason = 'manual';
update suppression set created_at = refused.at
  from (select lower(recipient) as address, min(settled_at) as at from delivery
         where status in ('bounced', 'complained') group by 1) as refused
 where refused.address = suppression.address and reason in ('hard_bounce', 'complaint');
update audit set created_at = now() - interval '75 days' + interval '7 hours' * rank
  from (select id, row_number() over (order by id) as rank from audit) as ranked where ranked.id = audit.id;
update audit set id = pg_temp.id_at(created_at);

-- A domain has lost its records, which only DNS can show; it is not checked again.
update domain set status = 'failed', failing_since = now() - interval '6 days', recheck_at = null,
       checked_at = now() - interval '35 minutes', checks = (
           select jsonb_object_agg(key, jsonb_build_object('status', 'failed', 'error',
                      'Expected the record ' || split_part(key, ' ', 2) || ', found nothing'))
             from jsonb_object_keys(checks) as key)
 where name = 'events.quillmoor.example';

-- Inbound mail, with verdicts that need the senders' DNS and scanners.
update inbound_email as mail
   set created_at = now() - interval '19 days' + interval '44 hours' * rank - interval '3 minutes' * rank * rank,
       spf_verdict = case when suspect then 'FAIL' else 'PASS' end,
       dkim_verdict = case when suspect then 'FAIL' when rank = 3 then 'GRAY' else 'PASS' end,
       dmarc_verdict = case when suspect then 'FAIL' else 'PASS' end,
       spam_verdict = case when from_email = 'prize@lucky-draw.example' then 'FAIL' when rank = 9 then 'GRAY' else 'PASS' end,
       virus_verdict = case when rank = 2 then 'PROCESSING_FAILED' else 'PASS' end
  from (select id, row_number() over (order by id) as rank,
               from_email in ('prize@lucky-draw.example', 'orders@quillmoor.example') as suspect
          from inbound_email) as ranked
 where ranked.id = mail.id;

-- Events: at the time of what they report.
update event set created_at = coalesce(
    (select at from reaction where reaction.id = event.id),
    case when kind in ('email.sent', 'email.delivered', 'email.bounced', 'email.failed', 'email.suppressed')
         then (select settled_at from delivery where delivery.email_id = event.email_id
                  and delivery.recipient = event.data ->> 'recipient' order by settled_at desc limit 1)
         when kind = 'email.delivery_delayed'
         then (select min(began_at) from delivery_attempt where delivery_attempt.account_id = event.account_id
                  and delivery_attempt.email_id = event.email_id)
         when kind = 'email.cancelled' then (select email.created_at + interval '7 minutes' from email where email.id = event.email_id)
         when kind = 'email.received' then (select inbound_email.created_at from inbound_email
                                             where inbound_email.id::text in (event.data ->> 'id', event.data ->> 'email_id'))
         when event.email_id is not null then (select email.created_at from email where email.id = event.email_id)
         when kind = 'contact.unsubscribed' then (select contact.updated_at from contact where contact.id::text = event.data ->> 'id')
         when kind like 'contact.%' then (select case kind when 'contact.created' then contact.created_at else contact.updated_at end
                                            from contact where contact.id = (event.data ->> 'id')::uuid)
         when kind = 'campaign.started' then (select started_at from campaign where campaign.id = (event.data ->> 'id')::uuid)
         when kind like 'campaign.%' then (select updated_at from campaign where campaign.id = (event.data ->> 'id')::uuid)
         when kind like 'domain.%' then (select verified_at from domain where domain.id = (event.data ->> 'id')::uuid) end,
    event.created_at);

-- Their ids in the order of their times, and no transaction that is newer, for the feed.
create temp table renamed on commit drop as select id, pg_temp.id_at(created_at) as new_id, created_at from event;
create unique index on renamed (id);
analyze renamed;
update event set id = renamed.new_id, transaction_id = '0' from renamed where renamed.id = event.id;
update webhook_delivery set event_id = new_id, created_at = renamed.created_at,
       body = replace(body, renamed.id::text, new_id::text)
  from renamed where renamed.id = event_id;

-- Webhook calls: attempts soon after the event, later ones with the usual delays.
update webhook_attempt as attempt
   set attempted_at = least(call.created_at + interval '400 ms'
           + (array['0', '5 s', '5 min', '35 min', '155 min', '455 min']::interval[])[least(rank, 6)],
           now() - interval '90 seconds' + interval '2 seconds' * rank)
  from (select id, row_number() over (partition by delivery_id order by id)::int as rank from webhook_attempt) as ranked,
       webhook_delivery as call
 where ranked.id = attempt.id and call.id = attempt.delivery_id;
update webhook_delivery as call
   set due_at = case when status = 'pending' then now() + interval '14 minutes' else last end,
       settled_at = case when settled_at is not null then last end
  from (select delivery_id, max(attempted_at) as last from webhook_attempt group by 1) as tried
 where tried.delivery_id = call.id;
update webhook_endpoint set created_at = now() - interval '58 days',
       disabled_at = case when disabled_at is not null then (
           select max(settled_at) from webhook_delivery where endpoint_id = webhook_endpoint.id) end;
update webhook_state set next_due_at = case when failures > 0 then now() + interval '4 minutes' else next_due_at end,
       failing_since = case when failures > 0 then (
           select min(attempted_at) from webhook_attempt join webhook_delivery on webhook_delivery.id = delivery_id
            where webhook_delivery.endpoint_id = webhook_state.endpoint_id) end;

-- Counts by day.
delete from quota_use;
insert into quota_use (account_id, period, starts_on, used)
select account_id, period, date_trunc(period, created_at at time zone 'UTC')::date, count(*)
  from email cross join (values ('day'), ('month')) as of(period) where last_event <> 'cancelled' group by 1, 2, 3;

create temp table outcome on commit drop as
select delivery.account_id, domain_id, (settled_at at time zone 'UTC')::date as day, delivery.status,
       delivery.status = 'bounced' and exists (
           select from event where event.email_id = email.id and kind = 'email.bounced'
              and data ->> 'recipient' = recipient and data -> 'bounce' ->> 'type' = 'hard') as hard,
       coalesce(substring(delivery.reply from '5\.[0-7]\.\d{1,2}'), 'other') as code
  from delivery join email on email.id = email_id
 where settled_at is not null and recipient not like '%@simulator.%';
delete from reputation_day;
insert into reputation_day (account_id, domain_id, day, delivered, hard_bounced, other_bounced, complained)
select account_id, domain_id, day, count(*) filter (where status in ('delivered', 'complained')),
       count(*) filter (where hard), count(*) filter (where status = 'bounced' and not hard),
       count(*) filter (where status = 'complained')
  from outcome where status in ('delivered', 'bounced', 'complained') group by 1, 2, 3;
delete from reputation_cause;
insert into reputation_cause (account_id, domain_id, day, cause, count)
select account_id, domain_id, day, case when hard then code else 'complaint' end, count(*)
  from outcome where hard or status = 'complained' group by 1, 2, 3, 4;

-- Results of campaigns by minute.
delete from campaign_minute;
insert into campaign_minute (campaign_id, account_id, minute, slot, sent, delivered, bounced, complained, failed, opened,
                             clicked, unsubscribed, skipped)
select campaign_id, account_id, date_trunc('minute', at), 0, sum(sent), sum(delivered), sum(bounced), sum(complained),
       sum(failed), sum(opened), sum(clicked), sum(unsubscribed), sum(skipped)
  from (select email.campaign_id, email.account_id, delivery.settled_at as at,
               (email.status in ('sent', 'delivered', 'bounced', 'complained'))::int as sent,
               (email.status in ('delivered', 'complained'))::int as delivered, (email.status = 'bounced')::int as bounced,
               0 as complained, (email.status = 'failed' and last_event not in ('suppressed', 'cancelled'))::int as failed,
               0 as opened, 0 as clicked, 0 as unsubscribed,
               (email.status = 'failed' and last_event in ('suppressed', 'cancelled'))::int as skipped
          from email join delivery on delivery.email_id = email.id
         where campaign_id is not null and settled_at is not null
         union all
        select campaign_id, email.account_id, min(event.created_at), 0, 0, 0, (kind = 'email.complained')::int, 0,
               (kind = 'email.opened')::int, (kind = 'email.clicked')::int, 0, 0
          from email join event on event.email_id = email.id
         where campaign_id is not null
           and (kind = 'email.opened' and open_count > 0 or kind = 'email.clicked' and click_count > 0
                or kind = 'email.complained' and status = 'complained')
         group by campaign_id, email.account_id, email.id, kind
         union all
        select campaign_id, account_id, unsubscribed_at, 0, 0, 0, 0, 0, 0, 0, 1, 0
          from campaign_recipient where unsubscribed_at is not null
         union all
        select campaign_id, recipient.account_id, campaign.started_at, 0, 0, 0, 0, 0, 0, 0, 0, 1
          from campaign_recipient as recipient join campaign on campaign.id = campaign_id where email_id is null
       ) as change
 group by 1, 2, 3;

-- Counts of the platform.
delete from traffic;
insert into traffic (period, at, accepted, delivered, bounced, failed, deferred, requests, sends)
select period, date_trunc(period, at at time zone 'UTC') at time zone 'UTC', sum(accepted), sum(delivered), sum(bounced),
       sum(failed), sum(deferred), sum(accepted), sum(accepted)
  from (select created_at as at, 1 as accepted, 0 as delivered, 0 as bounced, 0 as failed, 0 as deferred from email
         union all
        select settled_at, 0, (status in ('sent', 'delivered', 'complained'))::int, (status = 'bounced')::int, (status = 'failed')::int, 0
          from delivery where settled_at is not null
         union all
        select began_at, 0, 0, 0, 0, 1 from delivery_attempt where outcome = 'deferred') as counted
 cross join (values ('minute', interval '2 days'), ('hour', interval '30 days'), ('day', interval '31 days')) as kept(period, age)
 where at between now() - age and now()
 group by 1, 2;
