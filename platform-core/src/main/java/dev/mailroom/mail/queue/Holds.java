package dev.mailroom.mail.queue;

import java.time.Instant;
import java.util.List;
import java.util.Set;

import dev.mailroom.AcrossAccounts;
import dev.mailroom.database.Transactions;
import reactor.core.publisher.Mono;

import org.springframework.stereotype.Service;

/**
 * Held destinations and the pauses of the queue. Changes join the caller's transaction,
 * which must span accounts.
 */
@Service
@AcrossAccounts("destinations and the queue belong to no account")
public class Holds {

	private final HoldStore store;

	private final Transactions transactions;

	Holds(HoldStore store, Transactions transactions) {
		this.store = store;
		this.transactions = transactions;
	}

	/** The stops in force, for workers. */
	public Mono<Stops> stops() {
		return this.transactions.acrossAccounts(this.store.stops());
	}

	/** Held destinations by name. */
	public Mono<List<DestinationHold>> list(int limit) {
		return this.store.list(limit).collectList();
	}

	/** Number of holds, including those that have ended and whose mail is made due. */
	public Mono<Long> count() {
		return this.store.count();
	}

	/** Holds a destination, or replaces the reason and the end of its hold. */
	public Mono<Void> hold(DestinationHold hold) {
		return this.store.save(hold);
	}

	/** Ends a hold; false if the destination is not held. */
	public Mono<Boolean> release(String destination) {
		return this.store.release(destination);
	}

	/**
	 * Ends the holds whose time is over.
	 * @return destinations whose hold has ended and whose deliveries may still be held
	 */
	public Mono<List<String>> ended() {
		return this.transactions
			.acrossAccounts(this.store.releaseExpired().then(Mono.defer(() -> this.store.released().collectList())));
	}

	/**
	 * Removes a hold that has ended; no delivery of the destination is held any more.
	 */
	public Mono<Void> remove(String destination) {
		return this.store.remove(destination);
	}

	/** Pauses a stream of the queue; false if it is paused already. */
	public Mono<Boolean> pause(QueuePause pause) {
		return this.store.pause(pause);
	}

	/** Resumes a stream of the queue; false if it is not paused. */
	public Mono<Boolean> resume(boolean campaign) {
		return this.store.resume(campaign);
	}

	/**
	 * The stops in force.
	 *
	 * @param destinations held domains
	 * @param paused whether no hand-over may begin; the pause of one stream is read by
	 * the lease and the fence
	 * @param readAt when they were read, by the database's clock
	 */
	public record Stops(Set<String> destinations, boolean paused, Instant readAt) {

		/** The stops before the first read: no hand-over may begin. */
		public static final Stops UNKNOWN = new Stops(Set.of(), true, Instant.EPOCH);

	}

}
