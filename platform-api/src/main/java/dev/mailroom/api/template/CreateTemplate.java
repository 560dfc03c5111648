package dev.mailroom.api.template;

import dev.mailroom.template.Template;
import org.jspecify.annotations.Nullable;

/** The body of POST /templates. */
record CreateTemplate(@Nullable String name, @Nullable String subject, @Nullable String htmlContent,
		@Nullable String textContent) {

	Template.Asked asked() {
		return new Template.Asked(this.name, this.subject, this.htmlContent, this.textContent);
	}

}
