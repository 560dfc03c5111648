package dev.mailroom.webhook;

import java.time.Instant;
import java.util.List;
import java.util.UUID;
import java.util.function.ToLongBiFunction;

import dev.mailroom.database.JdbcTransactions;

import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Service;

/** Scheduled work on webhook endpoints and calls. */
@Service
public class WebhookUpkeep {

	/** Rows changed by one transaction. */
	private static final int BATCH_SIZE = 500;

	/** Batches of each kind in one call. */
	private static final int MAX_BATCHES = 20;

	private final WebhookUpkeepStore store;

	private final JdbcTransactions transactions;

	WebhookUpkeep(WebhookUpkeepStore store, JdbcTransactions transactions) {
		this.store = store;
		this.transactions = transactions;
	}

	/**
	 * Whether an endpoint has subscribed while transactions were open, whose events are
	 * still to be queued for it.
	 */
	public boolean anyNewSubscription() {
		return this.transactions.<Boolean>acrossAccounts(this.store::anyNewSubscription);
	}

	/**
	 * Queues the calls that the trigger missed: events of transactions that were open
	 * while an endpoint subscribed, and which could not read the subscription. The events
	 * of a subscription are queued by the first call after all of these transactions have
	 * ended.
	 * @return number of calls queued
	 */
	public long catchUp() {
		long queued = this.transactions.<Long>byIndex(this.store::catchUp);
		this.transactions.runByIndex(this.store::markSubscribed);
		return queued;
	}

	/**
	 * Gives up the calls to endpoints that have been switched off for an hour, and
	 * removes those to deleted endpoints.
	 * @return number of rows changed
	 */
	public long sweep() {
		return batches(this.store::giveUp) + batches(this.store::removeCalls) + batches(this.store::removeStates);
	}

	/** Endpoints that were switched off and whose owners must be notified. */
	public List<SwitchedOff> switchedOff() {
		return this.transactions.acrossAccounts((jdbc) -> this.store.switchedOff(jdbc, BATCH_SIZE));
	}

	/** Stores that the owner was notified. */
	public void noticeSent(SwitchedOff endpoint) {
		this.transactions.runAcrossAccounts((jdbc) -> this.store.noticeSent(jdbc, endpoint.id()));
	}

	private long batches(ToLongBiFunction<JdbcClient, Integer> batch) {
		long sum = 0;
		for (int i = 0; i < MAX_BATCHES; i++) {
			long rows = this.transactions.<Long>byIndex((jdbc) -> batch.applyAsLong(jdbc, BATCH_SIZE));
			sum += rows;
			if (rows < BATCH_SIZE) {
				break;
			}
		}
		return sum;
	}

	/** An endpoint that the platform switched off. */
	public record SwitchedOff(UUID id, UUID accountId, String url, String reason, Instant disabledAt) {
	}

}
