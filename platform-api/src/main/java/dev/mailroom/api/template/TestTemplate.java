package dev.mailroom.api.template;

import java.util.List;
import java.util.Map;

import com.fasterxml.jackson.annotation.JsonFormat;
import dev.mailroom.mail.draft.MailContent;
import dev.mailroom.mail.draft.Submission;
import dev.mailroom.template.Content;
import org.jspecify.annotations.Nullable;

/**
 * Body of POST /templates/:id/test.
 *
 * @param from null for a default address of the account's oldest verified domain
 */
record TestTemplate(
		@JsonFormat(with = JsonFormat.Feature.ACCEPT_SINGLE_VALUE_AS_ARRAY) @Nullable List<@Nullable String> to,
		@Nullable String from, @Nullable Map<String, @Nullable Object> variables) {

	/** Subject of the mail if the template has none. */
	private static final String DEFAULT_SUBJECT = "Test";

	Submission submission(Content.Rendered rendered) {
		@Nullable String subject = rendered.subject();
		MailContent content = MailContent.of((subject == null || subject.isBlank()) ? DEFAULT_SUBJECT : subject,
				rendered.html(), rendered.text());
		return Submission.of(this.from, (this.to != null) ? this.to : List.of(), content);
	}

}
