package dev.mailroom.api.contact;

import java.util.List;
import java.util.Map;

import dev.mailroom.Refusal;
import dev.mailroom.contact.Contact;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.type.TypeReference;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * The body of PATCH. What is left out stays; null empties a name or the properties, and
 * is no answer to whether somebody is subscribed.
 */
record UpdateContact(@Nullable JsonNode firstName, @Nullable JsonNode lastName, @Nullable Boolean subscribed,
		@Nullable JsonNode properties) {

	private static final Refusal INVALID = Refusal.invalid("Invalid request data");

	private static final TypeReference<Map<String, @Nullable Object>> OBJECT = new TypeReference<>() {
	};

	/** The same, as the core takes it. */
	Contact.Change change(JsonMapper json) {
		return new Contact.Change(name("first_name", this.firstName), name("last_name", this.lastName), this.subscribed,
				properties(json));
	}

	private @Nullable Map<String, @Nullable Object> properties(JsonMapper json) {
		if (this.properties == null) {
			return null;
		}
		if (!this.properties.isNull() && !this.properties.isObject()) {
			throw wrong("properties");
		}
		@Nullable Map<String, @Nullable Object> read = json.convertValue(this.properties, OBJECT);
		return (read != null) ? read : Map.of();
	}

	private static @Nullable String name(String field, @Nullable JsonNode given) {
		if (given == null) {
			return null;
		}
		if (!given.isNull() && !given.isString()) {
			throw wrong(field);
		}
		return given.isNull() ? "" : given.stringValue();
	}

	private static RuntimeException wrong(String field) {
		return INVALID.because(field + " has the wrong type", List.of(new Refusal.Detail(field, "has the wrong type")));
	}

}
