package dev.mailroom.admin.email;

import java.time.Instant;
import java.util.Map;
import java.util.UUID;

import dev.mailroom.admin.graphql.Connection;
import dev.mailroom.admin.graphql.PageArguments;
import dev.mailroom.admin.graphql.Viewer;
import dev.mailroom.mail.outcome.Bounce;
import dev.mailroom.webhook.Feed;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

import org.springframework.graphql.data.method.annotation.SchemaMapping;
import org.springframework.stereotype.Controller;

/** The feed of events. */
@Controller
class EventResolver {

	private final Feed feed;

	EventResolver(Feed feed) {
		this.feed = feed;
	}

	@SchemaMapping
	Mono<Connection<FeedEvent>> events(Viewer viewer, PageArguments page) {
		return Mono.defer(() -> this.feed.read(viewer.scope(), cursor(page.after()), page.first()))
			.map((batch) -> Connection.of(batch.events().stream().map(FeedEvent::of).toList(), FeedEvent::cursor,
					batch.more(), page.after() != null, null));
	}

	@SchemaMapping
	Mono<String> eventCursor(Viewer viewer) {
		return this.feed.end(viewer.scope()).map(Feed.Cursor::text);
	}

	@SchemaMapping(typeName = "EmailEvent")
	@Nullable String meaning(Feed.EmailEvent event) {
		return (event.data().get("bounce") instanceof Map<?, ?> bounce)
				? Bounce.Reason.sentence(String.valueOf(bounce.get("reason"))) : null;
	}

	/** The position in the feed that a client sends; null for the beginning. */
	static Feed.@Nullable Cursor cursor(@Nullable String after) {
		return (after == null) ? null : Feed.Cursor.parse(after).orElseThrow(PageArguments::badCursor);
	}

	/** An event with its position in the feed. */
	record FeedEvent(UUID id, String kind, @Nullable UUID emailId, Map<String, Object> data, Instant createdAt,
			String cursor) {

		static FeedEvent of(Feed.Entry entry) {
			return new FeedEvent(entry.cursor().id(), entry.kind(), entry.emailId(), entry.data(), entry.createdAt(),
					entry.cursor().text());
		}

	}

}
