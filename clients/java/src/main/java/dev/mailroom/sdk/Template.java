package dev.mailroom.sdk;

import java.time.Instant;
import java.util.List;

import org.jspecify.annotations.Nullable;

/**
 * A template.
 *
 * @param variables The distinct names of the placeholders, in order of appearance.
 */
public record Template(String id, String name, @Nullable String subject, @Nullable String htmlContent,
		@Nullable String textContent, List<String> variables, Instant createdAt, Instant updatedAt) {

	static Template of(JsonObject json) {
		return new Template(json.text("id"), json.text("name"), json.textOrNull("subject"),
				json.textOrNull("html_content"), json.textOrNull("text_content"), json.texts("variables"),
				json.time("created_at"), json.time("updated_at"));
	}

}
