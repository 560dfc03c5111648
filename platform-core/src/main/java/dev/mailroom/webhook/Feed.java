package dev.mailroom.webhook;

import java.nio.ByteBuffer;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;

import dev.mailroom.Page;
import dev.mailroom.Scope;
import dev.mailroom.database.Transactions;
import dev.mailroom.mail.log.Emails;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

import org.springframework.stereotype.Service;

/**
 * Events of an account in commit order. New events only appear at the end. A reader that
 * continues from its cursor gets each event exactly once.
 */
@Service
public class Feed {

	/** Older events are not shown. */
	private static final Duration MAX_AGE = Duration.ofDays(30);

	/** Events of one email that are read together with those of others. */
	private static final int MAX_EVENTS_PER_EMAIL = 100;

	private final FeedStore store;

	private final Emails emails;

	private final Transactions transactions;

	private final Clock clock;

	Feed(FeedStore store, Emails emails, Transactions transactions, Clock clock) {
		this.store = store;
		this.emails = emails;
		this.transactions = transactions;
		this.clock = clock;
	}

	/**
	 * Reads events, oldest first.
	 * @param after the position after which to continue; null for the beginning
	 * @param limit the maximum number of events
	 */
	public Mono<Batch> read(Scope scope, @Nullable Cursor after, int limit) {
		return Mono.defer(() -> {
			Instant since = this.clock.instant().minus(MAX_AGE);
			return this.transactions.listByIndex(scope, this.store.read(scope, after, since, limit + 1))
				.collectList()
				.map((entries) -> batch(entries, after, limit));
		});
	}

	/** The position after all events that a reader can have seen. */
	public Mono<Cursor> end(Scope scope) {
		return this.transactions.list(scope, this.store.end(scope));
	}

	/**
	 * Lists the events of one email, newest first.
	 * @throws dev.mailroom.Refused {@code Email not found}
	 */
	public Mono<Page<EmailEvent>> ofEmail(Scope scope, UUID emailId, Page.Request page) {
		Mono<Page<EmailEvent>> events = this.emails.requireVisible(scope, emailId)
			.then(this.store.ofEmail(scope, emailId, page).collectList())
			.zipWith(this.store.countOfEmail(scope, emailId), (items, total) -> Page.of(items, page, total));
		return this.transactions.list(scope, events);
	}

	/** The newest events of emails of the account by email, newest first. */
	public Mono<Map<UUID, Collection<EmailEvent>>> ofEmails(Scope scope, Collection<UUID> emailIds) {
		return this.transactions.in(scope, this.store.ofEmails(scope, emailIds, MAX_EVENTS_PER_EMAIL)
			.collectMultimap(MailEvent::emailId, MailEvent::event));
	}

	private static Batch batch(List<Entry> entries, @Nullable Cursor after, int limit) {
		List<Entry> events = entries.subList(0, Math.min(limit, entries.size()));
		return new Batch(List.copyOf(events), events.isEmpty() ? after : events.getLast().cursor(),
				entries.size() > limit);
	}

	/**
	 * An event of an email.
	 *
	 * @param kind the contract's name of an event kind
	 */
	public record EmailEvent(UUID id, String kind, Map<String, Object> data, Instant createdAt) implements Page.Item {
	}

	/** An event with its email. */
	record MailEvent(UUID emailId, EmailEvent event) {
	}

	/**
	 * An event with its position in the feed.
	 *
	 * @param kind the contract's name; a text, because a newer release may have written a
	 * kind that this one lacks
	 * @param emailId the email that the event belongs to; null for the other kinds
	 */
	public record Entry(Cursor cursor, String kind, @Nullable UUID emailId, Map<String, Object> data,
			Instant createdAt) {
	}

	/**
	 * Consecutive events of the feed.
	 *
	 * @param next the position after which to continue, now or later; null while the feed
	 * is empty
	 * @param more whether there are further events now
	 */
	public record Batch(List<Entry> events, @Nullable Cursor next, boolean more) {
	}

	/**
	 * A position in the feed.
	 *
	 * @param transaction PostgreSQL's id of the transaction that wrote the event
	 * @param id the event's id
	 */
	public record Cursor(long transaction, UUID id) {

		private static final int BYTES = 3 * Long.BYTES;

		/** Parses the result of {@link #text()}; empty for any other text. */
		public static Optional<Cursor> parse(String text) {
			try {
				ByteBuffer bytes = ByteBuffer.wrap(Base64.getUrlDecoder().decode(text));
				if (bytes.remaining() != BYTES || bytes.getLong(0) < 0) {
					return Optional.empty();
				}
				return Optional.of(new Cursor(bytes.getLong(), new UUID(bytes.getLong(), bytes.getLong())));
			}
			catch (IllegalArgumentException _) {
				return Optional.empty();
			}
		}

		/** The cursor as clients store it: opaque, URL-safe text. */
		public String text() {
			byte[] bytes = ByteBuffer.allocate(BYTES)
				.putLong(this.transaction)
				.putLong(this.id.getMostSignificantBits())
				.putLong(this.id.getLeastSignificantBits())
				.array();
			return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
		}

	}

}
