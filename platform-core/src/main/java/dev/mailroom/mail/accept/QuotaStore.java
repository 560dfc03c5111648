package dev.mailroom.mail.accept;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;

import dev.mailroom.AcrossAccounts;
import dev.mailroom.database.Columns;
import dev.mailroom.database.SqlStatement;
import io.r2dbc.spi.Readable;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.r2dbc.core.DatabaseClient;
import org.springframework.stereotype.Repository;

import static dev.mailroom.database.RowColumns.text;
import static dev.mailroom.database.RowColumns.value;

/** SQL of the quota feature. */
@Repository
@AcrossAccounts("counts of a group, each row with its own account; the policy guards the rest")
class QuotaStore {

	private final DatabaseClient database;

	QuotaStore(DatabaseClient database) {
		this.database = database;
	}

	/**
	 * Adds the requested mails to the counters, which locks their rows. In key order, so
	 * that two groups do not deadlock.
	 */
	List<Usage> raise(JdbcClient jdbc, Map<UUID, Long> requested, Instant at) {
		return raising(requested, at).list(jdbc, QuotaStore::usage);
	}

	private static SqlStatement raising(Map<UUID, Long> requested, Instant at) {
		return statement(
				"""
						with raised as (
						    insert into quota_use (account_id, period, starts_on, used)
						    select ask.account_id, p.period, date_trunc(p.period, :at at time zone 'UTC')::date, ask.count
						      from unnest(:accounts::uuid[], :counts::bigint[]) as ask(account_id, count)
						     cross join (values ('day'), ('month')) as p(period)
						     order by 1, 2
						    on conflict (account_id, period, starts_on) do update set used = quota_use.used + excluded.used
						    returning account_id, period, used, warned, reached)
						select account.id as account_id, coalesce(account.daily_limit, plan.daily_limit) as daily_limit,
						       coalesce(account.monthly_limit, plan.monthly_limit) as monthly_limit,
						       max(used) filter (where period = 'day') as day, max(used) filter (where period = 'month') as month,
						       array_agg(period) filter (where warned) as warned,
						       array_agg(period) filter (where reached) as reached
						  from raised join account on account.id = raised.account_id join plan on plan.name = account.plan
						 group by account.id, plan.name
						""",
				requested, at);
	}

	/** The counters and limits of an account, read without a lock. */
	Usage read(JdbcClient jdbc, UUID account, Instant at) {
		return SqlStatement.of("""
				select account.id as account_id, coalesce(account.daily_limit, plan.daily_limit) as daily_limit,
				       coalesce(account.monthly_limit, plan.monthly_limit) as monthly_limit,
				       coalesce(max(used) filter (where period = 'day'), 0) as day,
				       coalesce(max(used) filter (where period = 'month'), 0) as month,
				       array_agg(period) filter (where warned) as warned,
				       array_agg(period) filter (where reached) as reached
				  from account join plan on plan.name = account.plan
				  left join quota_use on quota_use.account_id = account.id
				                     and starts_on = date_trunc(period, :at at time zone 'UTC')::date
				 where account.id = :account
				 group by account.id, plan.name
				""").bind("at", at).bind("account", account).list(jdbc, QuotaStore::usage).getFirst();
	}

	Mono<Void> lower(Map<UUID, Long> counts, Instant at) {
		return lowering(counts, at).on(this.database).then();
	}

	/** Lowers the counters in a transaction of JDBC. */
	void lower(JdbcClient jdbc, Map<UUID, Long> counts, Instant at) {
		lowering(counts, at).update(jdbc);
	}

	private static SqlStatement lowering(Map<UUID, Long> counts, Instant at) {
		return statement("""
				update quota_use set used = used - back.count
				  from (select account_id, period, starts_on, count
				          from quota_use join unnest(:accounts::uuid[], :counts::bigint[]) as ask(account_id, count)
				         using (account_id)
				         where starts_on = date_trunc(period, :at at time zone 'UTC')::date
				         order by account_id, period for update of quota_use) as back
				 where (quota_use.account_id, quota_use.period, quota_use.starts_on)
				     = (back.account_id, back.period, back.starts_on)
				""", counts, at);
	}

	/** Stores which events were recorded for the current periods. */
	void mark(JdbcClient jdbc, List<Quotas.Alert> alerts, Instant at) {
		marking(alerts, at).update(jdbc);
	}

	private static SqlStatement marking(List<Quotas.Alert> alerts, Instant at) {
		Columns<Quotas.Alert> columns = Columns.of(alerts);
		return SqlStatement
			.of("""
					update quota_use set warned = quota_use.warned or alert.warning, reached = quota_use.reached or alert.reached
					  from (select account_id, period, bool_or(kind = 'warning') as warning, bool_or(kind = 'reached') as reached
					          from unnest(:accounts::uuid[], :periods::text[], :kinds::text[]) as alert(account_id, period, kind)
					         group by 1, 2) as alert
					 where quota_use.account_id = alert.account_id and quota_use.period = alert.period
					   and quota_use.starts_on = date_trunc(quota_use.period, :at at time zone 'UTC')::date
					""")
			.bind("accounts", columns.uuids(Quotas.Alert::accountId))
			.bind("periods", columns.texts(Quotas.Alert::period))
			.bind("kinds", columns.texts(Quotas.Alert::name))
			.bind("at", at);
	}

	/** Used share of each quota that has a limit. */
	List<QuotaRatios.Ratio> ratios(JdbcClient jdbc, Instant at) {
		return SqlStatement.of("""
				select quota_use.account_id, quota_use.period, quota_use.used::float8 / most as used
				  from quota_use join account on account.id = quota_use.account_id
				  join plan on plan.name = account.plan
				 cross join lateral (select case quota_use.period
				                            when 'day' then coalesce(account.daily_limit, plan.daily_limit)
				                            else coalesce(account.monthly_limit, plan.monthly_limit) end) as its(most)
				 where most > 0 and quota_use.used > 0
				   and quota_use.starts_on = date_trunc(quota_use.period, :at at time zone 'UTC')::date
				""")
			.bind("at", at)
			.list(jdbc, (row) -> new QuotaRatios.Ratio(value(row, "account_id", UUID.class), text(row, "period"),
					value(row, "used", Double.class)));
	}

	/** Accounts whose rate an operator has set. */
	Flux<SendRates.Rate> sendRates() {
		return this.database.sql("select id, send_rate from account where send_rate is not null")
			.mapProperties(SendRates.Rate.class)
			.all();
	}

	private static Usage usage(Readable row) {
		return new Usage(Objects.requireNonNull(row.get("account_id", UUID.class)),
				Objects.requireNonNull(row.get("day", Long.class)),
				Objects.requireNonNull(row.get("month", Long.class)), row.get("daily_limit", Long.class),
				row.get("monthly_limit", Long.class), periods(row, "warned"), periods(row, "reached"));
	}

	private static Set<String> periods(Readable row, String column) {
		String @Nullable [] periods = row.get(column, String[].class);
		return (periods != null) ? Set.of(periods) : Set.of();
	}

	private static SqlStatement statement(String sql, Map<UUID, Long> counts, Instant at) {
		UUID[] accounts = counts.keySet().toArray(UUID[]::new);
		Long[] numbers = counts.values().toArray(Long[]::new);
		return SqlStatement.of(sql).bind("accounts", accounts).bind("counts", numbers).bind("at", at);
	}

}
