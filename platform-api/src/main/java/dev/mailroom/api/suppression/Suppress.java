package dev.mailroom.api.suppression;

import dev.mailroom.suppression.SuppressionForm;
import org.jspecify.annotations.Nullable;

/** The body of POST /suppressions. */
record Suppress(@Nullable String email, @Nullable String reason) {

	SuppressionForm form() {
		return new SuppressionForm(this.email, this.reason);
	}

}
