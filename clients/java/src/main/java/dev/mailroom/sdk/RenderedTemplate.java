package dev.mailroom.sdk;

import java.util.List;

import org.jspecify.annotations.Nullable;

/**
 * A rendered template.
 *
 * @param missing Names of placeholders without a value and without a fallback.
 */
public record RenderedTemplate(@Nullable String subject, @Nullable String html, @Nullable String text,
		List<String> missing) {

	static RenderedTemplate of(JsonObject json) {
		return new RenderedTemplate(json.textOrNull("subject"), json.textOrNull("html"), json.textOrNull("text"),
				json.texts("missing"));
	}

}
