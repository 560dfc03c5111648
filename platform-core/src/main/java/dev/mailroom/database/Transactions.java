package dev.mailroom.database;

import java.util.Collection;
import java.util.Optional;
import java.util.Queue;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.Collectors;

import dev.mailroom.AcrossAccounts;
import dev.mailroom.Scope;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.stereotype.Component;
import org.springframework.transaction.ReactiveTransactionManager;
import org.springframework.transaction.reactive.TransactionalOperator;

/**
 * Opens transactions and sets the accounts whose rows they may access (row-level
 * security). The setting ends with the transaction. Work inside an open transaction joins
 * it and keeps the accounts that were set there. The settings are sent together with
 * BEGIN. {@link JdbcTransactions} does the same for threads that wait.
 */
@Component
public class Transactions {

	private static final Logger log = LoggerFactory.getLogger(Transactions.class);

	/**
	 * Key in the Reactor context of an open transaction: the work that follows its
	 * commit.
	 */
	private static final String OPEN = Transactions.class.getName();

	/**
	 * Forces index scans and nested loops, because the statistics of the queue's tables
	 * are often out of date. Bitmap scans are off because they do not mark dead index
	 * entries, and each of them would read these again. Parallel plans would read and
	 * sort all rows of an account with millions of them, for a page.
	 */
	public static final String INDEX_PLANS = """
			set local enable_seqscan = off; set local enable_bitmapscan = off;
			set local enable_hashjoin = off; set local enable_mergejoin = off;
			set local max_parallel_workers_per_gather = 0; set local plan_cache_mode = force_generic_plan
			""";

	private static final String READ_ONLY = "set transaction read only; ";

	private static final String ALL_ACCOUNTS = "set local role mailroom_system";

	private final TransactionalOperator transaction;

	private final Failover failover;

	private final @Nullable Replicas replicas;

	Transactions(ReactiveTransactionManager manager, Failover failover, ObjectProvider<Replicas> replicas) {
		this.transaction = TransactionalOperator.create(manager);
		this.failover = failover;
		this.replicas = replicas.getIfAvailable();
	}

	/** Runs the work in a transaction that may access the rows of one account. */
	public <T> Mono<T> in(Scope scope, Mono<T> work) {
		return of(Set.of(scope.account()), work);
	}

	/** Runs the work in a transaction that may access the rows of one account. */
	public <T> Flux<T> in(Scope scope, Flux<T> work) {
		return open(Share.WORK, accounts(Set.of(scope.account())), work);
	}

	/**
	 * Runs a list or search in a read-only transaction that may access the rows of one
	 * account. It has a shorter time limit and connections of its own, because its
	 * duration depends on the amount of data. If there are {@link Replicas}, one of them
	 * may serve it, with everything that was confirmed before; the work runs once more on
	 * the primary if the replica fails.
	 */
	public <T> Mono<T> list(Scope scope, Mono<T> work) {
		return read(accounts(Set.of(scope.account())), work.flux()).singleOrEmpty();
	}

	/** Like {@link #list(Scope, Mono)}. */
	public <T> Flux<T> list(Scope scope, Flux<T> work) {
		return read(accounts(Set.of(scope.account())), work);
	}

	/**
	 * Like {@link #list(Scope, Flux)} for a single statement whose order an index has.
	 * Its plan is made once for each connection: planning a statement on partitioned
	 * tables takes longer than running it. The same text must not run elsewhere.
	 */
	public <T> Flux<T> listByIndex(Scope scope, Flux<T> work) {
		return read(accounts(Set.of(scope.account())) + "; " + INDEX_PLANS, work);
	}

	/** Like {@link #list(Scope, Mono)} for the rows of all accounts. */
	@AcrossAccounts("for lists of operators")
	public <T> Mono<T> listAcrossAccounts(Mono<T> work) {
		return read(ALL_ACCOUNTS, work.flux()).singleOrEmpty();
	}

	/** Runs the work in a transaction that may access the rows of these accounts. */
	@AcrossAccounts("a mail may have recipients in several accounts")
	public <T> Mono<T> of(Collection<UUID> accounts, Mono<T> work) {
		return open(Share.WORK, accounts(accounts), work.flux()).singleOrEmpty();
	}

	/** Runs the work in a transaction that may access the rows of all accounts. */
	@AcrossAccounts("for the queue, operators and scheduled jobs")
	public <T> Mono<T> acrossAccounts(Mono<T> work) {
		return open(Share.WORK, ALL_ACCOUNTS, work.flux()).singleOrEmpty();
	}

	/** Runs the work in a transaction that may access the rows of all accounts. */
	@AcrossAccounts("for the queue, operators and scheduled jobs")
	public <T> Flux<T> acrossAccounts(Flux<T> work) {
		return open(Share.WORK, ALL_ACCOUNTS, work);
	}

	/**
	 * Runs the work in a transaction that may access the rows of all accounts and finds
	 * each of them by an index: for statements on few rows of large tables. The settings
	 * apply when a statement is planned, and a connection keeps the plan, so a statement
	 * that runs here must not run in other transactions with the same text.
	 */
	@AcrossAccounts("for the queue")
	public <T> Mono<T> byIndex(Mono<T> work) {
		return open(Share.WORK, ALL_ACCOUNTS + "; " + INDEX_PLANS, work.flux()).singleOrEmpty();
	}

	/**
	 * Registers work that needs a second transaction: it runs after the open transaction
	 * has committed, and before the caller of that transaction receives its completion.
	 * After a rollback it does not run. The work opens its own transactions. An error of
	 * it is logged only.
	 * @param failure begins the line of the log: what the caller has to expect then
	 * @return completes when the work is registered; fails outside of a transaction
	 */
	public Mono<Void> afterCommit(String failure, Mono<?> work) {
		return Mono.deferContextual((context) -> {
			@Nullable Queue<Mono<?>> steps = context.getOrDefault(OPEN, null);
			if (steps == null) {
				return Mono.error(new IllegalStateException("No transaction is open"));
			}
			steps.add(work.onErrorResume((error) -> {
				log.warn("{}: {}", failure, error.toString());
				return Mono.empty();
			}));
			return Mono.empty();
		});
	}

	/** Selects the server of a list: the only place that does. */
	private <T> Flux<T> read(String accounts, Flux<T> work) {
		String settings = READ_ONLY + accounts;
		Flux<T> onPrimary = open(Share.LISTS, settings, work);
		@Nullable Replicas servers = this.replicas;
		if (servers == null) {
			return onPrimary;
		}
		return Flux.deferContextual((outer) -> outer.hasKey(OPEN) ? work : servers.<T>read((current) -> this.transaction
			.execute((_) -> current.concatWith(work.map(Optional::of)))
			.contextWrite((context) -> context.put(OPEN, new ConcurrentLinkedQueue<>()).put(Pools.SETTINGS, settings)),
				onPrimary));
	}

	private <T> Flux<T> open(Share share, String settings, Flux<T> work) {
		return Flux.deferContextual((outer) -> {
			if (outer.hasKey(OPEN)) {
				return work;
			}
			Queue<Mono<?>> steps = new ConcurrentLinkedQueue<>();
			return this.transaction.execute((_) -> work)
				.doOnError(this.failover::check)
				.contextWrite(
						(context) -> context.put(OPEN, steps).put(Share.class, share).put(Pools.SETTINGS, settings))
				.concatWith(Flux.fromIterable(steps).concatMap(Mono::then).then(Mono.empty()));
		});
	}

	/**
	 * A statement without parameters: it is sent with the BEGIN, and ids need no quoting.
	 */
	private static String accounts(Collection<UUID> accounts) {
		return "set local app.account_ids = '" + list(accounts) + "'";
	}

	static String list(Collection<UUID> accounts) {
		return new TreeSet<>(accounts).stream().map(UUID::toString).collect(Collectors.joining(",", "{", "}"));
	}

}
