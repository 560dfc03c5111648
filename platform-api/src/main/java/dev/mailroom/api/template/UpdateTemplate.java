package dev.mailroom.api.template;

import java.util.List;

import dev.mailroom.Refusal;
import dev.mailroom.template.Template;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * The body of PATCH /templates/:id. What is left out stays as it is; what is null is
 * taken away.
 */
record UpdateTemplate(@Nullable JsonNode name, @Nullable JsonNode subject, @Nullable JsonNode htmlContent,
		@Nullable JsonNode textContent) {

	private static final Refusal INVALID = Refusal.invalid("Invalid request data");

	Template.Asked onto(Template.Asked before) {
		return new Template.Asked(changed("name", this.name, before.name()),
				changed("subject", this.subject, before.subject()),
				changed("html_content", this.htmlContent, before.htmlContent()),
				changed("text_content", this.textContent, before.textContent()));
	}

	private static @Nullable String changed(String field, @Nullable JsonNode asked, @Nullable String before) {
		if (asked == null) {
			return before;
		}
		if (asked.isNull()) {
			return null;
		}
		if (!asked.isString()) {
			throw INVALID.because(field + " has the wrong type",
					List.of(new Refusal.Detail(field, "has the wrong type")));
		}
		return asked.stringValue();
	}

}
