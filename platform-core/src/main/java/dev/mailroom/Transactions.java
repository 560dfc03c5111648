package dev.mailroom;

import java.util.Collection;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import java.util.stream.Collectors;

import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

import org.springframework.r2dbc.core.DatabaseClient;
import org.springframework.stereotype.Component;
import org.springframework.transaction.ReactiveTransactionManager;
import org.springframework.transaction.reactive.TransactionalOperator;

/**
 * Opens transactions and sets the accounts whose rows they may access (row-level
 * security). The setting ends with the transaction. Work inside an open transaction joins
 * it and keeps the accounts that were set there.
 */
@Component
public class Transactions {

	private static final String OPEN = Transactions.class.getName();

	/**
	 * Forces index scans and nested loops, because the statistics of the queue's tables
	 * are often out of date. Bitmap scans are off because they do not mark dead index
	 * entries, so that each of them would read these again.
	 */
	private static final String BY_INDEX = """
			set local role mailroom_system;
			set local enable_seqscan = off; set local enable_bitmapscan = off;
			set local enable_hashjoin = off; set local enable_mergejoin = off;
			set local plan_cache_mode = force_generic_plan
			""";

	private final DatabaseClient database;

	private final TransactionalOperator transaction;

	Transactions(DatabaseClient database, ReactiveTransactionManager manager) {
		this.database = database;
		this.transaction = TransactionalOperator.create(manager);
	}

	/** Runs the work in a transaction that may access the rows of one account. */
	public <T> Mono<T> in(Scope scope, Mono<T> work) {
		return of(Set.of(scope.account()), work);
	}

	/** Runs the work in a transaction that may access the rows of one account. */
	public <T> Flux<T> in(Scope scope, Flux<T> work) {
		return open(setAccounts(Set.of(scope.account())), work);
	}

	/** Runs the work in a transaction that may access the rows of these accounts. */
	@AcrossAccounts("requests of several accounts share one commit")
	public <T> Mono<T> of(Collection<UUID> accounts, Mono<T> work) {
		return open(setAccounts(accounts), work.flux()).singleOrEmpty();
	}

	/** Runs the work in a transaction that may access the rows of all accounts. */
	@AcrossAccounts("for the queue, operators and scheduled jobs")
	public <T> Mono<T> acrossAccounts(Mono<T> work) {
		return open(setAllAccounts(), work.flux()).singleOrEmpty();
	}

	/** Runs the work in a transaction that may access the rows of all accounts. */
	@AcrossAccounts("for the queue, operators and scheduled jobs")
	public <T> Flux<T> acrossAccounts(Flux<T> work) {
		return open(setAllAccounts(), work);
	}

	/**
	 * Runs the work in a transaction that may access the rows of all accounts and finds
	 * each of them by an index: for statements on few rows of large tables. The settings
	 * apply when a statement is planned, and a connection keeps the plan, so a statement
	 * that runs here must not run in other transactions with the same text.
	 */
	@AcrossAccounts("for the queue")
	public <T> Mono<T> byIndex(Mono<T> work) {
		return open(this.database.sql(BY_INDEX).then(), work.flux()).singleOrEmpty();
	}

	private <T> Flux<T> open(Mono<Void> settings, Flux<T> work) {
		return Flux.deferContextual(
				(context) -> context.hasKey(OPEN) ? work : this.transaction.execute((_) -> settings.thenMany(work))
					.contextWrite((outer) -> outer.put(OPEN, true)));
	}

	private Mono<Void> setAccounts(Collection<UUID> accounts) {
		String ids = new TreeSet<>(accounts).stream().map(UUID::toString).collect(Collectors.joining(",", "{", "}"));
		return this.database.sql("select set_config('app.account_ids', :ids, true)").bind("ids", ids).then();
	}

	private Mono<Void> setAllAccounts() {
		return this.database.sql("set local role mailroom_system").then();
	}

}
