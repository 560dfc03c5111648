package dev.mailroom.webhook;

import java.time.Instant;
import java.util.UUID;
import java.util.function.IntFunction;

import dev.mailroom.database.Transactions;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

import org.springframework.stereotype.Service;

/** Scheduled work on webhook endpoints and calls. */
@Service
public class WebhookUpkeep {

	/** Rows changed by one transaction. */
	private static final int BATCH_SIZE = 500;

	/** Batches of each kind in one call. */
	private static final int MAX_BATCHES = 20;

	private final WebhookUpkeepStore store;

	private final Transactions transactions;

	WebhookUpkeep(WebhookUpkeepStore store, Transactions transactions) {
		this.store = store;
		this.transactions = transactions;
	}

	/**
	 * Queues the calls that the trigger missed: events of transactions that were open
	 * while an endpoint subscribed, and which could not read the subscription. The events
	 * of a subscription are queued by the first call after all of these transactions have
	 * ended.
	 * @return number of calls queued
	 */
	public Mono<Long> catchUp() {
		return this.transactions.byIndex(Mono.defer(this.store::catchUp))
			.delayUntil((_) -> this.transactions.byIndex(Mono.defer(this.store::markSubscribed)));
	}

	/**
	 * Gives up the calls to endpoints that have been switched off for an hour, and
	 * removes those to deleted endpoints.
	 * @return number of rows changed
	 */
	public Mono<Long> sweep() {
		return Flux
			.concat(batches(this.store::giveUp), batches(this.store::removeCalls), batches(this.store::removeStates))
			.reduce(0L, Long::sum);
	}

	/** Endpoints that were switched off and whose owners must be notified. */
	public Flux<SwitchedOff> switchedOff() {
		return this.transactions.acrossAccounts(this.store.switchedOff(BATCH_SIZE));
	}

	/** Stores that the owner was notified. */
	public Mono<Void> noticeSent(SwitchedOff endpoint) {
		return this.transactions.acrossAccounts(this.store.noticeSent(endpoint.id()));
	}

	private Mono<Long> batches(IntFunction<Mono<Long>> batch) {
		Mono<Long> work = Mono.defer(() -> this.transactions.byIndex(batch.apply(BATCH_SIZE)));
		return work.expand((rows) -> (rows >= BATCH_SIZE) ? work : Mono.empty())
			.take(MAX_BATCHES)
			.reduce(0L, Long::sum);
	}

	/**
	 * An endpoint that the platform switched off.
	 *
	 * @param owner address of the account's owner
	 */
	public record SwitchedOff(UUID id, UUID accountId, String owner, String url, String reason, Instant disabledAt) {
	}

}
