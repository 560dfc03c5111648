package dev.mailroom.accept;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.UUID;

import dev.mailroom.trace.TraceParent;
import org.jspecify.annotations.Nullable;
import reactor.core.Scannable;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;

/**
 * A request that waits for its commit.
 *
 * @param trace the span of the request; null unless it is sampled
 * @param arrivedAt the time of its arrival as by {@link System#nanoTime()}
 * @param sink emits its result, or its refusal
 */
record WaitingRequest(SendRequest request, @Nullable TraceParent trace, long bytes, long arrivedAt,
		Sinks.One<SendResult> sink) {

	static WaitingRequest of(SendRequest request, @Nullable TraceParent trace) {
		return new WaitingRequest(request, trace, request.size(), System.nanoTime(), Sinks.one());
	}

	UUID accountId() {
		return this.request.accountId();
	}

	int mails() {
		return Math.max(1, this.request.mails().size());
	}

	boolean isOlderThan(Duration age) {
		return System.nanoTime() - this.arrivedAt > age.toNanos();
	}

	boolean isPending() {
		return !Boolean.TRUE.equals(this.sink.scan(Scannable.Attr.TERMINATED));
	}

	Mono<SendResult> result() {
		return this.sink.asMono();
	}

	void complete(SendResult result) {
		this.sink.tryEmitValue(result);
	}

	void refuse(Throwable reason) {
		this.sink.tryEmitError(reason);
	}

	/** Requests of each account; the accounts are served in turn. */
	static final class Turns {

		private final Map<UUID, Queue<WaitingRequest>> requests = new LinkedHashMap<>();

		void add(WaitingRequest request) {
			this.requests.computeIfAbsent(request.accountId(), (_) -> new ArrayDeque<>()).add(request);
		}

		boolean isEmpty() {
			return this.requests.isEmpty();
		}

		/** Takes a request; its account is served again after all others. */
		WaitingRequest next() {
			Iterator<Queue<WaitingRequest>> first = this.requests.values().iterator();
			Queue<WaitingRequest> own = first.next();
			first.remove();
			WaitingRequest request = own.remove();
			if (!own.isEmpty()) {
				this.requests.put(request.accountId(), own);
			}
			return request;
		}

		List<WaitingRequest> removeAll(UUID account) {
			@Nullable Queue<WaitingRequest> own = this.requests.remove(account);
			return (own != null) ? List.copyOf(own) : List.of();
		}

	}

}
