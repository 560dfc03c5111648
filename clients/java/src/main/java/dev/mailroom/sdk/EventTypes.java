package dev.mailroom.sdk;

import java.util.List;
import java.util.Map;

import org.jspecify.annotations.Nullable;

/**
 * An event types.
 */
public record EventTypes(List<EventType> eventTypes) {

	static EventTypes of(JsonObject json) {
		return new EventTypes(json.list("event_types", EventType::of));
	}

	/**
	 * An entry of <code>eventTypes</code>.
	 *
	 * @param example The body of a call.
	 */
	public record EventType(EventKind type, String description, Map<String, @Nullable Object> example) {

		static EventType of(JsonObject json) {
			return new EventType(new EventKind(json.text("type")), json.text("description"), json.map("example"));
		}

	}

}
