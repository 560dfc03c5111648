package dev.mailroom.api.http;

import java.time.Duration;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.function.Predicate;

import dev.mailroom.Refusal;
import dev.mailroom.Scope;
import dev.mailroom.webhook.Feed;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;

import org.springframework.context.event.ContextClosedEvent;
import org.springframework.context.event.EventListener;
import org.springframework.http.codec.ServerSentEvent;
import org.springframework.stereotype.Component;

/**
 * Streams of the events of an account, those to come or those after a position. Without
 * streams nothing is read.
 */
@Component
public class EventStreams {

	private static final Refusal LIMITED = Refusal.limited("Rate limit exceeded");

	/** Streams of one account on one instance. */
	private static final int MAX_STREAMS = 5;

	/** Events that are read together. */
	private static final int BATCH_SIZE = 100;

	/** Time between two searches of a stream that has read all events. */
	private static final Duration INTERVAL = Duration.ofSeconds(1);

	/** Proxies close connections that are silent, usually for a minute. */
	private static final Duration HEARTBEAT = Duration.ofSeconds(15);

	private final Feed feed;

	private final Duration duration;

	private final Map<UUID, Integer> open = new ConcurrentHashMap<>();

	private final Sinks.Empty<Void> closing = Sinks.empty();

	EventStreams(Feed feed, StreamSettings settings) {
		this.feed = feed;
		this.duration = settings.duration();
	}

	/**
	 * Streams events until the time of a stream is over. The first message has no data
	 * but the position at which the stream begins.
	 * @param after the position to continue after; null for the events from now on
	 * @param wanted the events to send
	 * @param data the data of a message
	 * @throws dev.mailroom.Refused {@code Invalid request data} or
	 * {@code Rate limit exceeded}
	 */
	public <T> Flux<ServerSentEvent<T>> stream(Scope scope, @Nullable String after, Predicate<Feed.Entry> wanted,
			Function<Feed.Entry, T> data) {
		Mono<Feed.Cursor> start = (after != null) ? Mono.fromSupplier(() -> cursor(after)) : this.feed.end(scope);
		Flux<ServerSentEvent<T>> messages = start
			.flatMapMany((begin) -> Flux.concat(Mono.just(ServerSentEvent.<T>builder().id(begin.text()).build()),
					events(scope, begin).filter(wanted)
						.map((event) -> ServerSentEvent.<T>builder()
							.id(event.cursor().text())
							.event(event.kind())
							.data(data.apply(event))
							.build())));
		Flux<ServerSentEvent<T>> heartbeat = Flux.interval(HEARTBEAT)
			.onBackpressureDrop()
			.map((_) -> ServerSentEvent.<T>builder().comment("waiting").build());
		return Flux.using(() -> acquire(scope.account()),
				(_) -> Flux.merge(messages, heartbeat)
					.takeUntilOther(Mono.firstWithSignal(Mono.delay(this.duration).then(), this.closing.asMono())),
				this::release);
	}

	/** Reads a position that a client sends. */
	private static Feed.Cursor cursor(String after) {
		return Feed.Cursor.parse(after)
			.orElseThrow(() -> Refusal.INVALID_REQUEST.field("after", "must be the id of a message, or a next_cursor"));
	}

	private Flux<Feed.Entry> events(Scope scope, Feed.Cursor begin) {
		return this.feed.read(scope, begin, BATCH_SIZE)
			.expand((batch) -> (batch.more() ? Mono.empty() : Mono.delay(INTERVAL))
				.then(Mono.defer(() -> this.feed.read(scope, batch.next(), BATCH_SIZE))))
			.concatMapIterable(Feed.Batch::events);
	}

	private UUID acquire(UUID account) {
		this.open.compute(account, (_, count) -> {
			int streams = (count != null) ? count : 0;
			if (streams >= MAX_STREAMS) {
				throw LIMITED.because("An account may have at most " + MAX_STREAMS + " streams at once");
			}
			return streams + 1;
		});
		return account;
	}

	private void release(UUID account) {
		this.open.computeIfPresent(account, (_, count) -> (count > 1) ? Integer.valueOf(count - 1) : null);
	}

	/** Ends all streams, which would otherwise delay the stop. */
	@EventListener(ContextClosedEvent.class)
	void close() {
		this.closing.tryEmitEmpty();
	}

}
