package dev.mailroom.upkeep;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.IntToLongFunction;
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
 * Removes data whose retention period is over, in small batches, as fast as it arrives.
 * Ages are counted in whole days of UTC, because each removal invalidates the page
 * anchors of the account's email list, and this way it happens only once a day.
 */
@Service
public class Retention {

	private static final Logger log = LoggerFactory.getLogger(Retention.class);

	/** Mails or received mails removed by one transaction, with their rows elsewhere. */
	private static final int BATCH_SIZE = 200;

	/** Rows of other kinds removed by one transaction. */
	private static final int LARGE_BATCH_SIZE = 1000;

	/** Batches of a kind, after which the other kinds have their turn. */
	private static final int MAX_BATCHES = 25;

	/** Time after which a call begins no further round. */
	private static final Duration MAX_TIME = Duration.ofSeconds(15);

	/**
	 * Time after which the mail of a suspended account fails: longer than any mail is
	 * retried, so that a suspension that is lifted by then has lost none that could still
	 * be sent.
	 */
	static final Duration SUSPENSION = Duration.ofDays(7);

	/** Time for which reports of receivers and figures by provider are kept. */
	static final Duration REPORTS = Duration.ofDays(400);

	private static final UUID START = new UUID(0, 0);

	/** Mail behind which the walk over mails with content continues. */
	private final AtomicReference<UUID> bodies = new AtomicReference<>(START);

	/** Mail behind which the walk over mails continues. */
	private final AtomicReference<UUID> finished = new AtomicReference<>(START);

	/** Whether a kind had its batches and is not finished. */
	private final AtomicBoolean more = new AtomicBoolean();

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
	 * Removes expired rows, and the objects in the bucket of those that are gone: all
	 * kinds in turn, until none is left or for a limited time. A step that fails is
	 * logged, and does not keep the others from their work. While an account is being
	 * moved to this cell, no row is removed: its campaigns arrive after their recipients,
	 * and its rows are compared with those of the other cell.
	 * @return number of mails, bodies, events, calls, links, audit entries, keys and
	 * tokens removed, and of mails that failed because of a suspension
	 */
	public long removeExpired() {
		Instant end = this.clock.instant().plus(MAX_TIME);
		long removed = 0;
		this.more.set(!this.transactions.<Boolean>byIndex(this.store::accountArrives));
		while (this.more.getAndSet(false) && this.clock.instant().isBefore(end)
				&& !Thread.currentThread().isInterrupted()) {
			removed += round();
		}
		step("objects of the bucket", this.blobs::sweep);
		return removed;
	}

	private long round() {
		Duration body = this.settings.body();
		Duration metadata = this.settings.metadata();
		return step("mail of suspended accounts",
				() -> repeated(BATCH_SIZE, (limit) -> this.outcomes.failSuspended(SUSPENSION, limit)))
				+ step("bodies", () -> walk(body, this.bodies, this.mails::withContent, this::removeContents))
				+ step("mails", () -> walk(metadata, this.finished, this.mails::mails, this::removeMails))
				+ step("events", () -> batches(metadata, byId(this.store::events)))
				+ step("webhook calls", () -> batches(metadata, byId(this.store::calls)))
				+ step("dead letters", () -> batches(metadata, this.store::deadLetters))
				+ step("campaign recipients", () -> campaigns(metadata))
				+ step("links", () -> batches(this.settings.links(), this.store::links))
				+ step("received bodies", () -> batches(BATCH_SIZE, body, byId(this.store::inboundBodies)))
				+ step("received mails", () -> batches(BATCH_SIZE, metadata, byId(this.store::inboundMails)))
				+ step("idempotency keys", () -> batches(this.store::idempotencyKeys))
				+ step("audit entries", () -> batches(this.settings.audit(), byId(this.store::audit)))
				+ step("tokens", () -> batches(this.store::tokens))
				+ step("sign-ins of programs", () -> batches(this.store::deviceSignIns))
				+ step("sessions", () -> batches(this.store::sessions))
				+ step("traffic", () -> batches(this.store::traffic))
				+ step("reports of receivers", () -> batches(BATCH_SIZE, REPORTS, byId(this.store::reports)))
				+ step("reports about TLS", () -> batches(BATCH_SIZE, REPORTS, byId(this.store::tlsReports)))
				+ step("figures by provider", () -> batches(REPORTS, this.store::providerFigures))
				+ step("numbers of forwards", () -> batches(this.store::forwards))
				+ step("refusals without a reason", () -> batches(this.store::unexplainedRefusals));
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
		boolean atEnd = false;
		for (int i = 0; i < MAX_BATCHES && !atEnd; i++) {
			Step step = this.transactions.byIndex((jdbc) -> {
				MailRemovalStore.Walked found = pages.after(jdbc, position.get(), before, BATCH_SIZE);
				long count = (found.finished().length == 0) ? 0 : removal.applyAsLong(jdbc, found.finished());
				return new Step(count, found.next());
			});
			position.set((step.next() != null) ? step.next() : START);
			sum += step.count();
			atEnd = position.get().equals(START);
		}
		if (!atEnd && sum > 0) {
			this.more.set(true);
		}
		return sum;
	}

	/** Removes recipients; a batch has those of one campaign, which may be few. */
	private long campaigns(Duration age) {
		return age.isZero() ? 0 : repeated(1, (_) -> this.transactions
			.<Long>byIndex((jdbc) -> this.store.campaignRecipients(jdbc, before(age), LARGE_BATCH_SIZE)));
	}

	private long batches(Duration age, Removal removal) {
		return batches(LARGE_BATCH_SIZE, age, removal);
	}

	private long batches(int size, Duration age, Removal removal) {
		return age.isZero() ? 0 : batches(size, (jdbc, limit) -> removal.of(jdbc, before(age), limit));
	}

	private long batches(ToLongBiFunction<JdbcClient, Integer> batch) {
		return batches(LARGE_BATCH_SIZE, batch);
	}

	private long batches(int size, ToLongBiFunction<JdbcClient, Integer> batch) {
		return repeated(size, (limit) -> this.transactions.<Long>byIndex((jdbc) -> batch.applyAsLong(jdbc, limit)));
	}

	private long repeated(int size, IntToLongFunction batch) {
		long sum = 0;
		for (int i = 0; i < MAX_BATCHES; i++) {
			long removed = batch.applyAsLong(size);
			sum += removed;
			if (removed < size) {
				return sum;
			}
		}
		this.more.set(true);
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
