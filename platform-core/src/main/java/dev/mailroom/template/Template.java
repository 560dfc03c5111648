package dev.mailroom.template;

import java.time.Instant;
import java.util.List;
import java.util.UUID;

import org.jspecify.annotations.Nullable;

/**
 * A mail to be filled in.
 *
 * @param variables the names of its placeholders, in order of appearance
 */
public record Template(UUID id, UUID accountId, String name, @Nullable String subject, @Nullable String htmlContent,
		@Nullable String textContent, List<String> variables, Instant createdAt, Instant updatedAt) {

	/** The same, as somebody could have asked for it. */
	Asked asked() {
		return new Asked(this.name, this.subject, this.htmlContent, this.textContent);
	}

	/** What it says, ready to be rendered. */
	public Content content() {
		return new Content(this.subject, this.htmlContent, this.textContent);
	}

	/** A template as it was asked for: nothing in it has been looked at yet. */
	public record Asked(@Nullable String name, @Nullable String subject, @Nullable String htmlContent,
			@Nullable String textContent) {
	}

}
