package dev.mailroom.standalone.mailbox;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;
import reactor.core.scheduler.Schedulers;

/**
 * Caught messages in memory, newest first. The oldest are removed above the limits on
 * number and size; the newest is always kept.
 */
final class Messages {

	private final Deque<Message> newestFirst = new ArrayDeque<>();

	private final int maxMessages;

	private final long maxBytes;

	private final Sinks.Many<Long> arrivals = Sinks.many().multicast().directBestEffort();

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
		this.arrivals.tryEmitNext(this.changes);
	}

	synchronized void remove(Predicate<Message> filter) {
		this.newestFirst.removeIf(filter);
		this.bytes = this.newestFirst.stream().mapToLong(Message::weight).sum();
		this.changes++;
	}

	synchronized List<Message> matching(Predicate<Message> filter) {
		return this.newestFirst.stream().filter(filter).toList();
	}

	/**
	 * Messages that match, as soon as there is one; none if none arrives in this time.
	 */
	Mono<List<Message>> awaited(Predicate<Message> filter, Duration wait) {
		return Flux.merge(this.arrivals.asFlux().onBackpressureLatest().publishOn(Schedulers.parallel()), Flux.just(0L))
			.map((_) -> matching(filter))
			.filter((found) -> !found.isEmpty())
			.next()
			.timeout(wait, Mono.just(List.of()));
	}

	synchronized Optional<Message> find(String id) {
		return this.newestFirst.stream().filter((message) -> message.id().equals(id)).findFirst();
	}

	/** Number of changes so far. */
	synchronized long changes() {
		return this.changes;
	}

}
