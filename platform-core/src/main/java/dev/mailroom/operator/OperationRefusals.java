package dev.mailroom.operator;

import java.util.UUID;

import dev.mailroom.Refusal;
import dev.mailroom.Refused;
import org.jspecify.annotations.Nullable;

/** Refusals of acts of operators. */
final class OperationRefusals {

	static final Refusal NOT_FOUND = Refusal.notFound("Not found");

	private static final int MAX_TEXT = 1000;

	private OperationRefusals() {
	}

	static Refused missing(UUID account) {
		return NOT_FOUND.because("There is no account " + account);
	}

	static Refused invalid(String field, String message) {
		return Refusal.INVALID_REQUEST.field(field, message);
	}

	/** The text without surrounding blanks. */
	static String required(String field, @Nullable String text) {
		String stripped = (text != null) ? text.strip().replace('\0', '\uFFFD') : "";
		if (stripped.isEmpty() || stripped.length() > MAX_TEXT) {
			throw invalid(field, "is required: at most " + MAX_TEXT + " characters");
		}
		return stripped;
	}

	/** The text without surrounding blanks; null if it is blank. */
	static @Nullable String optional(String field, @Nullable String text) {
		return (text == null || text.isBlank()) ? null : required(field, text);
	}

}
