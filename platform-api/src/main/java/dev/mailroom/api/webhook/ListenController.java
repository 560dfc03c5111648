package dev.mailroom.api.webhook;

import java.util.Arrays;
import java.util.List;
import java.util.function.Predicate;

import dev.mailroom.Refusal;
import dev.mailroom.Scope;
import dev.mailroom.api.http.EventStreams;
import dev.mailroom.api.http.Success;
import dev.mailroom.event.EventKind;
import dev.mailroom.webhook.Feed;
import dev.mailroom.webhook.ListenedCalls;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

import org.springframework.http.MediaType;
import org.springframework.http.codec.ServerSentEvent;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestHeader;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/** REST endpoints for programs that get calls without an address of their own. */
@RestController
@RequestMapping("/webhooks/listen")
class ListenController {

	private final ListenedCalls calls;

	private final EventStreams streams;

	ListenController(ListenedCalls calls, EventStreams streams) {
		this.calls = calls;
		this.streams = streams;
	}

	@GetMapping("/secret")
	Mono<Success> secret(Scope scope) {
		return Mono.just(Success.of("secret", this.calls.secret(scope)));
	}

	@GetMapping(produces = MediaType.TEXT_EVENT_STREAM_VALUE)
	Flux<ServerSentEvent<ListenedCalls.Call>> listen(Scope scope,
			@RequestParam(required = false) @Nullable String events,
			@RequestParam(required = false) @Nullable String after,
			@RequestHeader(name = "Last-Event-ID", required = false) @Nullable String last) {
		return Flux.defer(() -> this.streams.stream(scope, (last != null) ? last : after, wanted(events),
				(event) -> this.calls.of(scope, event)));
	}

	/** Kinds, or groups of kinds such as {@code email.*}, separated by commas. */
	private static Predicate<Feed.Entry> wanted(@Nullable String events) {
		if (events == null) {
			return (_) -> true;
		}
		List<String> names = Arrays.asList(events.split(",", -1));
		if (!names.stream().allMatch(ListenController::isKnown)) {
			throw Refusal.INVALID_REQUEST.field("events", "must be kinds of events, such as email.bounced, or email.*");
		}
		return (event) -> names.stream().anyMatch((name) -> matches(name, event.kind()));
	}

	private static boolean isKnown(String name) {
		return Arrays.stream(EventKind.values()).anyMatch((kind) -> matches(name, kind.contractName()));
	}

	private static boolean matches(String name, String kind) {
		return name.endsWith(".*") ? kind.startsWith(name.substring(0, name.length() - 1)) : kind.equals(name);
	}

}
