package dev.mailroom;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;

/**
 * Queue that serves its keys in turn (round robin): many items of one key do not delay
 * those of the others. Items of one key keep their order. Not safe for use by several
 * threads.
 *
 * @param <K> the type of the keys, such as the id of an account
 * @param <T> the type of the items
 */
public final class FairQueue<K, T> {

	/** By key; the one served last is at the end. No queue is empty. */
	private final LinkedHashMap<K, Deque<T>> items = new LinkedHashMap<>();

	private int size;

	public void add(K key, T item) {
		this.items.computeIfAbsent(key, (_) -> new ArrayDeque<>()).add(item);
		this.size++;
	}

	/** Adds an item before the others of its key. */
	public void addFirst(K key, T item) {
		this.items.computeIfAbsent(key, (_) -> new ArrayDeque<>()).addFirst(item);
		this.size++;
	}

	/**
	 * Removes the next item. Its key is served again after all others.
	 * @return null if the queue is empty
	 */
	public @Nullable T poll() {
		return this.items.isEmpty() ? null : poll(this.items.firstEntry().getKey());
	}

	/**
	 * Removes the first item of a key, which is served again after all others.
	 * @return null if the key has no items
	 */
	public @Nullable T poll(K key) {
		@Nullable Deque<T> own = this.items.remove(key);
		if (own == null) {
			return null;
		}
		T item = own.remove();
		this.size--;
		if (!own.isEmpty()) {
			this.items.put(key, own);
		}
		return item;
	}

	/** The keys that have items, the one to be served next first. */
	public Stream<K> keys() {
		return this.items.keySet().stream();
	}

	public boolean contains(K key) {
		return this.items.containsKey(key);
	}

	/** The number of items of a key. */
	public int size(K key) {
		@Nullable Deque<T> own = this.items.get(key);
		return (own == null) ? 0 : own.size();
	}

	/** Removes all items of a key, and returns them in order. */
	public List<T> removeAll(K key) {
		@Nullable Deque<T> own = this.items.remove(key);
		if (own == null) {
			return List.of();
		}
		this.size -= own.size();
		return List.copyOf(own);
	}

	/** Removes all items, and returns them key by key. */
	public List<T> removeAll() {
		List<T> all = this.items.values().stream().flatMap(Deque::stream).toList();
		this.items.clear();
		this.size = 0;
		return all;
	}

	public boolean isEmpty() {
		return this.items.isEmpty();
	}

	/** The number of items of all keys. */
	public int size() {
		return this.size;
	}

}
