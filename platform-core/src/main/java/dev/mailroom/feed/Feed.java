package dev.mailroom.feed;

import java.nio.ByteBuffer;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;

import dev.mailroom.Page;
import dev.mailroom.Scope;
import dev.mailroom.Transactions;
import dev.mailroom.email.Emails;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

import org.springframework.stereotype.Service;

/**
 * Everything that happened to an account, in an order to which nothing is added but at
 * its end: whoever reads on behind a cursor misses nothing and sees nothing twice.
 */
@Service
public class Feed {

	/** How far back it reaches. */
	private static final Duration REACH = Duration.ofDays(30);

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
	 * Reads on, oldest first.
	 * @param after behind which to read; null for the beginning
	 * @param limit how many events at the most
	 */
	public Mono<Stretch> read(Scope scope, @Nullable Cursor after, int limit) {
		return Mono.defer(() -> {
			Instant since = this.clock.instant().minus(REACH);
			return this.transactions.in(scope, this.store.read(scope, after, since, limit + 1))
				.collectList()
				.map((found) -> cut(found, after, limit));
		});
	}

	/**
	 * The events of one email, newest first.
	 * @throws dev.mailroom.Refused {@code Email not found}
	 */
	public Mono<Page<Recorded>> ofEmail(Scope scope, UUID emailId, Page.Request page) {
		Mono<Page<Recorded>> found = this.emails.requireVisible(scope, emailId)
			.then(this.store.ofEmail(scope, emailId, page).collectList())
			.zipWith(this.store.countOfEmail(scope, emailId), (events, total) -> new Page<>(events, page, total));
		return this.transactions.in(scope, found);
	}

	private static Stretch cut(List<Happened> found, @Nullable Cursor after, int limit) {
		List<Happened> events = found.subList(0, Math.min(limit, found.size()));
		return new Stretch(List.copyOf(events), events.isEmpty() ? after : events.getLast().cursor(),
				found.size() > limit);
	}

	/** An event of an email. */
	public record Recorded(UUID id, String kind, Map<String, Object> data, Instant createdAt) {
	}

	/** An event with its place in the feed. */
	public record Happened(Cursor cursor, String kind, @Nullable UUID emailId, Map<String, Object> data,
			Instant createdAt) {
	}

	/**
	 * Some of the feed.
	 *
	 * @param next behind which it goes on, now or later; null where nothing ever happened
	 * @param more whether it goes on now
	 */
	public record Stretch(List<Happened> events, @Nullable Cursor next, boolean more) {
	}

	/**
	 * A place in the feed.
	 *
	 * @param transaction the one that wrote the event
	 * @param id the event's
	 */
	public record Cursor(long transaction, UUID id) {

		private static final int BYTES = 3 * Long.BYTES;

		/** Reads what {@link #text()} wrote; empty where nobody wrote that. */
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

		/** The same, for others to hand back. */
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
