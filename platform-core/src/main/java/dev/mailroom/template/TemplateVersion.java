package dev.mailroom.template;

import java.time.Instant;
import java.util.List;
import java.util.UUID;

import org.jspecify.annotations.Nullable;

/**
 * An entry of a template's history, without its content.
 *
 * @param number counted from 1; null for the draft
 * @param name the name that the template had or, in a draft, will have
 * @param memberId the person who saved or published it; null for API keys, and if unknown
 * @param apiKeyId the API key that published it; null for people, and if unknown
 */
public record TemplateVersion(UUID accountId, @Nullable Integer number, String name, @Nullable UUID memberId,
		@Nullable UUID apiKeyId, Instant changedAt) {

	/**
	 * The content of a version or a draft.
	 *
	 * @param variables the distinct names of the placeholders, in order of appearance
	 * @param blocks the blocks from which the HTML was written, as JSON; null if it was
	 * written otherwise
	 */
	public record Stored(String name, @Nullable String subject, @Nullable String htmlContent,
			@Nullable String textContent, List<String> variables, @Nullable String blocks) {

		public Stored {
			variables = List.copyOf(variables);
		}

		/** The fields with which a request would create this template. */
		Template.Form form() {
			return new Template.Form(this.name, this.subject, this.htmlContent, this.textContent);
		}

		/** The content, ready to be rendered. */
		public Content content() {
			return new Content(this.subject, this.htmlContent, this.textContent);
		}

	}

}
