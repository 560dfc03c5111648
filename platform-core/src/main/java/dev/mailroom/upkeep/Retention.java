package dev.mailroom.upkeep;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import java.util.function.Supplier;

import dev.mailroom.blob.Blobs;
import dev.mailroom.database.Transactions;
import dev.mailroom.mail.outcome.Outcomes;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

import org.springframework.stereotype.Service;

/**
 * Removes data whose retention period is over, in small batches. Ages are counted in
 * whole days of UTC, because each removal invalidates the page anchors of the account's
 * email list, and this way it happens only once a day.
 */
@Service
public class Retention {

	private static final Logger log = LoggerFactory.getLogger(Retention.class);

	/** Rows removed by one transaction. */
	private static final int BATCH_SIZE = 200;

	/** Batches of each kind removed by one call. */
	private static final int MAX_BATCHES = 25;

	/**
	 * Time after which the mail of a suspended account fails: longer than any mail is
	 * retried, so that a suspension that is lifted by then has lost none that could still
	 * be sent.
	 */
	static final Duration SUSPENSION = Duration.ofDays(7);

	private static final UUID START = new UUID(0, 0);

	/** Mail behind which the walk over mails with content continues. */
	private final AtomicReference<UUID> bodies = new AtomicReference<>(START);

	/** Mail behind which the walk over mails continues. */
	private final AtomicReference<UUID> finished = new AtomicReference<>(START);

	private final RetentionStore store;

	private final MailRemovalStore mails;

	private final Transactions transactions;

	private final Blobs blobs;

	private final Outcomes outcomes;

	private final RetentionSettings settings;

	private final Clock clock;

	Retention(RetentionStore store, MailRemovalStore mails, Transactions transactions, Blobs blobs, Outcomes outcomes,
			RetentionSettings settings, Clock clock) {
		this.store = store;
		this.mails = mails;
		this.transactions = transactions;
		this.blobs = blobs;
		this.outcomes = outcomes;
		this.settings = settings;
		this.clock = clock;
	}

	/**
	 * Removes a limited number of expired rows, and the objects in the bucket of those
	 * that are gone. A step that fails is logged, and does not keep the others from their
	 * work.
	 * @return number of mails, bodies, events, calls, links, audit entries, keys and
	 * tokens removed, and of mails that failed because of a suspension
	 */
	public Mono<Long> removeExpired() {
		Duration body = this.settings.body();
		Duration metadata = this.settings.metadata();
		Mono<Long> suspended = Mono.fromCallable(() -> this.outcomes.failSuspended(SUSPENSION, BATCH_SIZE))
			.subscribeOn(Schedulers.boundedElastic());
		return Flux
			.concat(step("mail of suspended accounts", repeated(suspended)),
					step("bodies", walk(body, this.bodies, this.mails::withContent, this::removeContents)),
					step("mails", walk(metadata, this.finished, this.mails::mails, this::removeMails)),
					step("events", batches(metadata, byId(this.store::events))),
					step("webhook calls", batches(metadata, byId(this.store::calls))),
					step("dead letters", batches(metadata, this.store::deadLetters)),
					step("campaign recipients", batches(metadata, this.store::campaignRecipients)),
					step("links", batches(this.settings.links(), this.store::links)),
					step("received bodies", batches(body, byId(this.store::inboundBodies))),
					step("received mails", batches(metadata, byId(this.store::inboundMails))),
					step("idempotency keys", batches(() -> this.store.idempotencyKeys(BATCH_SIZE))),
					step("audit entries", batches(this.settings.audit(), byId(this.store::audit))),
					step("tokens", batches(() -> this.store.tokens(BATCH_SIZE))),
					step("sessions", batches(() -> this.store.sessions(BATCH_SIZE))),
					step("traffic", batches(() -> this.store.traffic(BATCH_SIZE))),
					step("refusals without a reason", batches(() -> this.store.unexplainedRefusals(BATCH_SIZE))),
					step("objects of the bucket", this.blobs.sweep().thenReturn(0L)))
			.reduce(0L, Long::sum);
	}

	private static Mono<Long> step(String what, Mono<Long> work) {
		return work.onErrorResume((error) -> {
			log.warn("Expired {} were not removed, and are tried again: {}", what, error.toString());
			return Mono.just(0L);
		});
	}

	private Mono<Long> removeContents(UUID[] finished) {
		return this.mails.lockContents(finished)
			.collectList()
			.flatMap((ids) -> ids.isEmpty() ? Mono.just(0L) : this.mails.removeContents(ids.toArray(UUID[]::new)));
	}

	/** Locks deliveries first and then mails, in the same order as settlements. */
	private Mono<Long> removeMails(UUID[] finished) {
		return this.mails.lockFinished(finished)
			.collectList()
			.flatMap((ids) -> ids.isEmpty() ? Mono.just(0L) : this.mails.remove(ids.toArray(UUID[]::new)));
	}

	/**
	 * Removes finished mails in the order of their ids, from where the last call ended.
	 * Mails that are not finished are passed once in each walk, and not by each call.
	 */
	private Mono<Long> walk(Duration age, AtomicReference<UUID> position, Pages pages,
			Function<UUID[], Mono<Long>> removal) {
		if (age.isZero()) {
			return Mono.just(0L);
		}
		UUID before = id(before(age));
		Mono<Long> page = Mono
			.defer(() -> this.transactions.byIndex(pages.after(position.get(), before, BATCH_SIZE)
				.flatMap((found) -> ((found.finished().length == 0) ? Mono.just(0L) : removal.apply(found.finished()))
					.map((count) -> new Step(count, found.next())))))
			.doOnNext((step) -> position.set((step.next() != null) ? step.next() : START))
			.map(Step::count);
		return page.expand((_) -> position.get().equals(START) ? Mono.empty() : page)
			.take(MAX_BATCHES)
			.reduce(0L, Long::sum);
	}

	private Mono<Long> batches(Duration age, Removal removal) {
		return age.isZero() ? Mono.just(0L) : batches(() -> removal.of(before(age), BATCH_SIZE));
	}

	private Mono<Long> batches(Supplier<Mono<Long>> batch) {
		return repeated(Mono.defer(() -> this.transactions.byIndex(batch.get())));
	}

	private static Mono<Long> repeated(Mono<Long> batch) {
		return batch.expand((removed) -> (removed >= BATCH_SIZE) ? batch : Mono.empty())
			.take(MAX_BATCHES)
			.reduce(0L, Long::sum);
	}

	/** Converts a time to the smallest UUIDv7 of that time (RFC 9562 5.7). */
	private static Removal byId(RemovalById removal) {
		return (before, limit) -> removal.of(id(before), limit);
	}

	private static UUID id(Instant time) {
		return new UUID(time.toEpochMilli() << 16, 0);
	}

	private Instant before(Duration age) {
		return this.clock.instant().truncatedTo(ChronoUnit.DAYS).minus(age);
	}

	/** A page of a walk. */
	private record Step(long count, @Nullable UUID next) {
	}

	/** Looks for finished mails after one, with ids less than another. */
	private interface Pages {

		Mono<MailRemovalStore.Walked> after(UUID after, UUID before, int limit);

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
