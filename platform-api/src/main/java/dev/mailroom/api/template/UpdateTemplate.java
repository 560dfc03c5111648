package dev.mailroom.api.template;

import dev.mailroom.Refusal;
import dev.mailroom.template.Template;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * The body of PATCH /templates/:id. An absent field stays, null removes it.
 */
record UpdateTemplate(@Nullable JsonNode name, @Nullable JsonNode subject, @Nullable JsonNode htmlContent,
		@Nullable JsonNode textContent) {

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
			throw Refusal.INVALID_REQUEST.field(field, "has the wrong type");
		}
		return value.stringValue();
	}

}
