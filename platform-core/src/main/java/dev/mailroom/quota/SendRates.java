package dev.mailroom.quota;

import java.util.Map;
import java.util.OptionalInt;
import java.util.UUID;

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

	SendRates(Transactions transactions, QuotaStore store) {
		this.transactions = transactions;
		this.store = store;
	}

	/**
	 * Reads the rates; to be called every few seconds. Those read last stay in force
	 * while the database does not reply.
	 */
	public Mono<Void> read() {
		return this.transactions.acrossAccounts(this.store.sendRates().collectMap(Rate::id, Rate::sendRate))
			.doOnNext((read) -> this.rates = Map.copyOf(read))
			.then()
			.onErrorResume((error) -> {
				log.warn("The rates of accounts could not be read: {}", error.toString());
				return Mono.empty();
			});
	}

	/** The rate that an operator has set for the account; empty if the settings apply. */
	public OptionalInt perSecond(UUID account) {
		@Nullable Integer rate = this.rates.get(account);
		return (rate != null) ? OptionalInt.of(rate) : OptionalInt.empty();
	}

	/** The rate of an account. */
	record Rate(UUID id, int sendRate) {
	}

}
