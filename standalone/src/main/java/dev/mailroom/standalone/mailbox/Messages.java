package dev.mailroom.standalone.mailbox;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * Caught messages in memory, newest first. The oldest are removed above the limits on
 * number and size; the newest is always kept.
 */
final class Messages {

	private final Deque<Message> newestFirst = new ArrayDeque<>();

	private final int maxMessages;

	private final long maxBytes;

	private long bytes;

	private long changes;

	Messages(int maxMessages, long maxBytes) {
		this.maxMessages = maxMessages;
		this.maxBytes = maxBytes;
	}

	synchronized void add(Message message) {
		this.newestFirst.addFirst(message);
		this.bytes += message.weight();
		while (this.newestFirst.size() > this.maxMessages
				|| (this.bytes > this.maxBytes && this.newestFirst.size() > 1)) {
			this.bytes -= this.newestFirst.removeLast().weight();
		}
		this.changes++;
	}

	synchronized void clear() {
		this.newestFirst.clear();
		this.bytes = 0;
		this.changes++;
	}

	synchronized List<Message> matching(Predicate<Message> filter) {
		return this.newestFirst.stream().filter(filter).toList();
	}

	synchronized Optional<Message> find(String id) {
		return this.newestFirst.stream().filter((message) -> message.id().equals(id)).findFirst();
	}

	/** Number of changes so far. */
	synchronized long changes() {
		return this.changes;
	}

}
