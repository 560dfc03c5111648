package dev.mailroom.api.template;

import java.time.Instant;
import java.util.List;
import java.util.UUID;

import dev.mailroom.template.Template;
import org.jspecify.annotations.Nullable;

/** A template as it is shown. */
record TemplateView(UUID id, String name, @Nullable String subject, @Nullable String htmlContent,
		@Nullable String textContent, List<String> variables, Instant createdAt, Instant updatedAt) {

	static TemplateView of(Template template) {
		return new TemplateView(template.id(), template.name(), template.subject(), template.htmlContent(),
				template.textContent(), template.variables(), template.createdAt(), template.updatedAt());
	}

}
