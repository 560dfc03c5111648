package dev.mailroom.template;

import java.time.Instant;
import java.util.List;
import java.util.UUID;

import dev.mailroom.Page;
import org.jspecify.annotations.Nullable;

/**
 * A stored mail with placeholders.
 *
 * @param variables the distinct names of the placeholders, in order of appearance
 */
public record Template(UUID id, UUID accountId, String name, @Nullable String subject, @Nullable String htmlContent,
		@Nullable String textContent, List<String> variables, Instant createdAt,
		Instant updatedAt) implements Page.Item {

	public Template {
		variables = List.copyOf(variables);
	}

	/** The fields with which a request would create this template. */
	Form form() {
		return new Form(this.name, this.subject, this.htmlContent, this.textContent);
	}

	/** The content, ready to be rendered. */
	public Content content() {
		return new Content(this.subject, this.htmlContent, this.textContent);
	}

	/** The fields of a template as a request gives them, not validated. */
	public record Form(@Nullable String name, @Nullable String subject, @Nullable String htmlContent,
			@Nullable String textContent) {
	}

}
