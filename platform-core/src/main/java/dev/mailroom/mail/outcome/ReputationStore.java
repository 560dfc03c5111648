package dev.mailroom.mail.outcome;

import java.time.LocalDate;
import java.util.Collection;
import java.util.List;
import java.util.UUID;

import dev.mailroom.AcrossAccounts;
import dev.mailroom.Scope;
import dev.mailroom.database.SqlStatement;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.r2dbc.core.DatabaseClient;
import org.springframework.stereotype.Repository;

import static dev.mailroom.database.RowColumns.number;
import static dev.mailroom.database.RowColumns.text;
import static dev.mailroom.database.RowColumns.value;

/** SQL of the reputation counts. */
@Repository
class ReputationStore {

	/** Restricts rows to the scope, the domain and the period. */
	private static final String IN_PERIOD = """
			 where account_id = :account and (:only::uuid is null or domain_id = :only)
			   and (:domain::uuid is null or domain_id = :domain)
			   and (:from::date is null or day >= :from) and (:to::date is null or day <= :to)
			""";

	/**
	 * Mail accepted by a relay counts as delivered if it has not bounced after three
	 * whole days.
	 */
	private static final String DELIVERED = """
			delivered + case when day < (now() at time zone 'UTC' - interval '72 hours')::date then sent else 0 end
			""";

	private final DatabaseClient database;

	ReputationStore(DatabaseClient database) {
		this.database = database;
	}

	Mono<Reputations.Figures> figures(Scope scope, Reputations.Period period) {
		String sql = "select coalesce(sum(" + DELIVERED + "), 0)::bigint as delivered, "
				+ "coalesce(sum(hard_bounced), 0)::bigint as hard_bounced, "
				+ "coalesce(sum(complained), 0)::bigint as complained from reputation_day" + IN_PERIOD;
		return bind(this.database.sql(sql), scope, period).mapProperties(Reputations.Figures.class).one();
	}

	/** The counts of a period of each of some domains that have any. */
	Flux<DomainFigures> ofDomains(Scope scope, Collection<UUID> domains, LocalDate from) {
		return this.database.sql("select domain_id, sum(" + DELIVERED + """
				)::bigint as delivered, sum(hard_bounced)::bigint as hard_bounced, sum(complained)::bigint as complained
				  from reputation_day where account_id = :account and domain_id = any(:domains) and day >= :from
				 group by domain_id
				""")
			.bind("account", scope.account())
			.bind("domains", domains.toArray(UUID[]::new))
			.bind("from", from)
			.mapProperties(DomainFigures.class)
			.all();
	}

	/** The most frequent causes, most frequent first. */
	Flux<Reputations.Cause> causes(Scope scope, Reputations.Period period, int limit) {
		String sql = "select cause, sum(count)::bigint as count from reputation_cause" + IN_PERIOD
				+ " group by cause order by 2 desc, cause limit :limit";
		return bind(this.database.sql(sql), scope, period).bind("limit", limit)
			.mapProperties(Reputations.Cause.class)
			.all();
	}

	/** The counts of each day of a period that has any, in order. */
	Flux<Reputations.DayFigures> days(Scope scope, Reputations.Period period) {
		String sql = "select day, sum(" + DELIVERED + ")::bigint as delivered, sum(sent)::bigint as sent, "
				+ "sum(hard_bounced + other_bounced)::bigint as bounced, sum(hard_bounced)::bigint as hard_bounced, "
				+ "sum(complained)::bigint as complained from reputation_day" + IN_PERIOD
				+ " group by day order by day";
		return bind(this.database.sql(sql), scope, period).mapProperties(Reputations.DayFigures.class).all();
	}

	/** The results of each provider and day of a period that has any, in this order. */
	Flux<ProviderDay> providers(Scope scope, Reputations.Period period) {
		String sql = "select provider, day, sum(delivered)::bigint as delivered, sum(unencrypted)::bigint as unencrypted, "
				+ "sum(deferred)::bigint as deferred, sum(blocked)::bigint as blocked, "
				+ "sum(complained)::bigint as complained from provider_day" + IN_PERIOD
				+ " group by provider, day order by provider, day";
		return bind(this.database.sql(sql), scope, period)
			.map((row) -> new ProviderDay(text(row, "provider"),
					new ProviderFigures.Day(value(row, "day", LocalDate.class), value(row, "delivered", Long.class),
							value(row, "unencrypted", Long.class), value(row, "deferred", Long.class),
							value(row, "blocked", Long.class), value(row, "complained", Long.class))))
			.all();
	}

	/** The counts of each day of all accounts together, in order. */
	@AcrossAccounts("operators watch the whole platform")
	Flux<Reputations.DayFigures> platformDays(int days) {
		return this.database.sql("select day, sum(" + DELIVERED + """
				)::bigint as delivered, sum(sent)::bigint as sent,
				       sum(hard_bounced + other_bounced)::bigint as bounced, sum(hard_bounced)::bigint as hard_bounced,
				       sum(complained)::bigint as complained
				  from reputation_day where day > (now() at time zone 'UTC')::date - :days group by day order by day
				""").bind("days", days).mapProperties(Reputations.DayFigures.class).all();
	}

	/** Counts of each account over the last days: today and as many days before it. */
	@AcrossAccounts("operators watch the ratios of all accounts")
	List<Reputations.Recent> recent(JdbcClient jdbc) {
		return SqlStatement.of("select account_id, past.days, sum(" + DELIVERED + """
				)::bigint as delivered, sum(hard_bounced)::bigint as hard_bounced, sum(complained)::bigint as complained
				  from reputation_day join (values (1), (7), (30)) as past(days)
				    on day >= (now() at time zone 'UTC')::date - past.days
				 where day >= (now() at time zone 'UTC')::date - 30
				 group by account_id, past.days
				""")
			.list(jdbc,
					(row) -> new Reputations.Recent(value(row, "account_id", UUID.class), number(row, "days"),
							value(row, "delivered", Long.class), value(row, "hard_bounced", Long.class),
							value(row, "complained", Long.class)));
	}

	private static DatabaseClient.GenericExecuteSpec bind(DatabaseClient.GenericExecuteSpec sql, Scope scope,
			Reputations.Period period) {
		DatabaseClient.GenericExecuteSpec bound = sql.bind("account", scope.account());
		bound = bind(bound, "only", scope.domain(), UUID.class);
		bound = bind(bound, "domain", period.domainId(), UUID.class);
		bound = bind(bound, "from", period.from(), LocalDate.class);
		return bind(bound, "to", period.to(), LocalDate.class);
	}

	private static <T> DatabaseClient.GenericExecuteSpec bind(DatabaseClient.GenericExecuteSpec sql, String name,
			@Nullable T value, Class<T> type) {
		return (value != null) ? sql.bind(name, value) : sql.bindNull(name, type);
	}

	/** Results of a provider on a day. */
	record ProviderDay(String provider, ProviderFigures.Day day) {
	}

	/** Counts of a domain. */
	record DomainFigures(UUID domainId, long delivered, long hardBounced, long complained) {

		Reputations.Figures figures() {
			return new Reputations.Figures(this.delivered, this.hardBounced, this.complained);
		}

	}

}
