package dev.mailroom.quota;

import java.util.Map;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicBoolean;

import dev.mailroom.Transactions;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.publisher.Mono;

import org.springframework.stereotype.Service;

/**
 * Requests per second of the accounts for which an operator has set a rate, as this
 * instance last read them.
 */
@Service
public class SendRates {

	private static final Logger log = LoggerFactory.getLogger(SendRates.class);

	private final Transactions transactions;

	private final QuotaStore store;

	private volatile Map<UUID, Integer> rates = Map.of();

	/** Whether a limit was asked for since the last read. */
	private final AtomicBoolean used = new AtomicBoolean(true);

	SendRates(Transactions transactions, QuotaStore store) {
		this.transactions = transactions;
		this.store = store;
	}

	/**
	 * Reads the rates if a limit was asked for since the last read; to be called every
	 * few seconds. Those read last stay in force while the database does not reply.
	 */
	public Mono<Void> refresh() {
		return Mono.defer(() -> this.used.getAndSet(false) ? read() : Mono.empty());
	}

	private Mono<Void> read() {
		return this.transactions.acrossAccounts(this.store.sendRates().collectMap(Rate::id, Rate::sendRate))
			.doOnNext((read) -> this.rates = Map.copyOf(read))
			.then()
			.onErrorResume((error) -> {
				log.warn("The rates of accounts could not be read: {}", error.toString());
				return Mono.empty();
			});
	}

	/**
	 * The limit of an account. A rate that an operator has set has a burst in the same
	 * proportion as the usual limit.
	 * @param usual the limit of the settings
	 */
	public Limit limit(UUID account, Limit usual) {
		this.used.set(true);
		@Nullable Integer rate = this.rates.get(account);
		return (rate != null) ? usual.scaledTo(rate) : usual;
	}

	/** The rate of an account. */
	record Rate(UUID id, int sendRate) {
	}

	/**
	 * Limit of a token bucket.
	 *
	 * @param perSecond requests per second
	 * @param burst requests that may follow each other at once after a pause
	 */
	public record Limit(int perSecond, int burst) {

		private Limit scaledTo(int rate) {
			long scaled = (long) rate * this.burst / Math.max(1, this.perSecond);
			return new Limit(rate, Math.clamp(scaled, 1, Integer.MAX_VALUE));
		}

	}

}
