package dev.mailroom.mail.outcome;

import java.time.Instant;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import com.fasterxml.uuid.NoArgGenerator;
import dev.mailroom.AcrossAccounts;
import dev.mailroom.database.Columns;
import dev.mailroom.database.SqlStatement;
import dev.mailroom.source.SendingSources;
import dev.mailroom.source.SourceWarmup;
import org.jspecify.annotations.Nullable;

import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;

import static dev.mailroom.database.RowColumns.text;
import static dev.mailroom.database.RowColumns.value;

/**
 * SQL of what a settlement records besides deliveries and mails: attempts, dead letters,
 * suppressed addresses, the reputation of senders, and figures by provider. Each
 * statement handles a group, in the transaction that settles it, and inserts rows in the
 * order of their keys.
 */
@Repository
@AcrossAccounts("rows of a group, each with its own account")
class SettlementStore {

	private final NoArgGenerator ids;

	private final SendingSources sources;

	SettlementStore(NoArgGenerator ids, SendingSources sources) {
		this.ids = ids;
		this.sources = sources;
	}

	/**
	 * Records the attempts of a group. A settlement without effect belongs to a void
	 * lease and is not recorded, but a hand-over without a reply is.
	 */
	void insertAttempts(JdbcClient jdbc, List<Settlement> settlements, List<SettledDelivery> settled) {
		Map<UUID, Settlement.Attempt> attempts = Settlement.attempts(settlements);
		List<SettledAttempt> rows = settled.stream()
			.flatMap((delivery) -> Stream.ofNullable(attempts.get(delivery.id()))
				.map((attempt) -> new SettledAttempt(delivery, attempt)))
			.toList();
		if (!rows.isEmpty()) {
			insertAnswered(jdbc, rows);
		}
		List<Unanswered> unanswered = new ArrayList<>();
		for (Settlement settlement : settlements) {
			if (settlement.outcome() instanceof Outcome.Unanswered(int number) && settlement.attempt() != null) {
				unanswered.add(new Unanswered(settlement.lease().delivery(), number, settlement.attempt()));
			}
		}
		if (!unanswered.isEmpty()) {
			insertUnanswered(jdbc, unanswered);
		}
	}

	private void insertAnswered(JdbcClient jdbc, List<SettledAttempt> settled) {
		Columns<SettledAttempt> columns = Columns.of(settled);
		bindAttempts(SqlStatement
			.of("""
					insert into delivery_attempt (id, account_id, email_id, delivery_id, attempt, began_at, took_ms, outcome,
					                              transport, host, address, tls, reply, conversation, source)
					select * from unnest(:ids::uuid[], :accounts::uuid[], :emails::uuid[], :deliveries::uuid[],
					                     :attempts::int[], :began::timestamptz[], :took::bigint[], :outcomes::text[],
					                     :transports::text[], :hosts::text[], :addresses::text[], :tls::text[],
					                     :replies::text[], :conversations::text[], :sources::text[])
					""")
			.bind("ids", columns.uuids((_) -> this.ids.generate()))
			.bind("accounts", columns.uuids((one) -> one.delivery().accountId()))
			.bind("emails", columns.uuids((one) -> one.delivery().emailId()))
			.bind("deliveries", columns.uuids((one) -> one.delivery().id()))
			.bind("attempts", columns.integers((one) -> one.delivery().attempt()))
			.bind("outcomes", columns.texts((one) -> one.delivery().result().shown().contractName()))
			.bind("replies", columns.texts((one) -> one.delivery().reply())), settled, SettledAttempt::attempt)
			.update(jdbc);
	}

	/**
	 * Inserts hand-overs without a reply, regardless of the present status of their
	 * deliveries, unless they were inserted before.
	 */
	private void insertUnanswered(JdbcClient jdbc, List<Unanswered> unanswered) {
		Columns<Unanswered> columns = Columns.of(unanswered);
		bindAttempts(SqlStatement
			.of("""
					insert into delivery_attempt (id, account_id, email_id, delivery_id, attempt, began_at, took_ms, outcome,
					                              transport, host, address, tls, conversation, source)
					select input.id, account_id, email_id, delivery.id, input.attempt, began_at, took_ms, 'unanswered',
					       transport, host, address, tls, conversation, source
					  from unnest(:ids::uuid[], :deliveries::uuid[], :attempts::int[], :began::timestamptz[],
					              :took::bigint[], :transports::text[], :hosts::text[], :addresses::text[],
					              :tls::text[], :conversations::text[], :sources::text[])
					       as input(id, delivery, attempt, began_at, took_ms, transport, host, address, tls, conversation,
					                source)
					  join delivery on delivery.id = input.delivery
					 where not exists (select from delivery_attempt as stored
					                    where stored.account_id = delivery.account_id
					                      and stored.email_id = delivery.email_id
					                      and stored.delivery_id = delivery.id and stored.began_at = input.began_at)
					""")
			.bind("ids", columns.uuids((_) -> this.ids.generate()))
			.bind("deliveries", columns.uuids(Unanswered::delivery))
			.bind("attempts", columns.integers(Unanswered::number)), unanswered, Unanswered::attempt).update(jdbc);
	}

	private static <R> SqlStatement bindAttempts(SqlStatement insert, List<R> rows,
			Function<R, Settlement.Attempt> attempt) {
		Columns<Settlement.Attempt> columns = Columns.of(rows.stream().map(attempt).toList());
		return insert.bind("began", columns.array(Settlement.Attempt::began, Instant[]::new))
			.bind("took", columns.longs((one) -> one.took().toMillis()))
			.bind("transports", columns.texts(Settlement.Attempt::transport))
			.bind("hosts", columns.texts(Settlement.Attempt::host))
			.bind("addresses", columns.texts(Settlement.Attempt::address))
			.bind("tls", columns.texts(Settlement.Attempt::tls))
			.bind("conversations", columns.texts(Settlement.Attempt::conversation))
			.bind("sources", columns.texts(Settlement.Attempt::source));
	}

	/**
	 * Records the dead letters of a group; a delivery that failed before keeps its
	 * {@code requeued_at}.
	 */
	void insertDeadLetters(JdbcClient jdbc, List<Settlement> settlements, List<SettledDelivery> settled) {
		Set<UUID> dead = settlements.stream()
			.filter((one) -> one.outcome() instanceof Outcome.Failed failed && failed.dead())
			.map((one) -> one.lease().delivery())
			.collect(Collectors.toSet());
		List<SettledDelivery> rows = settled.stream().filter((delivery) -> dead.contains(delivery.id())).toList();
		if (rows.isEmpty()) {
			return;
		}
		Columns<SettledDelivery> columns = Columns.of(rows);
		SqlStatement.of("""
				insert into dead_letter (id, account_id, what, why, email_id, delivery_id, died_at)
				select id, account_id, 'mail', why, email_id, id, now()
				  from unnest(:ids::uuid[], :accounts::uuid[], :reasons::text[], :emails::uuid[])
				       as dead(id, account_id, why, email_id)
				 order by id
				on conflict (id) do update set why = excluded.why, died_at = excluded.died_at
				""")
			.bind("ids", columns.uuids(SettledDelivery::id))
			.bind("accounts", columns.uuids(SettledDelivery::accountId))
			.bind("reasons", columns.texts(SettledDelivery::reply))
			.bind("emails", columns.uuids(SettledDelivery::emailId))
			.update(jdbc);
	}

	/**
	 * Records addresses that were refused without a reason.
	 * @return the deliveries whose address was refused like this on an earlier day
	 */
	Set<UUID> refuseUnexplained(JdbcClient jdbc, List<SettledDelivery> refused) {
		if (refused.isEmpty()) {
			return Set.of();
		}
		Columns<SettledDelivery> columns = Columns.of(refused);
		return Set.copyOf(SqlStatement.of("""
				with refused as (
				    select * from unnest(:ids::uuid[], :accounts::uuid[], :addresses::text[])
				         as refused(id, account_id, address)),
				known as (
				    insert into unexplained_refusal as known (account_id, address, day)
				    select distinct account_id, address, (now() at time zone 'UTC')::date from refused
				     order by account_id, address
				    on conflict (account_id, address) do update
				       -- retention may not have removed an old refusal yet
				       set day = case when known.day < excluded.day - 30 then excluded.day else known.day end
				    returning account_id, address, day)
				select refused.id from refused join known using (account_id, address)
				 where known.day < (now() at time zone 'UTC')::date
				""")
			.bind("ids", columns.uuids(SettledDelivery::id))
			.bind("accounts", columns.uuids(SettledDelivery::accountId))
			.bind("addresses", columns.texts(SettledDelivery::address))
			.list(jdbc, (row) -> value(row, "id", UUID.class)));
	}

	/** Suppresses addresses; an existing entry stays as it is. */
	void suppress(JdbcClient jdbc, List<SettledDelivery.Suppressed> suppressed) {
		if (suppressed.isEmpty()) {
			return;
		}
		Columns<SettledDelivery.Suppressed> columns = Columns.of(suppressed);
		SqlStatement.of("""
				insert into suppression (id, account_id, address, reason, created_at)
				select distinct on (account_id, address) id, account_id, address, reason, now()
				  from unnest(:ids::uuid[], :accounts::uuid[], :addresses::text[], :reasons::text[])
				       as suppressed(id, account_id, address, reason)
				 order by account_id, address
				on conflict (account_id, address) do nothing
				""")
			.bind("ids", columns.uuids((_) -> this.ids.generate()))
			.bind("accounts", columns.uuids(SettledDelivery.Suppressed::accountId))
			.bind("addresses", columns.texts(SettledDelivery.Suppressed::address))
			.bind("reasons", columns.texts((one) -> one.reason().contractName()))
			.update(jdbc);
	}

	/**
	 * Counts the mails of a group, the attempts at each provider, and the causes of
	 * bounces and complaints. To be called at the end of the transaction, because the
	 * domain's row stays locked until the commit. Both tables are written by one
	 * statement, and locked in the same order by all transactions.
	 */
	void count(JdbcClient jdbc, List<ReputationCount> counts, List<ProviderCount> providers) {
		if (counts.isEmpty() && providers.isEmpty()) {
			return;
		}
		Columns<ProviderCount> columns = Columns.of(providers);
		bindCounts(
				SqlStatement
					.of("""
							with providers as (
							    insert into provider_day (account_id, domain_id, day, provider, delivered, unencrypted, deferred, blocked)
							    select account_id, domain_id, (now() at time zone 'UTC')::date, provider,
							           count(*) filter (where metric in ('DELIVERED', 'UNENCRYPTED')),
							           count(*) filter (where metric = 'UNENCRYPTED'),
							           count(*) filter (where metric = 'DEFERRED'), count(*) filter (where metric = 'BLOCKED')
							      from unnest(:provider_accounts::uuid[], :provider_domains::uuid[], :providers::text[],
							                  :provider_metrics::text[])
							           as attempt(account_id, domain_id, provider, metric)
							     group by account_id, domain_id, provider order by account_id, domain_id, provider
							    on conflict (account_id, domain_id, day, provider) do update
							       set delivered = provider_day.delivered + excluded.delivered,
							           unencrypted = provider_day.unencrypted + excluded.unencrypted,
							           deferred = provider_day.deferred + excluded.deferred,
							           blocked = provider_day.blocked + excluded.blocked)
							insert into reputation_day (account_id, domain_id, day, delivered, sent, hard_bounced, other_bounced, complained)
							select account_id, domain_id, (now() at time zone 'UTC')::date,
							       count(*) filter (where metric = 'DELIVERED'), count(*) filter (where metric = 'SENT'),
							       count(*) filter (where metric = 'HARD_BOUNCED'), count(*) filter (where metric = 'OTHER_BOUNCED'),
							       count(*) filter (where metric = 'COMPLAINED')
							  from unnest(:accounts::uuid[], :domains::uuid[], :values::text[]) as mail(account_id, domain_id, metric)
							 group by account_id, domain_id order by account_id, domain_id
							on conflict (account_id, domain_id, day) do update
							   set delivered = reputation_day.delivered + excluded.delivered,
							       sent = reputation_day.sent + excluded.sent,
							       hard_bounced = reputation_day.hard_bounced + excluded.hard_bounced,
							       other_bounced = reputation_day.other_bounced + excluded.other_bounced,
							       complained = reputation_day.complained + excluded.complained
							"""),
				counts, (count) -> count.metric().name())
			.bind("provider_accounts", columns.uuids(ProviderCount::accountId))
			.bind("provider_domains", columns.uuids(ProviderCount::domainId))
			.bind("providers", columns.texts(ProviderCount::provider))
			.bind("provider_metrics", columns.texts((count) -> count.metric().name()))
			.update(jdbc);
		countCauses(jdbc, counts);
	}

	/**
	 * Changes the counts of earlier days. As {@link #count}, to be called at the end of
	 * the transaction.
	 * @param complained deliveries whose mails were reported as spam
	 */
	void correct(JdbcClient jdbc, List<ReputationCount.Correction> corrections,
			List<FeedbackReport.Effect> complained) {
		if (corrections.isEmpty()) {
			return;
		}
		Columns<ReputationCount.Correction> columns = Columns.of(corrections);
		List<ReputationCount> counts = corrections.stream().map(ReputationCount.Correction::count).toList();
		bindCounts(SqlStatement.of("""
				insert into reputation_day as counted
				       (account_id, domain_id, day, delivered, sent, hard_bounced, other_bounced, complained,
				        unverified_bounced, unverified_complained)
				select account_id, domain_id, day,
				       coalesce(sum(change) filter (where metric = 'DELIVERED'), 0),
				       coalesce(sum(change) filter (where metric = 'SENT'), 0),
				       coalesce(sum(change) filter (where metric = 'HARD_BOUNCED'), 0),
				       coalesce(sum(change) filter (where metric = 'OTHER_BOUNCED'), 0),
				       coalesce(sum(change) filter (where metric = 'COMPLAINED'), 0),
				       coalesce(sum(change) filter (where metric = 'HARD_BOUNCED' and not verified), 0),
				       coalesce(sum(change) filter (where metric = 'COMPLAINED' and not verified), 0)
				  from unnest(:accounts::uuid[], :domains::uuid[], :days::date[], :values::text[], :changes::int[],
				              :verified::boolean[])
				       as correction(account_id, domain_id, day, metric, change, verified)
				 group by account_id, domain_id, day order by account_id, domain_id, day
				on conflict (account_id, domain_id, day) do update
				   set delivered = counted.delivered + excluded.delivered,
				       sent = counted.sent + excluded.sent,
				       hard_bounced = counted.hard_bounced + excluded.hard_bounced,
				       other_bounced = counted.other_bounced + excluded.other_bounced,
				       complained = counted.complained + excluded.complained,
				       unverified_bounced = counted.unverified_bounced + excluded.unverified_bounced,
				       unverified_complained = counted.unverified_complained + excluded.unverified_complained
				"""), counts, (count) -> count.metric().name())
			.bind("days", columns.array(ReputationCount.Correction::day, LocalDate[]::new))
			.bind("changes", columns.integers(ReputationCount.Correction::change))
			.bind("verified", columns.booleans(ReputationCount.Correction::verified))
			.update(jdbc);
		if (!complained.isEmpty()) {
			countComplaints(jdbc, complained);
		}
		countCauses(jdbc, counts);
	}

	/**
	 * Counts complaints for the providers whose servers took the mails, and verified ones
	 * for the addresses that sent them.
	 */
	private void countComplaints(JdbcClient jdbc, List<FeedbackReport.Effect> complained) {
		Columns<FeedbackReport.Effect> columns = Columns.of(complained);
		List<SourceWarmup.Complaint> ofSources = new ArrayList<>();
		List<ProviderCount> counts = SqlStatement.of("""
				select complaint.account_id, complaint.domain_id, taken.transport, taken.host,
				       case when complaint.verified then taken.source end as source
				  from unnest(:ids::uuid[], :accounts::uuid[], :domains::uuid[], :emails::uuid[], :verified::boolean[])
				       as complaint(id, account_id, domain_id, email_id, verified)
				  cross join lateral (
				    select transport, host, source from delivery_attempt as attempt
				     where attempt.account_id = complaint.account_id and attempt.email_id = complaint.email_id
				       and attempt.delivery_id = complaint.id and attempt.outcome in ('delivered', 'sent')
				     order by attempt.id desc limit 1) as taken
				""")
			.bind("ids", columns.uuids((one) -> one.delivery().id()))
			.bind("accounts", columns.uuids((one) -> one.delivery().accountId()))
			.bind("domains", columns.uuids((one) -> one.delivery().domainId()))
			.bind("emails", columns.uuids((one) -> one.delivery().emailId()))
			.bind("verified", columns.booleans(FeedbackReport.Effect::verified))
			.list(jdbc, (row) -> {
				String provider = ProviderCount.provider(text(row, "transport"), text(row, "host"));
				Stream.ofNullable(row.get("source", String.class))
					.forEach((source) -> ofSources.add(new SourceWarmup.Complaint(source, provider)));
				return new ProviderCount(value(row, "account_id", UUID.class), value(row, "domain_id", UUID.class),
						provider, ProviderCount.Metric.COMPLAINED);
			});
		if (counts.isEmpty()) {
			return;
		}
		if (!ofSources.isEmpty()) {
			this.sources.complained(jdbc, ofSources);
		}
		Columns<ProviderCount> counted = Columns.of(counts);
		SqlStatement.of("""
				insert into provider_day (account_id, domain_id, day, provider, complained)
				select account_id, domain_id, (now() at time zone 'UTC')::date, provider, count(*)
				  from unnest(:accounts::uuid[], :domains::uuid[], :providers::text[])
				       as complaint(account_id, domain_id, provider)
				 group by account_id, domain_id, provider order by account_id, domain_id, provider
				on conflict (account_id, domain_id, day, provider) do update
				   set complained = provider_day.complained + excluded.complained
				""")
			.bind("accounts", counted.uuids(ProviderCount::accountId))
			.bind("domains", counted.uuids(ProviderCount::domainId))
			.bind("providers", counted.texts(ProviderCount::provider))
			.update(jdbc);
	}

	private static void countCauses(JdbcClient jdbc, List<ReputationCount> counts) {
		List<ReputationCount> caused = counts.stream().filter((count) -> count.cause() != null).toList();
		if (!caused.isEmpty()) {
			bindCounts(
					SqlStatement
						.of("""
								insert into reputation_cause (account_id, domain_id, day, cause, count)
								select account_id, domain_id, (now() at time zone 'UTC')::date, cause, count(*)
								  from unnest(:accounts::uuid[], :domains::uuid[], :values::text[]) as mail(account_id, domain_id, cause)
								 group by account_id, domain_id, cause order by account_id, domain_id, cause
								on conflict (account_id, domain_id, day, cause) do update
								   set count = reputation_cause.count + excluded.count
								"""),
					caused, ReputationCount::cause)
				.update(jdbc);
		}
	}

	private static SqlStatement bindCounts(SqlStatement insert, List<ReputationCount> counts,
			Function<ReputationCount, @Nullable String> value) {
		Columns<ReputationCount> columns = Columns.of(counts);
		return insert.bind("accounts", columns.uuids(ReputationCount::accountId))
			.bind("domains", columns.uuids(ReputationCount::domainId))
			.bind("values", columns.texts(value));
	}

	/** An attempt and the delivery that it settled. */
	private record SettledAttempt(SettledDelivery delivery, Settlement.Attempt attempt) {
	}

	/**
	 * A hand-over without a reply, which settled nothing.
	 *
	 * @param number number of the attempt, counted from one
	 */
	private record Unanswered(UUID delivery, int number, Settlement.Attempt attempt) {
	}

}
