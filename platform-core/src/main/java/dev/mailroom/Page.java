package dev.mailroom;

import java.nio.ByteBuffer;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Function;

import org.jspecify.annotations.Nullable;

/**
 * One page of a list.
 *
 * @param <T> what is listed
 * @param items what stands on the page; empty past the end
 * @param request which page was asked for
 * @param total how many there are on all pages
 * @param next behind which the list goes on; null where it ends, or is not read by cursor
 */
public record Page<T>(List<T> items, Request request, long total, @Nullable Cursor next) {

	public Page {
		items = List.copyOf(items);
	}

	public Page(List<T> items, Request request, long total) {
		this(items, request, total, null);
	}

	/** The same page of other items. */
	public <R> Page<R> map(Function<? super T, ? extends R> view) {
		return new Page<>(this.items.stream().<R>map(view).toList(), this.request, this.total, this.next);
	}

	/**
	 * A page of a list that is read on by cursor.
	 * @param found from the page's first item to one behind its last, where there is one
	 * @param cursor where an item stands
	 */
	public static <T> Page<T> cut(List<T> found, Request request, long total, Function<? super T, Cursor> cursor) {
		if (found.size() <= request.limit()) {
			return new Page<>(found, request, total);
		}
		List<T> items = found.subList(0, request.limit());
		return new Page<>(items, request, total, cursor.apply(items.getLast()));
	}

	/** How many pages there are; 0 where nothing is. */
	public long totalPages() {
		return (this.total + this.request.limit() - 1) / this.request.limit();
	}

	/**
	 * Which page is asked for.
	 *
	 * @param page counted from 1
	 * @param limit how many items a page holds
	 * @param cursor behind which it begins, whatever its number; null where the number
	 * counts
	 */
	public record Request(int page, int limit, @Nullable Cursor cursor) {

		public Request(int page, int limit) {
			this(page, limit, null);
		}

		/** How many items stand before this page. */
		public long offset() {
			return (this.cursor != null) ? 0 : (this.page - 1L) * this.limit;
		}
	}

	/**
	 * Where an item stands in a list that is sorted by its age, and by its id among those
	 * of one age. What comes or goes meanwhile moves it not.
	 */
	public record Cursor(Instant createdAt, UUID id) {

		private static final int BYTES = 3 * Long.BYTES;

		/** Reads what {@link #text()} wrote; empty where nobody wrote that. */
		public static Optional<Cursor> parse(String text) {
			try {
				ByteBuffer bytes = ByteBuffer.wrap(Base64.getUrlDecoder().decode(text));
				if (bytes.remaining() != BYTES || bytes.getLong(0) < 0) {
					return Optional.empty();
				}
				Instant createdAt = Instant.EPOCH.plus(bytes.getLong(), ChronoUnit.MICROS);
				return Optional.of(new Cursor(createdAt, new UUID(bytes.getLong(), bytes.getLong())));
			}
			catch (IllegalArgumentException _) {
				return Optional.empty();
			}
		}

		/** The same, for others to hand back. */
		public String text() {
			byte[] bytes = ByteBuffer.allocate(BYTES)
				.putLong(ChronoUnit.MICROS.between(Instant.EPOCH, this.createdAt))
				.putLong(this.id.getMostSignificantBits())
				.putLong(this.id.getLeastSignificantBits())
				.array();
			return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
		}
	}

}
