package dev.mailroom.api.compat.resend;

import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.Function;

import dev.mailroom.Page;
import dev.mailroom.Refusal;
import dev.mailroom.Refused;
import dev.mailroom.api.http.Ids;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/**
 * A page of a list. Resend's pages begin after an item, or end before one.
 *
 * @param hasMore whether the list continues in the direction in which it is read
 */
record ResendList(String object, boolean hasMore, List<?> data) {

	private static final int DEFAULT_LIMIT = 20;

	private static final int MAX_LIMIT = 100;

	/**
	 * Reads a page.
	 * @param query the parameters {@code limit}, {@code after} and {@code before}
	 * @param find finds an item, whose position is that of the page
	 */
	static <T extends Page.Item> Mono<ResendList> read(Map<String, String> query, Function<UUID, Mono<T>> find,
			Function<Page.Request, Mono<Page<T>>> list, Function<T, Object> view) {
		return Mono.defer(() -> {
			int limit = limit(query.get("limit"));
			@Nullable String after = query.get("after");
			@Nullable String before = query.get("before");
			if (after != null && before != null) {
				throw invalid("before", "cannot be combined with after");
			}
			if (before != null) {
				return find.apply(id("before", before))
					.flatMap((item) -> list.apply(Page.Request.before(item.cursor(), limit)))
					.map((page) -> new ResendList("list", page.preceded(), page.map(view).items()));
			}
			Mono<Page.Cursor> start = (after == null) ? Mono.just(Page.Cursor.START)
					: find.apply(id("after", after)).map(Page.Item::cursor);
			return start.flatMap((cursor) -> list.apply(new Page.Request(1, limit, cursor)))
				.map((page) -> new ResendList("list", page.next() != null, page.map(view).items()));
		});
	}

	private static int limit(@Nullable String text) {
		if (text == null) {
			return DEFAULT_LIMIT;
		}
		try {
			int limit = Integer.parseInt(text);
			if (limit >= 1 && limit <= MAX_LIMIT) {
				return limit;
			}
		}
		catch (NumberFormatException _) {
			// Refused below, like a number out of range.
		}
		throw invalid("limit", "must be a whole number from 1 to " + MAX_LIMIT);
	}

	private static UUID id(String field, String text) {
		return Ids.read(text).orElseThrow(() -> invalid(field, "must be the id of an item of this list"));
	}

	static Refused invalid(String field, String message) {
		return Refusal.INVALID_REQUEST.field(field, message);
	}

}
