package dev.mailroom.database;

import java.util.concurrent.atomic.AtomicBoolean;

import io.r2dbc.spi.R2dbcTransientResourceException;
import reactor.core.publisher.Mono;

/**
 * Whether a pooled connection is in a transaction. Spring does not roll back what is
 * cancelled while it begins: the pool takes the connection back at once, possibly just
 * before the transaction begins.
 */
final class TransactionState {

	private boolean open;

	private boolean returned;

	/** Records that the pool has lent the connection. */
	synchronized void lent() {
		this.open = false;
		this.returned = false;
	}

	/**
	 * Records that the pool takes the connection back.
	 * @return whether it may be in a transaction
	 */
	synchronized boolean returned() {
		this.returned = true;
		return this.open;
	}

	/** Records that the transaction was committed or rolled back. */
	synchronized void ended() {
		this.open = false;
	}

	/**
	 * Begins a transaction, unless the connection was returned.
	 * @param abort closes the connection, if the beginning is cancelled
	 */
	Mono<Void> begin(Mono<Void> begin, Runnable abort) {
		return Mono.defer(() -> {
			if (!mayBegin()) {
				return Mono.error(new R2dbcTransientResourceException("The connection was returned"));
			}
			AtomicBoolean ended = new AtomicBoolean();
			return begin.doOnTerminate(() -> ended.set(true)).doOnCancel(() -> {
				if (!ended.get()) {
					abort.run();
				}
			});
		});
	}

	private synchronized boolean mayBegin() {
		this.open = !this.returned;
		return this.open;
	}

}
