package dev.mailroom.admin.event;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;

import dev.mailroom.Refusal;
import dev.mailroom.Refused;
import dev.mailroom.Scope;
import dev.mailroom.admin.event.EventController.FeedEvent;
import dev.mailroom.admin.graphql.Streams;
import dev.mailroom.feed.Feed;
import org.jspecify.annotations.Nullable;
import reactor.core.Exceptions;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

import org.springframework.graphql.data.method.annotation.Argument;
import org.springframework.graphql.data.method.annotation.SubscriptionMapping;
import org.springframework.stereotype.Controller;

/** The feed of events as a stream, read from the database at short intervals. */
@Controller
class EventStreamController {

	private static final Refusal LIMITED = Refusal.limited("Rate limit exceeded");

	private static final Duration POLL_INTERVAL = Duration.ofSeconds(1);

	private static final int BATCH_SIZE = 100;

	/** Events that wait for a slow client before it is disconnected. */
	static final int MAX_WAITING = 1000;

	private final Feed feed;

	private final Streams streams;

	EventStreamController(Feed feed, Streams streams) {
		this.feed = feed;
		this.streams = streams;
	}

	@SubscriptionMapping
	Flux<FeedEvent> accountEvents(Scope scope, @Argument @Nullable String after) {
		return this.streams.limited(scope, Flux.defer(() -> {
			AtomicReference<@Nullable String> sent = new AtomicReference<>(after);
			return read(scope, EventController.cursor(after)).expand((batch) -> next(scope, batch))
				.concatMapIterable(Feed.Batch::events)
				.map(FeedEvent::of)
				.onBackpressureBuffer(MAX_WAITING)
				.doOnNext((event) -> sent.set(event.cursor()))
				.onErrorMap(Exceptions::isOverflow, (_) -> tooSlow(sent.get()));
		}));
	}

	private Mono<Feed.Batch> next(Scope scope, Feed.Batch batch) {
		Mono<Feed.Batch> next = read(scope, batch.next());
		return batch.more() ? next : Mono.delay(POLL_INTERVAL).then(next);
	}

	private Mono<Feed.Batch> read(Scope scope, Feed.@Nullable Cursor after) {
		return Mono.defer(() -> this.feed.read(scope, after, BATCH_SIZE));
	}

	private static Refused tooSlow(@Nullable String cursor) {
		return LIMITED.because("The client reads events more slowly than they occur: continue after the cursor",
				(cursor != null) ? List.of(new Refusal.Detail("after", cursor)) : List.of());
	}

}
