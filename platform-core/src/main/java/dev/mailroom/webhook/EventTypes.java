package dev.mailroom.webhook;

import java.io.IOException;
import java.io.InputStream;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import dev.mailroom.event.EventKind;
import tools.jackson.core.type.TypeReference;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.core.io.ClassPathResource;
import org.springframework.stereotype.Component;

/** The kinds of events with examples, from the file {@code webhook/event-types.json}. */
@Component
public class EventTypes {

	private static final TypeReference<List<Entry>> ENTRIES = new TypeReference<>() {
	};

	private static final String EXAMPLE_ID = "0199f0a4-be44-7f35-9041-92a3b4c5d6e7";

	private static final String EXAMPLE_TIME = "2026-11-21T09:30:00.250Z";

	private final List<EventType> types;

	EventTypes(JsonMapper json) throws IOException {
		try (InputStream file = new ClassPathResource("webhook/event-types.json").getInputStream()) {
			this.types = json.readValue(file, ENTRIES).stream().map(EventTypes::type).toList();
		}
	}

	/** All kinds, in the order of their declaration. */
	public List<EventType> all() {
		return this.types;
	}

	private static EventType type(Entry entry) {
		EventKind kind = EventKind.of(entry.type()).orElseThrow();
		return new EventType(kind, entry.description(),
				DueCall.body(EXAMPLE_ID, entry.type(), EXAMPLE_TIME, entry.data()));
	}

	/**
	 * A kind of event.
	 *
	 * @param description meaning of the kind
	 * @param example the body of a call
	 */
	public record EventType(EventKind kind, String description, Map<String, Object> example) {
	}

	private record Entry(String type, String description, LinkedHashMap<String, Object> data) {
	}

}
