package dev.mailroom.tlsreport;

import java.time.LocalDate;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;

import com.fasterxml.uuid.NoArgGenerator;
import dev.mailroom.Scope;
import dev.mailroom.database.Columns;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

import org.springframework.r2dbc.core.DatabaseClient;
import org.springframework.stereotype.Repository;

/** SQL of reports about TLS. */
@Repository
class TlsReportStore {

	/** Reports about a domain in a day. */
	private static final int MAX_REPORTS = 500;

	private static final String IN_PERIOD = """
			 tls_report.account_id = :account and domain_id = :domain
			   and begin_at >= :from::date at time zone 'UTC' and begin_at < :before::date at time zone 'UTC'
			""";

	private final DatabaseClient database;

	private final NoArgGenerator ids;

	TlsReportStore(DatabaseClient database, NoArgGenerator ids) {
		this.database = database;
		this.ids = ids;
	}

	/** Name of a domain, which cannot be deleted until the transaction ends. */
	Mono<String> lockName(Scope scope, UUID domain) {
		return this.database.sql("select name from domain where id = :id and account_id = :account for key share")
			.bind("id", domain)
			.bind("account", scope.account())
			.mapValue(String.class)
			.one();
	}

	/** Whether a domain has fewer reports today than it may get. */
	Mono<Boolean> hasRoom(Scope scope, UUID domain) {
		return this.database.sql("""
				select count(*) < :max from tls_report where account_id = :account and domain_id = :domain
				   and received_at >= date_trunc('day', now(), 'UTC')
				""")
			.bind("max", MAX_REPORTS)
			.bind("account", scope.account())
			.bind("domain", domain)
			.mapValue(Boolean.class)
			.one();
	}

	/** Inserts a report and its failures; empty if it is stored already. */
	Mono<UUID> insert(Scope scope, UUID domain, TlsReport report, String sender, boolean verified) {
		List<TlsReport.Policy> policies = report.policies();
		AtomicInteger position = new AtomicInteger();
		Columns<TlsReport.Failure> failures = Columns
			.of(policies.stream().flatMap((policy) -> policy.failures().stream()).toList());
		return this.database
			.sql("""
					with report as (
					    insert into tls_report (id, account_id, domain_id, sender, org, report_id, verified, begin_at, end_at,
					                            successful, failed, received_at)
					    values (:id, :account, :domain, :sender, :org, :report, :verified, :begin, :end, :successful, :failed,
					            now())
					    on conflict (domain_id, sender, report_id, verified) do nothing returning id),
					failures as (
					    insert into tls_report_failure (report_id, account_id, position, policy_type, result, source, mx_host,
					                                    reason, sessions)
					    select report.id, :account, input.*
					      from report, unnest(:positions::int[], :types::text[], :results::text[], :sources::text[],
					                          :hosts::text[], :reasons::text[], :sessions::bigint[]) as input)
					select id from report
					""")
			.bind("id", this.ids.generate())
			.bind("account", scope.account())
			.bind("domain", domain)
			.bind("sender", sender)
			.bind("org", report.org())
			.bind("report", report.id())
			.bind("verified", verified)
			.bind("begin", report.begin())
			.bind("end", report.end())
			.bind("successful", policies.stream().mapToLong(TlsReport.Policy::successful).sum())
			.bind("failed", policies.stream().mapToLong(TlsReport.Policy::failed).sum())
			.bind("positions", failures.integers((_) -> position.getAndIncrement()))
			.bind("types", failures.texts(TlsReport.Failure::policyType))
			.bind("results", failures.texts(TlsReport.Failure::result))
			.bind("sources", failures.texts(TlsReport.Failure::source))
			.bind("hosts", failures.texts(TlsReport.Failure::mxHost))
			.bind("reasons", failures.texts(TlsReport.Failure::reason))
			.bind("sessions", failures.longs(TlsReport.Failure::sessions))
			.mapValue(UUID.class)
			.one();
	}

	Mono<Sums> sums(Scope scope, Period period) {
		return bind("""
				select count(*) filter (where verified) as counted, count(*) filter (where not verified) as unverified,
				       coalesce(sum(successful) filter (where verified), 0)::bigint as successful,
				       coalesce(sum(failed) filter (where verified), 0)::bigint as failed
				  from tls_report where""" + IN_PERIOD, scope, period).mapProperties(Sums.class).one();
	}

	Flux<TlsFigures.Failure> failures(Scope scope, Period period) {
		return bind("""
				select policy_type, result, mx_host, sum(sessions)::bigint as sessions, max(end_at) as last_seen
				  from tls_report join tls_report_failure on tls_report_failure.report_id = tls_report.id
				 where verified and""" + IN_PERIOD + """
				 group by policy_type, result, mx_host order by sum(sessions) desc, 1, 2, 3 limit 50
				""", scope, period).mapProperties(TlsFigures.Failure.class).all();
	}

	private DatabaseClient.GenericExecuteSpec bind(String sql, Scope scope, Period period) {
		return this.database.sql(sql)
			.bind("account", scope.account())
			.bind("domain", period.domain())
			.bind("from", period.from())
			.bind("before", period.before());
	}

	/** Days of a domain, from one to before another. */
	record Period(UUID domain, LocalDate from, LocalDate before) {
	}

	/** Numbers of reports and of the sessions in those that count. */
	record Sums(long counted, long unverified, long successful, long failed) {
	}

}
