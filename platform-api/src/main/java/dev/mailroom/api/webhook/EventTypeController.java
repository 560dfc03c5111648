package dev.mailroom.api.webhook;

import java.util.List;
import java.util.Map;

import dev.mailroom.Scope;
import dev.mailroom.api.http.Success;
import dev.mailroom.webhook.EventTypes;
import reactor.core.publisher.Mono;

import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/** REST endpoint for the kinds of events. */
@RestController
class EventTypeController {

	private final List<EventTypeView> types;

	EventTypeController(EventTypes types) {
		this.types = types.all()
			.stream()
			.map((type) -> new EventTypeView(type.kind().contractName(), type.description(), type.example()))
			.toList();
	}

	@GetMapping("/webhooks/event-types")
	Mono<Success> list(Scope scope) {
		return Mono.just(Success.of("event_types", this.types));
	}

	/**
	 * A kind of event in responses.
	 *
	 * @param example the body of a call
	 */
	record EventTypeView(String type, String description, Map<String, Object> example) {
	}

}
