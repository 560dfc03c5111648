package dev.mailroom.standalone.mailbox;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * What was caught, newest first, in memory alone: the oldest go where there are too many
 * or where they take too much room.
 */
final class Messages {

	private final Deque<Message> newestFirst = new ArrayDeque<>();

	private final int most;

	private final long mostBytes;

	private long bytes;

	private long changes;

	Messages(int most, long mostBytes) {
		this.most = most;
		this.mostBytes = mostBytes;
	}

	synchronized void add(Message message) {
		this.newestFirst.addFirst(message);
		this.bytes += message.weight();
		while (this.newestFirst.size() > this.most || (this.bytes > this.mostBytes && this.newestFirst.size() > 1)) {
			this.bytes -= this.newestFirst.removeLast().weight();
		}
		this.changes++;
	}

	synchronized void clear() {
		this.newestFirst.clear();
		this.bytes = 0;
		this.changes++;
	}

	synchronized List<Message> matching(Predicate<Message> wanted) {
		return this.newestFirst.stream().filter(wanted).toList();
	}

	synchronized Optional<Message> find(String id) {
		return this.newestFirst.stream().filter((message) -> message.id().equals(id)).findFirst();
	}

	/** Another number after each change: who has seen this one has seen everything. */
	synchronized long changes() {
		return this.changes;
	}

}
