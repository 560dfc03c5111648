package dev.mailroom.worker.transport;

import java.time.Duration;
import java.util.function.Function;

import org.reactivestreams.Publisher;
import reactor.core.publisher.Mono;
import reactor.pool.InstrumentedPool;
import reactor.pool.PoolAcquireTimeoutException;
import reactor.pool.PoolBuilder;
import reactor.pool.PooledRef;

/**
 * Sessions with one destination, kept and used again: a server that has just taken a mail
 * takes the next without a greeting.
 */
final class SessionPool {

	private static final int MAILS_PER_SESSION = 100;

	private static final Duration IDLE = Duration.ofSeconds(10);

	private final InstrumentedPool<SmtpSession> sessions;

	private final Duration patience;

	private final Function<PoolAcquireTimeoutException, NotOpened> inUse;

	/**
	 * A pool that is empty yet.
	 * @param patience how long a session is waited for
	 * @param inUse what is said where none became free meanwhile
	 */
	SessionPool(Mono<SmtpSession> opening, int most, Duration patience,
			Function<PoolAcquireTimeoutException, NotOpened> inUse) {
		this.patience = patience;
		this.inUse = inUse;
		this.sessions = PoolBuilder.from(opening)
			.sizeBetween(0, most)
			.evictionPredicate((session, use) -> !session.isOpen() || session.mails() >= MAILS_PER_SESSION
					|| use.idleTime() > IDLE.toMillis())
			.evictInBackground(Duration.ofSeconds(5))
			.destroyHandler(SmtpSession::quit)
			.buildPool();
	}

	/**
	 * Lends a session. One whose work is cut off stands somewhere in a mail: it is
	 * closed, or the next mail would be taken for the rest of that.
	 */
	<T> Mono<T> with(Function<? super SmtpSession, Mono<T>> work) {
		Mono<PooledRef<SmtpSession>> free = this.sessions.acquire(this.patience)
			.onErrorMap(PoolAcquireTimeoutException.class, this.inUse);
		return Mono.usingWhen(free, (lent) -> work.apply(lent.poolable()), SessionPool::giveBack,
				(lent, _) -> giveBack(lent), PooledRef::invalidate);
	}

	private static Publisher<Void> giveBack(PooledRef<SmtpSession> lent) {
		return lent.poolable().isOpen() ? lent.release() : lent.invalidate();
	}

	/** Says goodbye on every session. */
	void close() {
		this.sessions.dispose();
	}

}
