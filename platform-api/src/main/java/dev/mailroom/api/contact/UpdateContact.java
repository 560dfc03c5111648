package dev.mailroom.api.contact;

import java.util.Map;

import dev.mailroom.Refusal;
import dev.mailroom.Refused;
import dev.mailroom.contact.Consent;
import dev.mailroom.contact.Contact;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.type.TypeReference;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * The body of PATCH. An absent field stays. Null empties a name or the properties, and
 * does not change {@code subscribed}.
 */
record UpdateContact(@Nullable JsonNode firstName, @Nullable JsonNode lastName, @Nullable Boolean subscribed,
		@Nullable JsonNode properties) {

	private static final TypeReference<Map<String, @Nullable Object>> OBJECT = new TypeReference<>() {
	};

	Contact.Change change(JsonMapper json) {
		return new Contact.Change(name("first_name", this.firstName), name("last_name", this.lastName), this.subscribed,
				properties(json), Consent.Source.API);
	}

	private @Nullable Map<String, @Nullable Object> properties(JsonMapper json) {
		if (this.properties == null) {
			return null;
		}
		if (!this.properties.isNull() && !this.properties.isObject()) {
			throw wrongType("properties");
		}
		@Nullable Map<String, @Nullable Object> object = json.convertValue(this.properties, OBJECT);
		return (object != null) ? object : Map.of();
	}

	private static @Nullable String name(String field, @Nullable JsonNode value) {
		if (value == null) {
			return null;
		}
		if (!value.isNull() && !value.isString()) {
			throw wrongType(field);
		}
		return value.isNull() ? "" : value.stringValue();
	}

	private static Refused wrongType(String field) {
		return Refusal.INVALID_REQUEST.field(field, "has the wrong type");
	}

}
