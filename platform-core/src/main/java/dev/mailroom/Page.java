package dev.mailroom;

import java.util.List;
import java.util.function.Function;

/**
 * One page of a list.
 *
 * @param <T> what is listed
 * @param items what stands on the page; empty past the end
 * @param request which page was asked for
 * @param total how many there are on all pages
 */
public record Page<T>(List<T> items, Request request, long total) {

	public Page {
		items = List.copyOf(items);
	}

	/** The same page of other items. */
	public <R> Page<R> map(Function<? super T, ? extends R> view) {
		return new Page<>(this.items.stream().<R>map(view).toList(), this.request, this.total);
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
	 */
	public record Request(int page, int limit) {

		/** How many items stand before this page. */
		public long offset() {
			return (this.page - 1L) * this.limit;
		}
	}

}
