package dev.mailroom.account;

import java.util.regex.Pattern;

import dev.mailroom.AcrossAccounts;
import dev.mailroom.Scope;
import dev.mailroom.database.SqlStatement;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.r2dbc.core.DatabaseClient;
import org.springframework.stereotype.Repository;

/**
 * Pauses of accounts, and their plans, as operators and the automatic pause change them.
 * Changes join the caller's transaction.
 */
@Repository
public class AccountRows {

	/** Reasons of pauses that only a move or a deletion states and ends. */
	private static final Pattern RESERVED = Pattern
		.compile("^(being )?moved to the cell [a-z0-9]+$|^the account will be deleted on ");

	private final DatabaseClient database;

	AccountRows(DatabaseClient database) {
		this.database = database;
	}

	/** Regular expression of the reasons that only a move or a deletion states. */
	public static String reserved() {
		return RESERVED.pattern();
	}

	/** Whether only a move or a deletion may state a reason of a pause. */
	public static boolean isReserved(String reason) {
		return RESERVED.matcher(reason).find();
	}

	/**
	 * Pauses an account that is not paused, and marks its owner for notification.
	 * @return the number of accounts, 0 or 1
	 */
	public Mono<Long> pause(Scope scope, String reason) {
		return this.database.sql("""
				update account set paused_reason = :reason, paused_at = now(), pause_notice = true
				 where id = :account and paused_reason is null and role = 'tenant'
				""").bind("reason", reason).bind("account", scope.account()).fetch().rowsUpdated();
	}

	/**
	 * Lifts a pause, except that of a move or of a deletion; counts until today are
	 * disregarded from now on.
	 * @return the number of accounts, 0 or 1
	 */
	public Mono<Long> lift(Scope scope) {
		return this.database.sql("""
				update account set paused_reason = null, paused_at = null, pause_notice = false,
				                   counted_from = (now() at time zone 'UTC')::date + 1
				 where id = :account and paused_reason !~ :reserved
				""").bind("account", scope.account()).bind("reserved", reserved()).fetch().rowsUpdated();
	}

	/** Records that the owner was notified of the pause. */
	public void markNotified(JdbcClient jdbc, Scope scope) {
		SqlStatement.of("update account set pause_notice = false where id = :account")
			.bind("account", scope.account())
			.update(jdbc);
	}

	/** Creates a plan, or replaces the limits of the one with this name. */
	@AcrossAccounts("plans belong to no account")
	public Mono<Void> savePlan(String name, PlanLimits limits) {
		DatabaseClient.GenericExecuteSpec save = this.database.sql("""
				insert into plan (name, daily_limit, monthly_limit, domain_limit, contact_book_limit, contact_limit)
				values (:name, :daily, :monthly, :domains, :books, :contacts)
				on conflict (name) do update
				   set daily_limit = excluded.daily_limit, monthly_limit = excluded.monthly_limit,
				       domain_limit = excluded.domain_limit, contact_book_limit = excluded.contact_book_limit,
				       contact_limit = excluded.contact_limit
				""").bind("name", name);
		save = bind(save, "daily", limits.dailyLimit(), Long.class);
		save = bind(save, "monthly", limits.monthlyLimit(), Long.class);
		save = bind(save, "domains", limits.domainLimit(), Long.class);
		save = bind(save, "books", limits.contactBookLimit(), Long.class);
		return bind(save, "contacts", limits.contactLimit(), Long.class).then();
	}

	private static <T> DatabaseClient.GenericExecuteSpec bind(DatabaseClient.GenericExecuteSpec sql, String name,
			@Nullable T value, Class<T> type) {
		return (value != null) ? sql.bind(name, value) : sql.bindNull(name, type);
	}

	/**
	 * Limits of the accounts of a plan; null is none.
	 *
	 * @param dailyLimit mails per day of UTC
	 * @param monthlyLimit mails per calendar month of UTC
	 */
	public record PlanLimits(@Nullable Long dailyLimit, @Nullable Long monthlyLimit, @Nullable Long domainLimit,
			@Nullable Long contactBookLimit, @Nullable Long contactLimit) {
	}

}
