package dev.mailroom.api.email;

import java.util.Optional;

import dev.mailroom.Page;
import dev.mailroom.Refusal;
import dev.mailroom.Scope;
import dev.mailroom.api.http.EventStreams;
import dev.mailroom.api.http.PageSize;
import dev.mailroom.api.http.Success;
import dev.mailroom.webhook.Feed;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

import org.springframework.http.MediaType;
import org.springframework.http.codec.ServerSentEvent;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestHeader;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/**
 * REST endpoint of the feed: events of the last 30 days, oldest first, or a stream of
 * those to come.
 */
@RestController
class EventController {

	private final Feed feed;

	private final EventStreams streams;

	EventController(Feed feed, EventStreams streams) {
		this.feed = feed;
		this.streams = streams;
	}

	@GetMapping("/events")
	Mono<Success> read(Scope scope, @PageSize(defaultLimit = 50, maxLimit = 100) Page.Request page,
			@RequestParam(required = false) @Nullable String after) {
		Optional<Feed.Cursor> cursor = Optional.ofNullable(after).flatMap(Feed.Cursor::parse);
		if (after != null && cursor.isEmpty()) {
			String message = "must be the next_cursor of an earlier answer";
			return Mono.error(Refusal.INVALID_REQUEST.field("after", message));
		}
		return this.feed.read(scope, cursor.orElse(null), page.limit()).map(FeedView::of).map(Success::data);
	}

	@GetMapping(path = "/events", produces = MediaType.TEXT_EVENT_STREAM_VALUE)
	Flux<ServerSentEvent<FeedView.Item>> stream(Scope scope, @RequestParam(required = false) @Nullable String after,
			@RequestHeader(name = "Last-Event-ID", required = false) @Nullable String last) {
		return this.streams.stream(scope, (last != null) ? last : after, (_) -> true, FeedView.Item::of);
	}

}
