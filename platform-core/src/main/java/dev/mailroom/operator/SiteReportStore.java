package dev.mailroom.operator;

import java.util.UUID;

import dev.mailroom.AcrossAccounts;
import dev.mailroom.source.PoolChoice;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

import org.springframework.r2dbc.core.DatabaseClient;
import org.springframework.stereotype.Repository;

/** SQL of the sites that workers report, and of what stops mail to them. */
@Repository
@AcrossAccounts("operators watch the whole platform")
class SiteReportStore {

	private final DatabaseClient database;

	SiteReportStore(DatabaseClient database) {
		this.database = database;
	}

	/** Each report of a destination has all connections of its worker to the site. */
	Flux<ManagedSite.Report> reports() {
		return this.database.sql("""
				with reported as (
				    select site, max(profile) as profile, max(connections) as connections,
				           max(connection_limit) as connection_limit,
				           max(case circuit when 'open' then 2 when 'half_open' then 1 else 0 end) as circuit,
				           min(closed_until) as closed_until, sum(handed) as handed
				      from destination_report where site is not null and seen_at > now() - interval '30 seconds'
				     group by worker_id, site)
				select site, max(profile) as profile,
				       (select count(distinct destination) from destination_report
				         where destination_report.site = reported.site
				           and seen_at > now() - interval '30 seconds') as domains,
				       sum(connections)::bigint as connections, sum(connection_limit)::bigint as connection_limit,
				       case max(circuit) when 2 then 'open' when 1 then 'half_open' else 'closed' end as circuit,
				       min(closed_until) as closed_until, sum(handed)::bigint as handed
				  from reported group by site order by handed desc, site limit 1000
				""").mapProperties(ManagedSite.Report.class).all();
	}

	/** Settings that apply to mail of an account; empty if there is no such account. */
	Mono<Choices> choices(UUID account, String domain, String destination, boolean campaign) {
		return this.database.sql("""
				select account.transport as account_transport, domain.transport as domain_transport,
				       coalesce(domain.require_tls, false) as require_tls, account.paused_reason, account.plan,
				       domain.id as domain_id,
				       (select reason from destination_hold
				         where destination = :destination and released_at is null) as hold_reason,
				       (select reason from queue_pause where campaign = :campaign) as queue_reason,
				       (select result from dane_seen
				         where domain = :destination and secure_until > now()) as dane_result,
				       sts.mode as sts_mode, sts.result as sts_result
				  from account left join domain on domain.account_id = account.id and domain.name = :domain
				       left join mta_sts_policy as sts on sts.domain = :destination and sts.mode <> 'none'
				             and sts.fetched_at + sts.max_age * interval '1 second' > now()
				 where account.id = :account
				""")
			.bind("account", account)
			.bind("domain", domain)
			.bind("destination", destination)
			.bind("campaign", campaign)
			.mapProperties(Choices.class)
			.one();
	}

	/** Policies about TLS that apply now, those that refused the last session first. */
	Flux<TlsDemand> tlsDemands() {
		return this.database.sql("""
				select * from (
				    select domain, 'dane' as policy, null as mode, result, secure_until as until from dane_seen
				    union all
				    select domain, 'mta_sts', mode, result, fetched_at + max_age * interval '1 second'
				      from mta_sts_policy where mode <> 'none') as demand
				 where until > now()
				 order by coalesce(result, '') not in ('refused', 'testing_failed'), domain, policy limit 200
				""").mapProperties(TlsDemand.class).all();
	}

	/** The name of what a pool is chosen for; empty if it does not exist. */
	Mono<String> label(PoolChoice.Kind kind, String key) {
		String sql = switch (kind) {
			case DOMAIN -> "select name from domain where id::text = :key";
			case ACCOUNT -> "select email from account where id::text = :key";
			case PLAN -> "select name from plan where name = :key";
			case PLATFORM -> "select 'all other mail' || :key";
		};
		return this.database.sql(sql).bind("key", key).mapValue(String.class).one();
	}

	/**
	 * Choices and stops.
	 *
	 * @param requireTls whether mail of the domain must be encrypted
	 * @param pausedReason why the account is paused; null if it is not
	 * @param domainId the domain; null if the account has none of that name
	 * @param holdReason why the destination is held; null if it is not, as the following
	 * @param daneResult result of the last session by DANE; null if the domain had no
	 * TLSA records
	 * @param stsMode mode of the MTA-STS policy; null for none
	 * @param stsResult its result in the last session; null before the first one
	 */
	record Choices(@Nullable String accountTransport, @Nullable String domainTransport, boolean requireTls,
			@Nullable String pausedReason, String plan, @Nullable UUID domainId, @Nullable String holdReason,
			@Nullable String queueReason, @Nullable String daneResult, @Nullable String stsMode,
			@Nullable String stsResult) {
	}

}
