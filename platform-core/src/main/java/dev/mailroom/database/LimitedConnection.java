package dev.mailroom.database;

import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;

import io.r2dbc.spi.Batch;
import io.r2dbc.spi.Connection;
import io.r2dbc.spi.ConnectionMetadata;
import io.r2dbc.spi.IsolationLevel;
import io.r2dbc.spi.Lifecycle;
import io.r2dbc.spi.R2dbcTransientResourceException;
import io.r2dbc.spi.Result;
import io.r2dbc.spi.Statement;
import io.r2dbc.spi.TransactionDefinition;
import io.r2dbc.spi.ValidationDepth;
import io.r2dbc.spi.Wrapped;
import org.reactivestreams.Publisher;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.Disposable;
import reactor.core.Disposables;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

/**
 * A pooled connection that is returned or closed in bounded time. It is closed when it
 * has been in use for too long, which ends its statements with an error: the limits of
 * the server have no effect when the server or the network does not respond. One whose
 * statement was cancelled is reused only if that statement has ended.
 */
final class LimitedConnection implements Connection, Lifecycle, Wrapped<Connection> {

	private static final Logger log = LoggerFactory.getLogger(LimitedConnection.class);

	/** Time that a cancelled statement has to end before its connection is closed. */
	private static final Duration CANCEL_TIMEOUT = Duration.ofSeconds(1);

	/** Time of use after which a connection that was replaced is closed. */
	private static final Duration MAX_REPLACED_USE = Duration.ofSeconds(5);

	private final Connection connection;

	private final Duration maxUse;

	private final Runnable onExpiry;

	private volatile Disposable expiry = Disposables.disposed();

	private volatile boolean cancelled;

	private volatile boolean replaced;

	/** Time of its last use, by {@link System#nanoTime()}. */
	private volatile long lentAt = System.nanoTime();

	private final TransactionState transaction = new TransactionState();

	/**
	 * Limits a connection.
	 * @param onExpiry called when it was in use for too long
	 */
	LimitedConnection(Connection connection, Duration maxUse, Runnable onExpiry) {
		this.connection = connection;
		this.maxUse = maxUse;
		this.onExpiry = onExpiry;
	}

	/** Whether it may be lent: neither side has closed it, and it was not replaced. */
	boolean isUsable() {
		return !this.replaced && isOpen();
	}

	/**
	 * Has the connection closed when it is returned, or after a short use: its server
	 * does not respond, or takes no writes.
	 */
	void replace() {
		this.replaced = true;
		long left = MAX_REPLACED_USE.toNanos() - (System.nanoTime() - this.lentAt);
		this.expiry.dispose();
		this.expiry = Schedulers.parallel().schedule(this::abort, Math.max(0, left), TimeUnit.NANOSECONDS);
	}

	private boolean isOpen() {
		Publisher<Boolean> open = this.connection.validate(ValidationDepth.LOCAL);
		try {
			return !(open instanceof Callable<?> local) || Boolean.TRUE.equals(local.call());
		}
		catch (Exception _) {
			return false;
		}
	}

	/** Closes the connection without waiting; its statements end with an error. */
	void abort() {
		close().subscribe((_) -> {
		}, (error) -> log.debug("A connection was not closed properly", error));
	}

	@Override
	public Mono<Void> postAllocate() {
		return Mono.fromRunnable(() -> {
			this.cancelled = false;
			this.lentAt = System.nanoTime();
			this.transaction.lent();
			this.expiry.dispose();
			this.expiry = Schedulers.parallel().schedule(() -> {
				log.warn("A connection to the database was in use for more than {} s and is closed",
						this.maxUse.toSeconds());
				abort();
				this.onExpiry.run();
			}, this.maxUse.toMillis(), TimeUnit.MILLISECONDS);
		});
	}

	@Override
	public Mono<Void> preRelease() {
		return Mono.defer(() -> {
			this.expiry.dispose();
			if (this.transaction.returned()) {
				abort();
				return Mono.error(new R2dbcTransientResourceException("A transaction was not ended"));
			}
			return this.cancelled ? requireIdle() : Mono.empty();
		});
	}

	/**
	 * Fails if a cancelled statement still runs. The pool then closes the connection.
	 */
	private Mono<Void> requireIdle() {
		return Mono.from(this.connection.validate(ValidationDepth.REMOTE))
			.filter(Boolean::booleanValue)
			.switchIfEmpty(Mono.error(() -> new R2dbcTransientResourceException("A cancelled statement failed")))
			.timeout(CANCEL_TIMEOUT)
			.doOnError((_) -> abort())
			.then();
	}

	/**
	 * Begins a transaction together with the settings that the Reactor context holds for
	 * it, in one message.
	 */
	@Override
	public Mono<Void> beginTransaction(TransactionDefinition definition) {
		return this.transaction.begin(Mono.deferContextual((context) -> {
			String settings = context.getOrDefault(Pools.SETTINGS, "");
			return (settings == null || settings.isEmpty()) ? Mono.from(this.connection.beginTransaction(definition))
					: begin(settings);
		}), this::abort);
	}

	private Mono<Void> begin(String settings) {
		return Flux.from(this.connection.createBatch().add("begin").add(settings).execute())
			.flatMap(Result::getRowsUpdated)
			.then()
			.onErrorResume((error) -> rollbackAlways().then(Mono.error(error)));
	}

	/** The driver does not know yet whether a transaction was begun. */
	private Mono<Void> rollbackAlways() {
		return Flux.from(this.connection.createBatch().add("rollback").execute())
			.flatMap(Result::getRowsUpdated)
			.then()
			.doOnSuccess((_) -> this.transaction.ended())
			.onErrorComplete();
	}

	@Override
	public Mono<Void> beginTransaction() {
		return this.transaction.begin(Mono.from(this.connection.beginTransaction()), this::abort);
	}

	@Override
	public Mono<Void> commitTransaction() {
		return Mono.from(this.connection.commitTransaction())
			.doOnSuccess((_) -> this.transaction.ended())
			.doOnCancel(() -> this.cancelled = true);
	}

	/** Rolls back, or closes the connection if a cancelled statement does not end. */
	@Override
	public Mono<Void> rollbackTransaction() {
		return Mono.defer(() -> {
			Mono<Void> rollback = Mono.from(this.connection.rollbackTransaction())
				.doOnSuccess((_) -> this.transaction.ended());
			return this.cancelled ? rollback.timeout(CANCEL_TIMEOUT).doOnError((_) -> abort()) : rollback;
		});
	}

	@Override
	public Statement createStatement(String sql) {
		return new LimitedStatement(this.connection.createStatement(sql), () -> this.cancelled = true);
	}

	@Override
	public Mono<Void> close() {
		return Mono.defer(() -> {
			this.expiry.dispose();
			return Mono.from(this.connection.close());
		});
	}

	@Override
	public Connection unwrap() {
		return this.connection;
	}

	@Override
	public Batch createBatch() {
		return this.connection.createBatch();
	}

	@Override
	public Publisher<Void> createSavepoint(String name) {
		return this.connection.createSavepoint(name);
	}

	@Override
	public Publisher<Void> releaseSavepoint(String name) {
		return this.connection.releaseSavepoint(name);
	}

	@Override
	public Publisher<Void> rollbackTransactionToSavepoint(String name) {
		return this.connection.rollbackTransactionToSavepoint(name);
	}

	@Override
	public boolean isAutoCommit() {
		return this.connection.isAutoCommit();
	}

	@Override
	public Publisher<Void> setAutoCommit(boolean autoCommit) {
		return this.connection.setAutoCommit(autoCommit);
	}

	@Override
	public ConnectionMetadata getMetadata() {
		return this.connection.getMetadata();
	}

	@Override
	public IsolationLevel getTransactionIsolationLevel() {
		return this.connection.getTransactionIsolationLevel();
	}

	@Override
	public Publisher<Void> setTransactionIsolationLevel(IsolationLevel level) {
		return this.connection.setTransactionIsolationLevel(level);
	}

	@Override
	public Publisher<Void> setLockWaitTimeout(Duration timeout) {
		return this.connection.setLockWaitTimeout(timeout);
	}

	@Override
	public Publisher<Void> setStatementTimeout(Duration timeout) {
		return this.connection.setStatementTimeout(timeout);
	}

	@Override
	public Publisher<Boolean> validate(ValidationDepth depth) {
		return this.connection.validate(depth);
	}

}
