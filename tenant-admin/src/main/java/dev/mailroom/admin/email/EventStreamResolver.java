package dev.mailroom.admin.email;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

import dev.mailroom.Refusal;
import dev.mailroom.Refused;
import dev.mailroom.Scope;
import dev.mailroom.admin.email.EventResolver.FeedEvent;
import dev.mailroom.admin.graphql.Streams;
import dev.mailroom.webhook.Feed;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

import org.springframework.graphql.data.method.annotation.Argument;
import org.springframework.graphql.data.method.annotation.SubscriptionMapping;
import org.springframework.stereotype.Controller;

/** The feed of events as a stream, read from the database at short intervals. */
@Controller
class EventStreamResolver {

	private static final Refusal LIMITED = Refusal.limited("Rate limit exceeded");

	private static final Duration POLL_INTERVAL = Duration.ofSeconds(1);

	private static final int BATCH_SIZE = 100;

	private final Feed feed;

	private final Streams streams;

	EventStreamResolver(Feed feed, Streams streams) {
		this.feed = feed;
		this.streams = streams;
	}

	@SubscriptionMapping
	Flux<FeedEvent> accountEvents(Scope scope, @Argument @Nullable String after) {
		return this.streams.limited(scope, Flux.defer(() -> {
			Progress progress = new Progress(after);
			return read(scope, EventResolver.cursor(after)).expand((batch) -> next(scope, batch))
				.doOnNext((batch) -> progress.read(batch.events().size()))
				.flatMapIterable(Feed.Batch::events, 1)
				.map(FeedEvent::of)
				.doOnNext((event) -> progress.taken(event.cursor()))
				.takeUntilOther(
						this.streams.stalled(progress::isWaiting).then(Mono.error(() -> tooSlow(progress.cursor()))));
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
		return LIMITED.because("The client took no event although some waited: continue after the cursor",
				(cursor != null) ? List.of(new Refusal.Detail("after", cursor)) : List.of());
	}

	/** Progress of a stream: the events that wait for the client, and its position. */
	private static final class Progress {

		private final AtomicLong waiting = new AtomicLong();

		private volatile @Nullable String cursor;

		private volatile long lastTaken = System.nanoTime();

		Progress(@Nullable String cursor) {
			this.cursor = cursor;
		}

		void read(int count) {
			if (this.waiting.getAndAdd(count) == 0) {
				this.lastTaken = System.nanoTime();
			}
		}

		void taken(String cursor) {
			this.cursor = cursor;
			this.lastTaken = System.nanoTime();
			this.waiting.decrementAndGet();
		}

		/** Whether events have waited for this time. */
		boolean isWaiting(Duration time) {
			return this.waiting.get() > 0 && System.nanoTime() - this.lastTaken > time.toNanos();
		}

		@Nullable String cursor() {
			return this.cursor;
		}

	}

}
