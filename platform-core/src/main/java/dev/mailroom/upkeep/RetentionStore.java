package dev.mailroom.upkeep;

import java.time.Duration;
import java.time.Instant;
import java.util.UUID;

import dev.mailroom.AcrossAccounts;
import dev.mailroom.database.IdRange;
import dev.mailroom.database.SqlStatement;

import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;

/**
 * SQL of the removal of old rows. Ids are UUIDv7: the oldest rows come first in the
 * primary key. No index on the creation time is needed.
 */
@Repository
@AcrossAccounts("retention periods are the same for all accounts")
class RetentionStore {

	/** Limit on the difference between the clocks of the processes that create ids. */
	private static final Duration CLOCK_DIFFERENCE = Duration.ofDays(1);

	/** Removes events, including those of existing mails and those of no mail. */
	long events(JdbcClient jdbc, UUID before, int limit) {
		return SqlStatement.of("""
				delete from event where id in (select id from event where id < :before order by id limit :limit)
				""").bind("before", before).bind("limit", limit).update(jdbc);
	}

	/** Removes aggregate reports with their rows. */
	long reports(JdbcClient jdbc, UUID before, int limit) {
		return SqlStatement.of("""
				delete from dmarc_report where id in (
				    select id from dmarc_report where id < :before order by id limit :limit for update skip locked)
				""").bind("before", before).bind("limit", limit).update(jdbc);
	}

	/** Removes reports about TLS with their failures. */
	long tlsReports(JdbcClient jdbc, UUID before, int limit) {
		return SqlStatement.of("""
				delete from tls_report where id in (
				    select id from tls_report where id < :before order by id limit :limit for update skip locked)
				""").bind("before", before).bind("limit", limit).update(jdbc);
	}

	/** Removes figures of providers. */
	long providerFigures(JdbcClient jdbc, Instant before, int limit) {
		return SqlStatement.of("""
				delete from provider_day where (account_id, domain_id, day, provider) in (
				    select account_id, domain_id, day, provider from provider_day
				     where day < (:before::timestamptz at time zone 'UTC')::date order by day limit :limit
				       for update skip locked)
				""").bind("before", before).bind("limit", limit).update(jdbc);
	}

	/** Removes finished calls to webhook endpoints, with their attempts. */
	long calls(JdbcClient jdbc, UUID before, int limit) {
		return SqlStatement.of("""
				with old as materialized (
				    select id, event_id from webhook_delivery
				     where id < :before and event_id < :events_before and status <> 'pending' order by id limit :limit
				       for update skip locked),
				attempts as (
				    delete from webhook_attempt using old where webhook_attempt.delivery_id = old.id)
				delete from webhook_delivery using old
				 where webhook_delivery.id = old.id and webhook_delivery.event_id = old.event_id
				""")
			.bind("before", before)
			// A difference of the clocks; it excludes the partitions of later events.
			.bind("events_before", IdRange.lowest(IdRange.time(before).plus(CLOCK_DIFFERENCE)))
			.bind("limit", limit)
			.update(jdbc);
	}

	/** Removes the content of inbound mails, with their attachments. */
	long inboundBodies(JdbcClient jdbc, UUID before, int limit) {
		return SqlStatement.of("""
				with old as materialized (
				    select inbound_email_id as id, account_id, outside from inbound_content
				     where inbound_email_id < :before order by inbound_email_id limit :limit for update skip locked),
				loosened as (
				    insert into blob_loose (account_id, owner_id, part, due_at)
				    select account_id, id, unnest(outside), now() from old where outside is not null
				    on conflict (account_id, owner_id, part) do update set due_at = excluded.due_at),
				files as (
				    delete from inbound_attachment using old where inbound_attachment.inbound_email_id = old.id)
				delete from inbound_content using old where inbound_content.inbound_email_id = old.id
				""").bind("before", before).bind("limit", limit).update(jdbc);
	}

	/** Removes inbound mails, with their content if it still exists. */
	long inboundMails(JdbcClient jdbc, UUID before, int limit) {
		return SqlStatement.of("""
				with old as materialized (
				    select id from inbound_email where id < :before order by id limit :limit for update skip locked),
				loosened as (
				    insert into blob_loose (account_id, owner_id, part, due_at)
				    select account_id, inbound_email_id, unnest(outside), now()
				      from inbound_content join old on old.id = inbound_email_id where outside is not null
				    on conflict (account_id, owner_id, part) do update set due_at = excluded.due_at)
				delete from inbound_email using old where inbound_email.id = old.id
				""").bind("before", before).bind("limit", limit).update(jdbc);
	}

	/**
	 * Removes recipients of a campaign that was deleted, or sent before a time, with the
	 * links that they clicked. The campaigns are found one by one in the primary key.
	 */
	long campaignRecipients(JdbcClient jdbc, Instant before, int limit) {
		return SqlStatement
			.of("""
					with recursive seen(campaign_id) as (
					    (select campaign_id from campaign_recipient order by campaign_id limit 1)
					    union all
					    select (select recipient.campaign_id from campaign_recipient recipient
					             where recipient.campaign_id > seen.campaign_id order by recipient.campaign_id limit 1)
					      from seen where seen.campaign_id is not null),
					old as materialized (
					    select seen.campaign_id from seen left join campaign on campaign.id = seen.campaign_id
					     where seen.campaign_id is not null
					       and (campaign.id is null or campaign.status = 'sent' and campaign.updated_at < :before)
					     limit 1),
					gone as (
					    delete from campaign_recipient where (campaign_id, contact_id) in (
					        select recipient.campaign_id, contact_id from campaign_recipient recipient join old using (campaign_id)
					         order by contact_id limit :limit for update of recipient skip locked)
					    returning campaign_id, email_id),
					clicked as (
					    delete from campaign_link_person using gone
					     where campaign_link_person.campaign_id = gone.campaign_id
					       and campaign_link_person.email_id = gone.email_id)
					select count(*) from gone
					""")
			.bind("before", before)
			.bind("limit", limit)
			.value(jdbc, Long.class);
	}

	/** Removes dead letters. */
	long deadLetters(JdbcClient jdbc, Instant before, int limit) {
		return SqlStatement.of("""
				delete from dead_letter where id in (
				    select id from dead_letter where died_at < :before order by died_at limit :limit
				       for update skip locked)
				""").bind("before", before).bind("limit", limit).update(jdbc);
	}

	/**
	 * Removes links one day later, because {@code Links} caches for a day that they
	 * exist.
	 */
	long links(JdbcClient jdbc, Instant before, int limit) {
		return SqlStatement.of("""
				delete from tracked_link where (account_id, id) in (
				    select account_id, id from tracked_link where used_on < (:before at time zone 'UTC')::date - 1
				     order by used_on limit :limit for update skip locked)
				""").bind("before", before).bind("limit", limit).update(jdbc);
	}

	/** Removes entries of the audit log. */
	long audit(JdbcClient jdbc, UUID before, int limit) {
		return SqlStatement.of("select remove_audit(:before, :limit)")
			.bind("before", before)
			.bind("limit", limit)
			.value(jdbc, Long.class);
	}

	/**
	 * Removes counts of the platform: minutes after two days, hours after sixty, days
	 * after three years.
	 */
	long traffic(JdbcClient jdbc, int limit) {
		return SqlStatement.of("""
				delete from traffic where (period, at) in (
				    select period, at from traffic
				     where period = 'minute' and at < now() - interval '2 days'
				        or period = 'hour' and at < now() - interval '60 days'
				        or period = 'day' and at < now() - interval '3 years'
				     limit :limit for update skip locked)
				""").bind("limit", limit).update(jdbc);
	}

	/** Removes refusals without a reason, which no longer count. */
	long unexplainedRefusals(JdbcClient jdbc, int limit) {
		return SqlStatement.of("""
				delete from unexplained_refusal where (account_id, address) in (
				    select account_id, address from unexplained_refusal
				     where day < (now() at time zone 'UTC')::date - 30 order by day limit :limit for update skip locked)
				""").bind("limit", limit).update(jdbc);
	}

	/** Removes numbers of forwarded mails. */
	long forwards(JdbcClient jdbc, int limit) {
		return SqlStatement.of("""
				delete from forward_hour where (account_id, domain_id, hour, result) in (
				    select account_id, domain_id, hour, result from forward_hour
				     where hour < now() - interval '31 days' order by hour limit :limit for update skip locked)
				""").bind("limit", limit).update(jdbc);
	}

	long idempotencyKeys(JdbcClient jdbc, int limit) {
		return SqlStatement.of("""
				delete from idempotency_key where (account_id, route, key) in (
				    select account_id, route, key from idempotency_key where created_at < now() - interval '24 hours'
				     order by created_at limit :limit for update skip locked)
				""").bind("limit", limit).update(jdbc);
	}

	/** Whether an account is being moved to this cell. */
	boolean accountArrives(JdbcClient jdbc) {
		return SqlStatement.of("select exists (select from account where email_key like 'moving:%')")
			.value(jdbc, Boolean.class);
	}

	long tokens(JdbcClient jdbc, int limit) {
		return SqlStatement.of("""
				delete from one_time_token where hash in (
				    select hash from one_time_token where expires_at < now() limit :limit for update skip locked)
				""").bind("limit", limit).update(jdbc);
	}

	/** Programs that still poll learn for some minutes that their sign-in has expired. */
	long deviceSignIns(JdbcClient jdbc, int limit) {
		return SqlStatement.of("""
				delete from device_sign_in where device_hash in (
				    select device_hash from device_sign_in where expires_at < now() - interval '10 minutes'
				     limit :limit for update skip locked)
				""").bind("limit", limit).update(jdbc);
	}

	long sessions(JdbcClient jdbc, int limit) {
		return SqlStatement.of("""
				delete from session where id in (
				    select id from session where expires_at < now() limit :limit for update skip locked)
				""").bind("limit", limit).update(jdbc);
	}

}
