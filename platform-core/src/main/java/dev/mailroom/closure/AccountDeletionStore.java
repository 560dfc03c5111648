package dev.mailroom.closure;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.UUID;

import dev.mailroom.AcrossAccounts;
import dev.mailroom.Scope;
import dev.mailroom.database.SqlStatement;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.r2dbc.core.DatabaseClient;
import org.springframework.stereotype.Repository;

import static dev.mailroom.database.RowColumns.on;
import static dev.mailroom.database.RowColumns.value;

/** SQL of the deletion of accounts, whose statements are functions of the schema. */
@Repository
class AccountDeletionStore {

	private final DatabaseClient database;

	AccountDeletionStore(DatabaseClient database) {
		this.database = database;
	}

	Mono<Instant> deleteAt(Scope scope) {
		return this.database.sql("select delete_at from account_deletion where account_id = :account")
			.bind("account", scope.account())
			.mapValue(Instant.class)
			.one();
	}

	Mono<Boolean> ask(Scope scope, Duration delay) {
		return this.database.sql("select ask_deletion(:account, :delay * interval '1 second')")
			.bind("account", scope.account())
			.bind("delay", delay.toSeconds())
			.mapValue(Boolean.class)
			.one();
	}

	Mono<Boolean> cancel(Scope scope) {
		return this.database.sql("select cancel_deletion(:account)")
			.bind("account", scope.account())
			.mapValue(Boolean.class)
			.one();
	}

	/** Verified addresses of the owners; the transaction must span accounts. */
	Flux<String> owners(Scope scope) {
		return this.database.sql("""
				select owner.email from member join account as owner on owner.id = member.person_id
				 where member.account_id = :account and member.role = 'owner' and owner.email <> ''
				   and owner.email_verified_at is not null
				 order by member.created_at limit 100
				""").bind("account", scope.account()).mapValue(String.class).all();
	}

	/**
	 * Accounts whose deletion is due or has begun, the oldest first. One that is being
	 * moved is due once its move has ended.
	 */
	@AcrossAccounts("a job erases all accounts whose deletion is due")
	List<Due> due(JdbcClient jdbc, Duration wait) {
		return SqlStatement
			.of("""
					select account_id, begun_at is not null as begun, begun_at < now() - :wait * interval '1 second' as quiet,
					       coalesce(phase in ('moved', 'left'), false) as moved
					  from account_deletion left join account_move using (account_id)
					 where delete_at <= now()
					   and (begun_at is not null or coalesce(phase not in ('copying', 'following', 'stopped'), true))
					 order by delete_at limit 20
					""")
			.bind("wait", wait.toSeconds())
			.list(jdbc, (row) -> new Due(value(row, "account_id", UUID.class), on(row, "begun"), on(row, "quiet"),
					on(row, "moved")));
	}

	boolean begin(JdbcClient jdbc, Scope scope) {
		return SqlStatement.of("select begin_erasure(:account)")
			.bind("account", scope.account())
			.value(jdbc, Boolean.class);
	}

	long step(JdbcClient jdbc, Scope scope, int limit) {
		return SqlStatement.of("select erase_step(:account, :limit)")
			.bind("account", scope.account())
			.bind("limit", limit)
			.value(jdbc, Long.class);
	}

	boolean finish(JdbcClient jdbc, Scope scope, UUID record) {
		return SqlStatement.of("select finish_erasure(:account, :record)")
			.bind("account", scope.account())
			.bind("record", record)
			.value(jdbc, Boolean.class);
	}

	/** Seconds since the oldest erasure that is under way was due; 0 if there is none. */
	@AcrossAccounts("erasures of all accounts are observed")
	long oldestSeconds(JdbcClient jdbc) {
		return SqlStatement.of("""
				select coalesce(extract(epoch from now() - min(delete_at)), 0)::bigint from account_deletion
				 where delete_at <= now()
				""").value(jdbc, Long.class);
	}

	/**
	 * An account whose deletion is due.
	 *
	 * @param begun whether its people and keys have lost access
	 * @param quiet whether requests that were under way have ended since
	 * @param moved whether another cell has the account, and erases it
	 */
	record Due(UUID account, boolean begun, boolean quiet, boolean moved) {
	}

}
