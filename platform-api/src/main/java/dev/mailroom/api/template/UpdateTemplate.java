package dev.mailroom.api.template;

import java.util.List;

import dev.mailroom.Refusal;
import dev.mailroom.template.Template;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * The body of PATCH /templates/:id. An absent field stays, null removes it.
 */
record UpdateTemplate(@Nullable JsonNode name, @Nullable JsonNode subject, @Nullable JsonNode htmlContent,
		@Nullable JsonNode textContent) {

	private static final Refusal INVALID = Refusal.invalid("Invalid request data");

	Template.Form applyTo(Template.Form before) {
		return new Template.Form(changed("name", this.name, before.name()),
				changed("subject", this.subject, before.subject()),
				changed("html_content", this.htmlContent, before.htmlContent()),
				changed("text_content", this.textContent, before.textContent()));
	}

	private static @Nullable String changed(String field, @Nullable JsonNode value, @Nullable String before) {
		if (value == null) {
			return before;
		}
		if (value.isNull()) {
			return null;
		}
		if (!value.isString()) {
			throw INVALID.because(field + " has the wrong type",
					List.of(new Refusal.Detail(field, "has the wrong type")));
		}
		return value.stringValue();
	}

}
