package dev.mailroom.dmarcreport;

import java.net.InetAddress;
import java.time.Instant;
import java.time.LocalDate;
import java.util.Collection;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;

import com.fasterxml.uuid.NoArgGenerator;
import dev.mailroom.AcrossAccounts;
import dev.mailroom.Scope;
import dev.mailroom.database.Columns;
import dev.mailroom.dmarcreport.DmarcFigures.Counts;
import io.r2dbc.postgresql.codec.Json;
import io.r2dbc.spi.Readable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import tools.jackson.core.type.TypeReference;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.r2dbc.core.DatabaseClient;
import org.springframework.stereotype.Repository;

import static dev.mailroom.database.RowColumns.text;
import static dev.mailroom.database.RowColumns.value;

/** SQL of aggregate reports. */
@Repository
class DmarcReportStore {

	private static final TypeReference<Map<String, String>> TAGS = new TypeReference<>() {
	};

	/** Reports about a domain in a day. */
	private static final int MAX_REPORTS = 500;

	/** Mails that could not be read and are kept. */
	private static final int MAX_UNREAD = 20;

	/** Rows of a list of figures. */
	private static final int MAX_LISTED = 50;

	private static final String COUNTS = """
			sum(count)::bigint as count, coalesce(sum(count) filter (where dkim or spf), 0)::bigint as passed,
			coalesce(sum(count) filter (where dkim), 0)::bigint as dkim,
			coalesce(sum(count) filter (where spf), 0)::bigint as spf,
			coalesce(sum(count) filter (where disposition = 'quarantine'), 0)::bigint as quarantined,
			coalesce(sum(count) filter (where disposition = 'reject'), 0)::bigint as rejected
			""";

	private static final String IN_PERIOD = """
			 dmarc_report.account_id = :account and domain_id = :domain
			   and begin_at >= :from::date at time zone 'UTC' and begin_at < :before::date at time zone 'UTC'
			""";

	private static final String ROWS = " from dmarc_report join dmarc_row on dmarc_row.report_id = dmarc_report.id where verified and "
			+ IN_PERIOD;

	private final DatabaseClient database;

	private final NoArgGenerator ids;

	private final JsonMapper json;

	DmarcReportStore(DatabaseClient database, NoArgGenerator ids, JsonMapper json) {
		this.database = database;
		this.ids = ids;
		this.json = json;
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
				select count(*) < :max from dmarc_report where account_id = :account and domain_id = :domain
				   and received_at >= date_trunc('day', now(), 'UTC')
				""")
			.bind("max", MAX_REPORTS)
			.bind("account", scope.account())
			.bind("domain", domain)
			.mapValue(Boolean.class)
			.one();
	}

	/** Inserts a report and its rows; empty if it is stored already. */
	Mono<UUID> insert(Scope scope, UUID domain, AggregateReport report, String sender, boolean verified) {
		AtomicInteger position = new AtomicInteger();
		Columns<AggregateReport.Row> rows = Columns.of(report.rows());
		return this.database
			.sql("""
					with report as (
					    insert into dmarc_report (id, account_id, domain_id, sender, org, report_id, verified, begin_at,
					                              end_at, policy, received_at)
					    values (:id, :account, :domain, :sender, :org, :report, :verified, :begin, :end, :policy::jsonb, now())
					    on conflict (domain_id, sender, report_id, verified) do nothing returning id),
					rows as (
					    insert into dmarc_row (report_id, account_id, position, source, count, disposition, dkim, spf,
					                           header_from, envelope_from, selectors)
					    select report.id, :account, input.*
					      from report, unnest(:positions::int[], :sources::inet[], :counts::bigint[], :dispositions::text[],
					                          :dkim::boolean[], :spf::boolean[], :headers::text[], :envelopes::text[],
					                          :selectors::text[]) as input)
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
			.bind("policy", this.json.writeValueAsString(report.policy()))
			.bind("positions", rows.integers((_) -> position.getAndIncrement()))
			.bind("sources", rows.texts((row) -> row.source().getHostAddress()))
			.bind("counts", rows.longs(AggregateReport.Row::count))
			.bind("dispositions", rows.texts(AggregateReport.Row::disposition))
			.bind("dkim", rows.booleans(AggregateReport.Row::dkim))
			.bind("spf", rows.booleans(AggregateReport.Row::spf))
			.bind("headers", rows.texts(AggregateReport.Row::headerFrom))
			.bind("envelopes", rows.texts(AggregateReport.Row::envelopeFrom))
			.bind("selectors", rows.texts(AggregateReport.Row::selectors))
			.mapValue(UUID.class)
			.one();
	}

	/** Inserts a mail that could not be read, and removes the oldest ones. */
	Mono<Void> insertUnread(Scope scope, UUID domain, UnreadReport report) {
		return this.database
			.sql("""
					with old as (
					    delete from unread_report where id in (
					        select id from unread_report order by id desc offset :others for update skip locked))
					insert into unread_report (id, domain, sender, reason, detail, bytes, received_at)
					values (:id, coalesce((select name from domain where id = :domain and account_id = :account), ''), :sender,
					        :reason, :detail, :bytes, now())
					""")
			.bind("others", MAX_UNREAD - 1)
			.bind("id", this.ids.generate())
			.bind("domain", domain)
			.bind("account", scope.account())
			.bind("sender", report.sender())
			.bind("reason", report.reason())
			.bind("detail", report.detail())
			.bind("bytes", report.bytes())
			.then();
	}

	@AcrossAccounts("mails that could not be read belong to operators")
	Flux<UnreadReport> unread() {
		return this.database.sql("""
				select domain, sender, reason, detail, bytes, received_at from unread_report order by id desc
				""").mapProperties(UnreadReport.class).all();
	}

	Mono<Reports> reports(Scope scope, Period period) {
		return bind("""
				select count(*) filter (where verified) as counted, count(*) filter (where not verified) as unverified
				  from dmarc_report where""" + IN_PERIOD, scope, period).mapProperties(Reports.class).one();
	}

	Flux<DmarcFigures.Day> days(Scope scope, Period period) {
		return bind("select (begin_at at time zone 'UTC')::date as day, " + COUNTS + ROWS + " group by 1 order by 1",
				scope, period)
			.map((row) -> new DmarcFigures.Day(value(row, "day", LocalDate.class), counts(row)))
			.all();
	}

	Flux<DmarcFigures.Source> sources(Scope scope, Period period, Collection<InetAddress> own) {
		return bind("select host(source) as address, " + COUNTS + ROWS
				+ " group by source order by sum(count) desc, source limit " + MAX_LISTED, scope, period)
			.map((row) -> new DmarcFigures.Source(text(row, "address"), null, own.contains(address(row)), counts(row)))
			.all();
	}

	Flux<DmarcFigures.Failing> failing(Scope scope, Period period, Collection<InetAddress> own) {
		return bind("select host(source) as address, header_from, envelope_from, selectors, " + COUNTS + ROWS + """
				 and not dkim and not spf
				 group by source, header_from, envelope_from, selectors order by sum(count) desc, source, 2, 3, 4 limit
				""" + MAX_LISTED, scope, period)
			.map((row) -> new DmarcFigures.Failing(text(row, "address"), null, own.contains(address(row)),
					text(row, "header_from"), text(row, "envelope_from"), text(row, "selectors"),
					value(row, "count", Long.class), value(row, "quarantined", Long.class),
					value(row, "rejected", Long.class)))
			.all();
	}

	Flux<DmarcFigures.SeenPolicy> policies(Scope scope, Period period) {
		return bind("select policy, count(*) as reports, max(end_at) as seen from dmarc_report where verified and"
				+ IN_PERIOD + " group by policy order by seen desc, policy limit 5", scope, period)
			.map((row) -> new DmarcFigures.SeenPolicy(
					Objects.requireNonNull(this.json.readValue(value(row, "policy", Json.class).asString(), TAGS)),
					value(row, "reports", Long.class), value(row, "seen", Instant.class)))
			.all();
	}

	private DatabaseClient.GenericExecuteSpec bind(String sql, Scope scope, Period period) {
		return this.database.sql(sql)
			.bind("account", scope.account())
			.bind("domain", period.domain())
			.bind("from", period.from())
			.bind("before", period.before());
	}

	private static InetAddress address(Readable row) {
		return InetAddress.ofLiteral(text(row, "address"));
	}

	private static Counts counts(Readable row) {
		return new Counts(value(row, "count", Long.class), value(row, "passed", Long.class),
				value(row, "dkim", Long.class), value(row, "spf", Long.class), value(row, "quarantined", Long.class),
				value(row, "rejected", Long.class));
	}

	/** Days of a domain, from one to before another. */
	record Period(UUID domain, LocalDate from, LocalDate before) {
	}

	/** Numbers of reports. */
	record Reports(long counted, long unverified) {
	}

}
