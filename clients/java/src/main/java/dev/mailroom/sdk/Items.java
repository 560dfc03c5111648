package dev.mailroom.sdk;

import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

import org.jspecify.annotations.Nullable;

/** Items of a list. Pages are fetched as needed, each time that it is iterated. */
public final class Items<T> implements Iterable<T> {

	private final Function<String, Page<T>> fetch;

	private final String start;

	Items(Function<String, Page<T>> fetch, String start) {
		this.fetch = fetch;
		this.start = start;
	}

	/** Streams the items. */
	public Stream<T> stream() {
		return StreamSupport.stream(spliterator(), false);
	}

	/** Returns the first item. */
	public Optional<T> first() {
		Iterator<T> items = iterator();
		return items.hasNext() ? Optional.of(items.next()) : Optional.empty();
	}

	/** Returns at most this number of items. */
	public List<T> toList(int max) {
		return stream().limit(max).toList();
	}

	/** Iterates over the pages. */
	public Iterable<Page<T>> pages() {
		return Pages::new;
	}

	@Override
	public Iterator<T> iterator() {
		Iterator<Page<T>> pages = new Pages();
		return new Iterator<>() {

			private Iterator<T> items = List.<T>of().iterator();

			@Override
			public boolean hasNext() {
				while (!this.items.hasNext() && pages.hasNext()) {
					this.items = pages.next().items().iterator();
				}
				return this.items.hasNext();
			}

			@Override
			public T next() {
				if (!hasNext()) {
					throw new NoSuchElementException();
				}
				return this.items.next();
			}

		};
	}

	/**
	 * A page of a list.
	 *
	 * @param cursor continues after this page; null on the last one
	 */
	public record Page<T>(List<T> items, @Nullable String cursor) {
	}

	private final class Pages implements Iterator<Page<T>> {

		private @Nullable String cursor = Items.this.start;

		@Override
		public boolean hasNext() {
			return this.cursor != null;
		}

		@Override
		public Page<T> next() {
			if (this.cursor == null) {
				throw new NoSuchElementException();
			}
			Page<T> page = Items.this.fetch.apply(this.cursor);
			this.cursor = page.cursor();
			return page;
		}

	}

}
