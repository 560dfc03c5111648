package dev.mailroom.upkeep;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.UUID;
import java.util.function.Supplier;

import dev.mailroom.blob.Blobs;
import dev.mailroom.database.Transactions;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

import org.springframework.stereotype.Service;

/**
 * Removes data whose retention period is over, in small batches. Ages are counted in
 * whole days of UTC, because each removal invalidates the page anchors of the account's
 * email list, and this way it happens only once a day.
 */
@Service
public class Retention {

	/** Rows removed by one transaction. */
	private static final int BATCH_SIZE = 200;

	/** Batches of each kind removed by one call. */
	private static final int MAX_BATCHES = 25;

	private final RetentionStore store;

	private final MailRemovalStore mails;

	private final Transactions transactions;

	private final Blobs blobs;

	private final RetentionSettings settings;

	private final Clock clock;

	Retention(RetentionStore store, MailRemovalStore mails, Transactions transactions, Blobs blobs,
			RetentionSettings settings, Clock clock) {
		this.store = store;
		this.mails = mails;
		this.transactions = transactions;
		this.blobs = blobs;
		this.settings = settings;
		this.clock = clock;
	}

	/**
	 * Removes a limited number of expired rows.
	 * @return number of mails, bodies, events, calls, links, audit entries, keys and
	 * tokens removed
	 */
	public Mono<Long> removeExpired() {
		Duration metadata = this.settings.metadata();
		Flux<Long> sent = Flux.concat(batches(this.settings.body(), byId(this::bodies)),
				batches(metadata, byId(this::mails)), batches(metadata, byId(this.store::events)),
				batches(metadata, byId(this.store::calls)), batches(metadata, this.store::deadLetters),
				batches(metadata, this.store::campaignRecipients), batches(this.settings.links(), this.store::links));
		Flux<Long> inbound = Flux.concat(batches(this.settings.body(), byId(this.store::inboundBodies)),
				batches(metadata, byId(this.store::inboundMails)));
		Flux<Long> expired = Flux.concat(batches(() -> this.store.idempotencyKeys(BATCH_SIZE)),
				batches(this.settings.audit(), byId(this.store::audit)), batches(() -> this.store.tokens(BATCH_SIZE)),
				batches(() -> this.store.sessions(BATCH_SIZE)), batches(() -> this.store.traffic(BATCH_SIZE)),
				batches(() -> this.store.unexplainedRefusals(BATCH_SIZE)));
		return Flux.concat(sent, inbound, expired).reduce(0L, Long::sum).delayUntil((_) -> this.blobs.sweep());
	}

	private Mono<Long> bodies(UUID before, int limit) {
		return this.mails.lockContents(before, limit)
			.collectList()
			.flatMap((ids) -> ids.isEmpty() ? Mono.just(0L) : this.mails.removeContents(ids.toArray(UUID[]::new)));
	}

	/** Locks deliveries first and then mails, in the same order as settlements. */
	private Mono<Long> mails(UUID before, int limit) {
		return this.mails.expiredMails(before, limit)
			.collectList()
			.flatMap((ids) -> this.mails.lockFinished(ids.toArray(UUID[]::new)).collectList())
			.flatMap((ids) -> ids.isEmpty() ? Mono.just(0L) : this.mails.remove(ids.toArray(UUID[]::new)));
	}

	private Mono<Long> batches(Duration age, Removal removal) {
		return age.isZero() ? Mono.just(0L) : batches(() -> removal.of(before(age), BATCH_SIZE));
	}

	private Mono<Long> batches(Supplier<Mono<Long>> batch) {
		Mono<Long> removal = Mono.defer(() -> this.transactions.byIndex(batch.get()));
		return removal.expand((removed) -> (removed >= BATCH_SIZE) ? removal : Mono.empty())
			.take(MAX_BATCHES)
			.reduce(0L, Long::sum);
	}

	/** Converts a time to the smallest UUIDv7 of that time (RFC 9562 5.7). */
	private static Removal byId(RemovalById removal) {
		return (before, limit) -> removal.of(new UUID(before.toEpochMilli() << 16, 0), limit);
	}

	private Instant before(Duration age) {
		return this.clock.instant().truncatedTo(ChronoUnit.DAYS).minus(age);
	}

	/** Removes a limited number of rows older than a time. */
	private interface Removal {

		Mono<Long> of(Instant before, int limit);

	}

	/** Removes a limited number of rows with ids less than one. */
	private interface RemovalById {

		Mono<Long> of(UUID before, int limit);

	}

}
