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
 * @param <T> the type of the items
 * @param items the items of the page; empty past the end of the list
 * @param request the requested page
 * @param total the number of items on all pages
 * @param next the position after which the next page begins; null on the last page and
 * for lists without cursors
 * @param preceded whether items precede the page
 */
public record Page<T>(List<T> items, Request request, long total, @Nullable Cursor next, boolean preceded) {

	public Page {
		items = List.copyOf(items);
	}

	public Page(List<T> items, Request request, long total) {
		this(items, request, total, null, request.offset() > 0);
	}

	/** This page with each item converted. */
	public <R> Page<R> map(Function<? super T, ? extends R> view) {
		return new Page<>(this.items.stream().<R>map(view).toList(), this.request, this.total, this.next,
				this.preceded);
	}

	/**
	 * A page of a list with cursors.
	 * @param rows the items of the page in the order in which the request reads them, and
	 * one more if the list continues
	 * @param cursor the position of an item
	 */
	public static <T> Page<T> cut(List<T> rows, Request request, long total, Function<? super T, Cursor> cursor) {
		boolean more = rows.size() > request.limit();
		List<T> read = more ? rows.subList(0, request.limit()) : rows;
		List<T> items = request.backward() ? read.reversed() : read;
		boolean followed = request.backward() ? !items.isEmpty() && !Cursor.END.equals(request.cursor()) : more;
		boolean preceded = request.backward() ? more : request.cursor() != null || request.offset() > 0;
		return new Page<>(items, request, total, followed ? cursor.apply(items.getLast()) : null, preceded);
	}

	/**
	 * A page of a list that has cursors only for clients that ask with one.
	 * @param rows as in {@link #cut}; {@link Request#rows()} are read
	 */
	public static <T extends Item> Page<T> of(List<T> rows, Request request, long total) {
		return (request.cursor() != null) ? cut(rows, request, total, Item::cursor) : new Page<>(rows, request, total);
	}

	/** The number of pages; 0 for an empty list. */
	public long totalPages() {
		return (this.total + this.request.limit() - 1) / this.request.limit();
	}

	/**
	 * The page that a client requests.
	 *
	 * @param page the page's number, counted from 1; ignored with a cursor
	 * @param limit the maximum number of items
	 * @param cursor the position after which the page begins, or before which it ends;
	 * null to count by pages
	 * @param skipped the number of items to skip before the first page
	 * @param backward whether the page ends before the cursor: its items are read from
	 * there on, in the opposite order
	 */
	public record Request(int page, int limit, @Nullable Cursor cursor, long skipped, boolean backward) {

		public Request(int page, int limit) {
			this(page, limit, null);
		}

		public Request(int page, int limit, @Nullable Cursor cursor) {
			this(page, limit, cursor, 0, false);
		}

		/** The items that follow the first {@code count} of the list. */
		public static Request after(long count, int limit) {
			return new Request(1, limit, null, count, false);
		}

		/** The items that precede a position. */
		public static Request before(Cursor end, int limit) {
			return new Request(1, limit, end, 0, true);
		}

		/** The last items of the list. */
		public static Request last(int limit) {
			return before(Cursor.END, limit);
		}

		/** The operator of SQL by which items are beyond the cursor, newest first. */
		public String beyond() {
			return this.backward ? ">" : "<";
		}

		/** The direction of SQL in which a list that is newest first is read. */
		public String direction() {
			return this.backward ? "asc" : "desc";
		}

		/**
		 * The number of items to read: with a cursor one more shows whether more follow.
		 */
		public int rows() {
			return (this.cursor != null) ? this.limit + 1 : this.limit;
		}

		/** The number of items to skip. */
		public long offset() {
			return (this.cursor != null) ? 0 : (this.page - 1L) * this.limit + this.skipped;
		}
	}

	/** An item of a list that is sorted by creation time and id. */
	public interface Item {

		Instant createdAt();

		UUID id();

		/** The position in lists. */
		default Cursor cursor() {
			return new Cursor(createdAt(), id());
		}

	}

	/**
	 * The position of an item in a list that is sorted by creation time and id. It stays
	 * valid when items are added or deleted.
	 */
	public record Cursor(Instant createdAt, UUID id) {

		/** The position before the first item. */
		public static final Cursor START = new Cursor(Instant.parse("9999-12-31T00:00:00Z"), new UUID(-1, -1));

		/** The position after the last item. */
		public static final Cursor END = new Cursor(Instant.EPOCH, new UUID(0, 0));

		private static final int BYTES = 3 * Long.BYTES;

		/** Parses the result of {@link #text()}; empty for any other text. */
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

		/** The cursor as clients receive it: opaque, URL-safe text. */
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
