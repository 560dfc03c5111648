package dev.mailroom.worker.smtp.client;

import java.time.Duration;
import java.util.function.Function;

import org.reactivestreams.Publisher;
import reactor.core.publisher.Mono;
import reactor.pool.InstrumentedPool;
import reactor.pool.PoolAcquireTimeoutException;
import reactor.pool.PoolBuilder;
import reactor.pool.PooledRef;

/** Sessions with one destination, kept open for further mails. */
final class SessionPool {

	private static final int MAILS_PER_SESSION = 100;

	private static final Duration IDLE_TIMEOUT = Duration.ofSeconds(10);

	private static final Duration EVICTION_INTERVAL = Duration.ofSeconds(5);

	private final InstrumentedPool<SmtpSession> sessions;

	private final Duration acquireTimeout;

	private final Function<PoolAcquireTimeoutException, NotOpened> timeoutError;

	/**
	 * Creates an empty pool.
	 * @param opening opens a session
	 * @param acquireTimeout limit on waiting for a session
	 * @param timeoutError error emitted if no session became free in time
	 */
	public SessionPool(Mono<SmtpSession> opening, int maxSessions, Duration acquireTimeout,
			Function<PoolAcquireTimeoutException, NotOpened> timeoutError) {
		this.acquireTimeout = acquireTimeout;
		this.timeoutError = timeoutError;
		this.sessions = PoolBuilder.from(opening)
			.sizeBetween(0, maxSessions)
			.evictionPredicate((session, use) -> !session.isOpen() || session.mails() >= MAILS_PER_SESSION
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
		Mono<PooledRef<SmtpSession>> acquired = this.sessions.acquire(this.acquireTimeout)
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

	/** Sends QUIT on every session and closes it. */
	public void close() {
		this.sessions.dispose();
	}

}
