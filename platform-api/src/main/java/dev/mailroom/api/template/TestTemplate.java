package dev.mailroom.api.template;

import java.util.List;
import java.util.Map;

import com.fasterxml.jackson.annotation.JsonFormat;
import dev.mailroom.submission.Submission;
import dev.mailroom.template.Content;
import org.jspecify.annotations.Nullable;

/**
 * The body of POST /templates/:id/test.
 *
 * @param from null for a default address of the account's oldest verified domain
 */
record TestTemplate(
		@JsonFormat(with = JsonFormat.Feature.ACCEPT_SINGLE_VALUE_AS_ARRAY) @Nullable List<@Nullable String> to,
		@Nullable String from, @Nullable Map<String, @Nullable Object> variables) {

	/** The subject of a template without one. */
	private static final String DEFAULT_SUBJECT = "Test";

	Submission submission(String sender, Content.Rendered rendered) {
		@Nullable String subject = rendered.subject();
		return new Submission(sender, this.to, null, null, null,
				(subject == null || subject.isBlank()) ? DEFAULT_SUBJECT : subject, rendered.html(), rendered.text(),
				null, null, null, null, null, null);
	}

}
