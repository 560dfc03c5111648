package dev.mailroom.api.email;

import java.util.Optional;

import dev.mailroom.Page;
import dev.mailroom.Refusal;
import dev.mailroom.Scope;
import dev.mailroom.api.http.PageSize;
import dev.mailroom.api.http.Success;
import dev.mailroom.webhook.Feed;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/** REST endpoint of the feed: events of the last 30 days, oldest first. */
@RestController
class EventController {

	private final Feed feed;

	EventController(Feed feed) {
		this.feed = feed;
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

}
