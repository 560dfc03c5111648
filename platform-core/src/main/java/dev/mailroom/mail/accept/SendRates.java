package dev.mailroom.mail.accept;

import java.time.Duration;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;

import dev.mailroom.database.Transactions;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.Disposable;

import org.springframework.stereotype.Service;

/**
 * Requests per second of the accounts for which an operator has set a rate, as this
 * instance last read them.
 */
@Service
public class SendRates {

	private static final Logger log = LoggerFactory.getLogger(SendRates.class);

	private static final long MAX_AGE = Duration.ofSeconds(2).toNanos();

	private final Transactions transactions;

	private final QuotaStore store;

	private volatile Map<UUID, Integer> rates = Map.of();

	/** Time of the next read, in the nanoseconds of {@link System#nanoTime()}. */
	private final AtomicLong nextRead = new AtomicLong(System.nanoTime());

	SendRates(Transactions transactions, QuotaStore store) {
		this.transactions = transactions;
		this.store = store;
	}

	/**
	 * The limit of an account. A rate that an operator has set has a burst in the same
	 * proportion as the usual limit. The rates are read again every two seconds while
	 * limits are asked for; those read last stay in force while the database does not
	 * reply.
	 * @param usual the limit of the settings
	 */
	public Limit limit(UUID account, Limit usual) {
		refresh();
		@Nullable Integer rate = this.rates.get(account);
		return (rate != null) ? usual.scaledTo(rate) : usual;
	}

	private void refresh() {
		long due = this.nextRead.get();
		long now = System.nanoTime();
		if (now - due >= 0 && this.nextRead.compareAndSet(due, now + MAX_AGE)) {
			Disposable _ = this.transactions.acrossAccounts(this.store.sendRates().collectMap(Rate::id, Rate::sendRate))
				.subscribe((read) -> this.rates = Map.copyOf(read),
						(error) -> log.warn("The rates of accounts could not be read: {}", error.toString()));
		}
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
