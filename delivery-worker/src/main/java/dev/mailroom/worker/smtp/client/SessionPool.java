package dev.mailroom.worker.smtp.client;

import java.time.Duration;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.function.Predicate;

import org.reactivestreams.Publisher;
import reactor.core.publisher.Mono;
import reactor.pool.InstrumentedPool;
import reactor.pool.PoolAcquireTimeoutException;
import reactor.pool.PoolBuilder;
import reactor.pool.PooledRef;

/** Sessions with one destination, kept open for further mails. */
final class SessionPool {

	/** Mails after which a session is closed, if nothing else is known. */
	static final int MAILS_PER_SESSION = 100;

	private static final Duration IDLE_TIMEOUT = Duration.ofSeconds(10);

	/** Time to take an idle session, of which there was one just now. */
	private static final Duration CLOSE_TIMEOUT = Duration.ofMillis(10);

	private static final Duration EVICTION_INTERVAL = Duration.ofSeconds(5);

	private final InstrumentedPool<SmtpSession> sessions;

	private final Duration acquireTimeout;

	/** Whether no session may be opened. */
	private final BooleanSupplier full;

	private final Function<PoolAcquireTimeoutException, NotOpened> timeoutError;

	/**
	 * Creates an empty pool.
	 * @param opening opens a session
	 * @param acquireTimeout limit on waiting for a session
	 * @param timeoutError error emitted if no session became free in time
	 */
	public SessionPool(Mono<SmtpSession> opening, int maxSessions, Duration acquireTimeout,
			Function<PoolAcquireTimeoutException, NotOpened> timeoutError) {
		this(PoolBuilder.from(opening).sizeBetween(0, maxSessions), (session) -> session.mails() >= MAILS_PER_SESSION,
				() -> false, acquireTimeout, timeoutError);
	}

	/**
	 * Creates an empty pool whose sessions count for a site.
	 * @param opening opens a session
	 * @param acquireTimeout limit on waiting for a session
	 * @param timeoutError error emitted if no session became free in time
	 */
	SessionPool(Mono<SmtpSession> opening, SiteState site, Duration acquireTimeout,
			Function<PoolAcquireTimeoutException, NotOpened> timeoutError) {
		this(PoolBuilder.from(opening).allocationStrategy(site.permits()),
				(session) -> session.mails() >= site.mailsPerSession() || site.isOver(), site::isFull, acquireTimeout,
				timeoutError);
	}

	private SessionPool(PoolBuilder<SmtpSession, ?> builder, Predicate<SmtpSession> ended, BooleanSupplier full,
			Duration acquireTimeout, Function<PoolAcquireTimeoutException, NotOpened> timeoutError) {
		this.acquireTimeout = acquireTimeout;
		this.full = full;
		this.timeoutError = timeoutError;
		this.sessions = builder
			.evictionPredicate((session, use) -> !session.isOpen() || ended.test(session)
					|| use.idleTime() > IDLE_TIMEOUT.toMillis())
			.evictInBackground(EVICTION_INTERVAL)
			.destroyHandler(SmtpSession::quit)
			.buildPool();
	}

	/**
	 * Runs work with a session. The session is closed if the work is cancelled, because
	 * it may be in the middle of a transaction.
	 */
	public <T> Mono<T> with(Function<? super SmtpSession, Mono<T>> work) {
		// Without a session of its own, a pool gets none until another pool closes one.
		Mono<PooledRef<SmtpSession>> acquired = Mono
			.defer(() -> this.sessions
				.acquire((size() == 0 && this.full.getAsBoolean()) ? CLOSE_TIMEOUT : this.acquireTimeout))
			.onErrorMap(PoolAcquireTimeoutException.class, this.timeoutError);
		return Mono.usingWhen(acquired, (reference) -> work.apply(reference.poolable()), SessionPool::release,
				(reference, _) -> release(reference), PooledRef::invalidate);
	}

	private static Publisher<Void> release(PooledRef<SmtpSession> reference) {
		reference.poolable().pooled();
		return reference.poolable().isOpen() ? reference.release() : reference.invalidate();
	}

	/** Number of open sessions. */
	public int size() {
		return this.sessions.metrics().allocatedSize();
	}

	/** Number of sessions that are used. */
	int inUse() {
		return this.sessions.metrics().acquiredSize();
	}

	/** Number of sessions that wait for mail. */
	int idle() {
		return this.sessions.metrics().idleSize();
	}

	/** Closes a session that waits for mail. */
	Mono<Void> closeIdle() {
		return this.sessions.acquire(CLOSE_TIMEOUT).flatMap(PooledRef::invalidate).onErrorComplete();
	}

	/** Sends QUIT on every session and closes it. */
	public void close() {
		this.sessions.dispose();
	}

}
