package dev.mailroom.admin.graphql;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

import dev.mailroom.Page;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/**
 * A part of a list, in the form of the GraphQL Cursor Connections Specification.
 *
 * @param totalCount number of items of the whole list; null unless a counter of it is
 * maintained
 */
public record Connection<T>(List<Edge<T>> edges, PageInfo pageInfo, @Nullable Long totalCount) {

	/** A page of a list that is sorted by creation time and id. */
	public static <T> Connection<T> of(Page<T> page, Function<? super T, Page.Cursor> cursor) {
		return of(page, cursor, page.total());
	}

	/**
	 * A page of such a list that is not counted.
	 * @param rows the items in the order in which the request reads them, and one more
	 * than it holds if there are more
	 */
	public static <T> Connection<T> of(List<T> rows, Page.Request request, Function<? super T, Page.Cursor> cursor) {
		return of(Page.cut(rows, request, 0, cursor), cursor, null);
	}

	private static <T> Connection<T> of(Page<T> page, Function<? super T, Page.Cursor> cursor,
			@Nullable Long totalCount) {
		return of(page.items(), (item) -> cursor.apply(item).text(), page.next() != null, page.preceded(), totalCount);
	}

	/**
	 * A page of a list without cursors of its own; they hold positions in the list. It is
	 * not counted.
	 * @param read reads the items of a page
	 */
	public static <T> Mono<Connection<T>> byPosition(PageArguments page, Function<Page.Request, Mono<List<T>>> read) {
		return Mono.defer(() -> {
			Page.Request request = page.byPosition();
			return read.apply(Page.Request.after(request.offset(), request.limit() + 1))
				.map((rows) -> of(rows, request));
		});
	}

	private static <T> Connection<T> of(List<T> rows, Page.Request request) {
		List<Edge<T>> edges = new ArrayList<>();
		long position = request.offset();
		for (T item : rows.subList(0, Math.min(rows.size(), request.limit()))) {
			edges.add(new Edge<>(PageArguments.cursor(++position), item));
		}
		return new Connection<>(edges, PageInfo.of(edges, rows.size() > request.limit(), request.offset() > 0), null);
	}

	/** Items of a list with cursors of any kind. */
	public static <T> Connection<T> of(List<T> items, Function<? super T, String> cursor, boolean hasNextPage,
			boolean hasPreviousPage, @Nullable Long totalCount) {
		List<Edge<T>> edges = items.stream().map((item) -> new Edge<>(cursor.apply(item), item)).toList();
		return new Connection<>(edges, PageInfo.of(edges, hasNextPage, hasPreviousPage), totalCount);
	}

	/** The items of the page. */
	public List<T> nodes() {
		return this.edges.stream().map(Edge::node).toList();
	}

	/** An item with its position. */
	public record Edge<T>(String cursor, T node) {
	}

	/** Information about the page. */
	public record PageInfo(boolean hasNextPage, boolean hasPreviousPage, @Nullable String startCursor,
			@Nullable String endCursor) {

		static PageInfo of(List<? extends Edge<?>> edges, boolean hasNextPage, boolean hasPreviousPage) {
			return new PageInfo(hasNextPage, hasPreviousPage, edges.isEmpty() ? null : edges.getFirst().cursor(),
					edges.isEmpty() ? null : edges.getLast().cursor());
		}

	}

}
