package dev.mailroom.retention;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.UUID;
import java.util.function.Supplier;

import dev.mailroom.Transactions;
import dev.mailroom.blob.Blobs;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

import org.springframework.stereotype.Service;

/**
 * Lets go of what was kept for long enough, a little at a time. Ages count in whole days
 * of UTC: what an account's list keeps of its deep places goes with each removal, and so
 * it does once a day.
 */
@Service
public class Retention {

	/** Mails that one transaction removes. */
	private static final int BATCH = 200;

	/** Batches of a kind that are removed in one go. */
	private static final int ROUNDS = 25;

	private final RetentionStore store;

	private final Transactions transactions;

	private final Blobs blobs;

	private final RetentionSettings settings;

	private final Clock clock;

	Retention(RetentionStore store, Transactions transactions, Blobs blobs, RetentionSettings settings, Clock clock) {
		this.store = store;
		this.transactions = transactions;
		this.blobs = blobs;
		this.settings = settings;
		this.clock = clock;
	}

	/**
	 * Removes some of what is too old.
	 * @return how many mails, bodies, events, calls, links, keys and tokens
	 */
	public Mono<Long> keep() {
		Duration metadata = this.settings.metadata();
		Flux<Long> sent = Flux.concat(rounds(this.settings.body(), byId(this.store::bodies)),
				rounds(metadata, byId(this::mails)), rounds(metadata, byId(this.store::events)),
				rounds(metadata, byId(this.store::calls)), rounds(metadata, this.store::deadLetters),
				rounds(this.settings.links(), this.store::links));
		Flux<Long> cameIn = Flux.concat(rounds(this.settings.body(), byId(this.store::inboundBodies)),
				rounds(metadata, byId(this.store::inboundMails)));
		Flux<Long> ranOut = Flux.concat(rounds(() -> this.store.idempotencyKeys(BATCH)),
				rounds(() -> this.store.tokens(BATCH)), rounds(() -> this.store.sessions(BATCH)));
		return Flux.concat(sent, cameIn, ranOut).reduce(0L, Long::sum).delayUntil((_) -> this.blobs.sweep());
	}

	/**
	 * Deliveries first and in order, then mails, as whoever settles locks them; then all
	 * of them go.
	 */
	private Mono<Long> mails(UUID before, int most) {
		return this.store.old(before, most)
			.collectList()
			.map((ids) -> ids.toArray(UUID[]::new))
			.delayUntil(this.store::hold)
			.flatMap((ids) -> (ids.length > 0) ? this.store.remove(ids) : Mono.just(0L));
	}

	private Mono<Long> rounds(Duration age, Removal removal) {
		return age.isZero() ? Mono.just(0L) : rounds(() -> removal.of(before(age), BATCH));
	}

	private Mono<Long> rounds(Supplier<Mono<Long>> batch) {
		Mono<Long> one = Mono.defer(() -> this.transactions.acrossAccounts(batch.get()));
		return one.expand((removed) -> (removed >= BATCH) ? one : Mono.empty()).take(ROUNDS).reduce(0L, Long::sum);
	}

	/** No id that was made later is less (RFC 9562 5.7). */
	private static Removal byId(RemovalById removal) {
		return (before, most) -> removal.of(new UUID(before.toEpochMilli() << 16, 0), most);
	}

	private Instant before(Duration age) {
		return this.clock.instant().truncatedTo(ChronoUnit.DAYS).minus(age);
	}

	/** Removes at the most so many of those that are of a time before. */
	private interface Removal {

		Mono<Long> of(Instant before, int most);

	}

	/** Removes at the most so many of those made before an id. */
	private interface RemovalById {

		Mono<Long> of(UUID before, int most);

	}

}
