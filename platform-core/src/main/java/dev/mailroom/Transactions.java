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
 * The only place that opens a transaction, and the only one that tells PostgreSQL whose
 * rows are in sight (row-level security). Both hold until the transaction ends and never
 * longer. Work inside a transaction that is already open joins it, with the accounts that
 * were set there.
 */
@Component
public class Transactions {

	private static final String OPEN = Transactions.class.getName();

	/**
	 * Rows of the queue are found by their indexes however large the tables have grown
	 * and whatever PostgreSQL last knew of them. A bitmap would read again and again what
	 * is dead: only a plain scan of an index marks it for removal.
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

	/** Runs the work with one account's rows in sight. */
	public <T> Mono<T> in(Scope scope, Mono<T> work) {
		return of(Set.of(scope.account()), work);
	}

	/** Runs the work with one account's rows in sight. */
	public <T> Flux<T> in(Scope scope, Flux<T> work) {
		return open(seeing(Set.of(scope.account())), work);
	}

	/** Runs the work with the rows of a group's accounts in sight. */
	@AcrossAccounts("a group of requests, each of its own account, shares one commit")
	public <T> Mono<T> of(Collection<UUID> accounts, Mono<T> work) {
		return open(seeing(accounts), work.flux()).singleOrEmpty();
	}

	/**
	 * Runs the work with every account's rows in sight: for the worker and for operators.
	 */
	@AcrossAccounts("the queue, the operators' reads and the platform's own upkeep")
	public <T> Mono<T> acrossAccounts(Mono<T> work) {
		return open(seeingAll(), work.flux()).singleOrEmpty();
	}

	/** Runs the work with every account's rows in sight. */
	@AcrossAccounts("the queue, the operators' reads and the platform's own upkeep")
	public <T> Flux<T> acrossAccounts(Flux<T> work) {
		return open(seeingAll(), work);
	}

	/**
	 * Runs the work with every account's rows in sight, each found by an index: for a few
	 * rows of tables of any size.
	 */
	@AcrossAccounts("the queue")
	public <T> Mono<T> byIndex(Mono<T> work) {
		return open(this.database.sql(BY_INDEX).then(), work.flux()).singleOrEmpty();
	}

	private <T> Flux<T> open(Mono<Void> seeing, Flux<T> work) {
		return Flux.deferContextual(
				(context) -> context.hasKey(OPEN) ? work : this.transaction.execute((_) -> seeing.thenMany(work))
					.contextWrite((outer) -> outer.put(OPEN, true)));
	}

	private Mono<Void> seeing(Collection<UUID> accounts) {
		String ids = new TreeSet<>(accounts).stream().map(UUID::toString).collect(Collectors.joining(",", "{", "}"));
		return this.database.sql("select set_config('app.account_ids', :ids, true)").bind("ids", ids).then();
	}

	private Mono<Void> seeingAll() {
		return this.database.sql("set local role mailroom_system").then();
	}

}
