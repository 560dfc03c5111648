package dev.mailroom.upkeep;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.LongSupplier;
import java.util.function.ToLongBiFunction;

import dev.mailroom.blob.Blobs;
import dev.mailroom.database.JdbcTransactions;
import dev.mailroom.mail.outcome.Outcomes;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.jdbc.core.simple.JdbcClient;
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

	private final JdbcTransactions transactions;

	private final Blobs blobs;

	private final Outcomes outcomes;

	private final RetentionSettings settings;

	private final Clock clock;

	Retention(RetentionStore store, MailRemovalStore mails, JdbcTransactions transactions, Blobs blobs,
			Outcomes outcomes, RetentionSettings settings, Clock clock) {
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
	public long removeExpired() {
		Duration body = this.settings.body();
		Duration metadata = this.settings.metadata();
		long removed = step("mail of suspended accounts",
				() -> repeated(() -> this.outcomes.failSuspended(SUSPENSION, BATCH_SIZE)))
				+ step("bodies", () -> walk(body, this.bodies, this.mails::withContent, this::removeContents))
				+ step("mails", () -> walk(metadata, this.finished, this.mails::mails, this::removeMails))
				+ step("events", () -> batches(metadata, byId(this.store::events)))
				+ step("webhook calls", () -> batches(metadata, byId(this.store::calls)))
				+ step("dead letters", () -> batches(metadata, this.store::deadLetters))
				+ step("campaign recipients", () -> batches(metadata, this.store::campaignRecipients))
				+ step("links", () -> batches(this.settings.links(), this.store::links))
				+ step("received bodies", () -> batches(body, byId(this.store::inboundBodies)))
				+ step("received mails", () -> batches(metadata, byId(this.store::inboundMails)))
				+ step("idempotency keys", () -> batches(this.store::idempotencyKeys))
				+ step("audit entries", () -> batches(this.settings.audit(), byId(this.store::audit)))
				+ step("tokens", () -> batches(this.store::tokens))
				+ step("sessions", () -> batches(this.store::sessions))
				+ step("traffic", () -> batches(this.store::traffic))
				+ step("refusals without a reason", () -> batches(this.store::unexplainedRefusals));
		step("objects of the bucket", this.blobs::sweep);
		return removed;
	}

	/** Takes a step, unless the thread was interrupted because the worker stops. */
	private static long step(String what, LongSupplier work) {
		if (Thread.currentThread().isInterrupted()) {
			return 0;
		}
		try {
			return work.getAsLong();
		}
		catch (RuntimeException ex) {
			log.warn("Expired {} were not removed, and are tried again: {}", what, ex.toString());
			return 0;
		}
	}

	private long removeContents(JdbcClient jdbc, UUID[] finished) {
		List<UUID> ids = this.mails.lockContents(jdbc, finished);
		return ids.isEmpty() ? 0 : this.mails.removeContents(jdbc, ids.toArray(UUID[]::new));
	}

	/** Locks deliveries first and then mails, in the same order as settlements. */
	private long removeMails(JdbcClient jdbc, UUID[] finished) {
		List<UUID> ids = this.mails.lockFinished(jdbc, finished);
		return ids.isEmpty() ? 0 : this.mails.remove(jdbc, ids.toArray(UUID[]::new));
	}

	/**
	 * Removes finished mails in the order of their ids, from where the last call ended.
	 * Mails that are not finished are passed once in each walk, and not by each call.
	 */
	private long walk(Duration age, AtomicReference<UUID> position, Pages pages,
			ToLongBiFunction<JdbcClient, UUID[]> removal) {
		if (age.isZero()) {
			return 0;
		}
		UUID before = id(before(age));
		long sum = 0;
		for (int i = 0; i < MAX_BATCHES; i++) {
			Step step = this.transactions.byIndex((jdbc) -> {
				MailRemovalStore.Walked found = pages.after(jdbc, position.get(), before, BATCH_SIZE);
				long count = (found.finished().length == 0) ? 0 : removal.applyAsLong(jdbc, found.finished());
				return new Step(count, found.next());
			});
			position.set((step.next() != null) ? step.next() : START);
			sum += step.count();
			if (position.get().equals(START)) {
				break;
			}
		}
		return sum;
	}

	private long batches(Duration age, Removal removal) {
		return age.isZero() ? 0 : batches((jdbc, limit) -> removal.of(jdbc, before(age), limit));
	}

	private long batches(ToLongBiFunction<JdbcClient, Integer> batch) {
		return repeated(() -> this.transactions.<Long>byIndex((jdbc) -> batch.applyAsLong(jdbc, BATCH_SIZE)));
	}

	private static long repeated(LongSupplier batch) {
		long sum = 0;
		for (int i = 0; i < MAX_BATCHES; i++) {
			long removed = batch.getAsLong();
			sum += removed;
			if (removed < BATCH_SIZE) {
				break;
			}
		}
		return sum;
	}

	/** Converts a time to the smallest UUIDv7 of that time (RFC 9562 5.7). */
	private static Removal byId(RemovalById removal) {
		return (jdbc, before, limit) -> removal.of(jdbc, id(before), limit);
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

		MailRemovalStore.Walked after(JdbcClient jdbc, UUID after, UUID before, int limit);

	}

	/** Removes a limited number of rows older than a time. */
	private interface Removal {

		long of(JdbcClient jdbc, Instant before, int limit);

	}

	/** Removes a limited number of rows with ids less than one. */
	private interface RemovalById {

		long of(JdbcClient jdbc, UUID before, int limit);

	}

}
