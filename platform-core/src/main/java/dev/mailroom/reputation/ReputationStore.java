package dev.mailroom.reputation;

import java.time.LocalDate;
import java.util.List;
import java.util.UUID;
import java.util.function.Function;
import java.util.function.IntFunction;

import dev.mailroom.AcrossAccounts;
import dev.mailroom.Scope;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

import org.springframework.r2dbc.core.DatabaseClient;
import org.springframework.stereotype.Repository;

@Repository
class ReputationStore {

	/** What the scope may see of the time and domain asked for. */
	private static final String IN_SPAN = """
			 where account_id = :account and (:only::uuid is null or domain_id = :only)
			   and (:domain::uuid is null or domain_id = :domain)
			   and (:from::date is null or day >= :from) and (:to::date is null or day <= :to)
			""";

	/**
	 * What a relay took over and nobody sent back in three days counts as delivered, by
	 * whole days.
	 */
	private static final String DELIVERED = """
			delivered + case when day < (now() at time zone 'UTC' - interval '72 hours')::date then sent else 0 end
			""";

	private final DatabaseClient database;

	ReputationStore(DatabaseClient database) {
		this.database = database;
	}

	/** Adds a group's marks. Rows are raised in order, or two groups deadlock. */
	@AcrossAccounts("marks of a group, each with its own account; the policy guards the rest")
	Mono<Void> count(List<ReputationCount> marks) {
		return bind(this.database.sql("""
				insert into reputation_day (account_id, domain_id, day, delivered, sent, hard_bounced, complained)
				select account_id, domain_id, (now() at time zone 'UTC')::date,
				       count(*) filter (where sign = 'DELIVERED'), count(*) filter (where sign = 'SENT'),
				       count(*) filter (where sign = 'HARD_BOUNCED'), count(*) filter (where sign = 'COMPLAINED')
				  from unnest(:accounts::uuid[], :domains::uuid[], :told::text[]) as mark(account_id, domain_id, sign)
				 group by account_id, domain_id order by account_id, domain_id
				on conflict (account_id, domain_id, day) do update
				   set delivered = reputation_day.delivered + excluded.delivered,
				       sent = reputation_day.sent + excluded.sent,
				       hard_bounced = reputation_day.hard_bounced + excluded.hard_bounced,
				       complained = reputation_day.complained + excluded.complained
				"""), marks, (mark) -> mark.sign().name()).then();
	}

	/** Adds the causes of a group's marks that have one, in order. */
	@AcrossAccounts("marks of a group, each with its own account; the policy guards the rest")
	Mono<Void> blame(List<ReputationCount> marks) {
		return bind(this.database.sql("""
				insert into reputation_cause (account_id, domain_id, day, cause, count)
				select account_id, domain_id, (now() at time zone 'UTC')::date, cause, count(*)
				  from unnest(:accounts::uuid[], :domains::uuid[], :told::text[]) as mark(account_id, domain_id, cause)
				 group by account_id, domain_id, cause order by account_id, domain_id, cause
				on conflict (account_id, domain_id, day, cause) do update
				   set count = reputation_cause.count + excluded.count
				"""), marks, ReputationCount::cause).then();
	}

	Mono<Figures> figures(Scope scope, ReportPeriod span) {
		String sql = "select coalesce(sum(" + DELIVERED + "), 0)::bigint as delivered, "
				+ "coalesce(sum(hard_bounced), 0)::bigint as hard_bounced, "
				+ "coalesce(sum(complained), 0)::bigint as complained from reputation_day" + IN_SPAN;
		return bind(this.database.sql(sql), scope, span).mapProperties(Figures.class).one();
	}

	/** The most frequent first. */
	Flux<Cause> causes(Scope scope, ReportPeriod span, int most) {
		String sql = "select cause, sum(count)::bigint as count from reputation_cause" + IN_SPAN
				+ " group by cause order by 2 desc, cause limit :most";
		return bind(this.database.sql(sql), scope, span).bind("most", most).mapProperties(Cause.class).all();
	}

	/** Each account that has sent in the last days, today and as many before it. */
	@AcrossAccounts("what operators watch")
	Flux<ReputationRatios.Recent> recent() {
		return this.database.sql("select account_id, since.days, sum(" + DELIVERED + """
				)::bigint as delivered, sum(hard_bounced)::bigint as hard_bounced, sum(complained)::bigint as complained
				  from reputation_day join (values (1), (7), (30)) as since(days)
				    on day >= (now() at time zone 'UTC')::date - since.days
				 where day >= (now() at time zone 'UTC')::date - 30
				 group by account_id, since.days
				""").mapProperties(ReputationRatios.Recent.class).all();
	}

	private static DatabaseClient.GenericExecuteSpec bind(DatabaseClient.GenericExecuteSpec sql,
			List<ReputationCount> marks, Function<ReputationCount, @Nullable String> told) {
		return sql.bind("accounts", column(marks, ReputationCount::accountId, UUID[]::new))
			.bind("domains", column(marks, ReputationCount::domainId, UUID[]::new))
			.bind("told", column(marks, told, String[]::new));
	}

	private static DatabaseClient.GenericExecuteSpec bind(DatabaseClient.GenericExecuteSpec sql, Scope scope,
			ReportPeriod span) {
		DatabaseClient.GenericExecuteSpec bound = sql.bind("account", scope.account());
		bound = bind(bound, "only", scope.domain(), UUID.class);
		bound = bind(bound, "domain", span.domainId(), UUID.class);
		bound = bind(bound, "from", span.from(), LocalDate.class);
		return bind(bound, "to", span.to(), LocalDate.class);
	}

	private static <T> DatabaseClient.GenericExecuteSpec bind(DatabaseClient.GenericExecuteSpec sql, String name,
			@Nullable T value, Class<T> type) {
		return (value != null) ? sql.bind(name, value) : sql.bindNull(name, type);
	}

	private static <T> @Nullable T[] column(List<ReputationCount> marks, Function<ReputationCount, @Nullable T> column,
			IntFunction<@Nullable T[]> array) {
		return marks.stream().map(column).toArray(array);
	}

}
