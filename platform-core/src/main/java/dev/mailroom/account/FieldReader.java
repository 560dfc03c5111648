package dev.mailroom.account;

import java.time.ZoneId;
import java.util.Optional;

import dev.mailroom.EmailAddress;
import dev.mailroom.FieldErrors;
import dev.mailroom.Refusal;
import dev.mailroom.Refused;
import org.jspecify.annotations.Nullable;

/** Validates the fields of one request and collects the errors of all of them. */
public final class FieldReader {

	private static final int MIN_PASSWORD_LENGTH = 12;

	private static final String TOO_SHORT = "must have at least " + MIN_PASSWORD_LENGTH + " characters";

	private static final int MAX_PASSWORD_LENGTH = 256;

	private static final int MAX_NAME_LENGTH = 200;

	private static final int MAX_TOKEN_LENGTH = 512;

	private final FieldErrors errors = new FieldErrors();

	FieldReader() {
	}

	/**
	 * Validates a request with an address as its only field.
	 * @throws Refused {@code Invalid request data}
	 */
	public static EmailAddress requiredAddress(@Nullable String text) {
		FieldReader fields = new FieldReader();
		Optional<EmailAddress> address = fields.address(text);
		fields.requireValid();
		return address.orElseThrow();
	}

	/**
	 * Validates a request with a token as its only field.
	 * @throws Refused {@code Invalid request data}
	 */
	public static Secret requiredToken(String field, @Nullable Secret token) {
		FieldReader fields = new FieldReader();
		Optional<Secret> valid = fields.token(field, token);
		fields.requireValid();
		return valid.orElseThrow();
	}

	/** A password to set, in a field of another name. */
	Optional<Secret> newPassword(String field, Secret password) {
		return (length(password) < MIN_PASSWORD_LENGTH) ? error(field, TOO_SHORT) : password(field, password);
	}

	/**
	 * Validates a request with a password to compare as its only field.
	 * @throws Refused {@code Invalid request data}
	 */
	static Secret requiredPassword(String field, @Nullable Secret password) {
		FieldReader fields = new FieldReader();
		Optional<Secret> valid = fields.password(field, password);
		fields.requireValid();
		return valid.orElseThrow();
	}

	Optional<EmailAddress> address(@Nullable String text) {
		if (text == null || text.isBlank()) {
			return error("email", "is required");
		}
		Optional<EmailAddress> address = EmailAddress.parse(text.strip());
		return address.isPresent() ? address : error("email", "is not an e-mail address");
	}

	/** A password to set. */
	Optional<Secret> newPassword(@Nullable Secret password) {
		if (password != null && length(password) < MIN_PASSWORD_LENGTH) {
			return error("password", TOO_SHORT);
		}
		return password("password", password);
	}

	/** A password to compare, which may be older than the rule for its length. */
	Optional<Secret> password(String field, @Nullable Secret password) {
		if (password == null || password.text().isEmpty()) {
			return error(field, "is required");
		}
		if (length(password) > MAX_PASSWORD_LENGTH) {
			return error(field, "must have at most " + MAX_PASSWORD_LENGTH + " characters");
		}
		return Optional.of(password);
	}

	Optional<Secret> token(String field, @Nullable Secret token) {
		if (token == null || token.text().isBlank()) {
			return error(field, "is required");
		}
		return (token.text().length() > MAX_TOKEN_LENGTH) ? error(field, "is too long") : Optional.of(token);
	}

	/** A display name; the empty string if it is missing. */
	Optional<String> name(@Nullable String text) {
		String name = (text != null) ? text.strip() : "";
		if (name.length() > MAX_NAME_LENGTH) {
			return error("name", "must have at most " + MAX_NAME_LENGTH + " characters");
		}
		return name.chars().anyMatch(EmailAddress::breaksALine) ? error("name", "must not contain control characters")
				: Optional.of(name);
	}

	/**
	 * Whether a text names a time zone that browsers know as well: a place, or UTC.
	 */
	static boolean isTimeZone(String name) {
		return name.equals(NewAccount.UTC) || (name.contains("/") && ZoneId.getAvailableZoneIds().contains(name));
	}

	/**
	 * Refuses the request if any field is invalid.
	 * @throws Refused {@code Invalid request data} with all invalid fields
	 */
	void requireValid() {
		this.errors.refuseIfAny(Refusal.INVALID_REQUEST, (_) -> "The request has invalid fields: see details.");
	}

	private <T> Optional<T> error(String field, String message) {
		this.errors.add(field, message);
		return Optional.empty();
	}

	private static int length(Secret password) {
		return password.text().codePointCount(0, password.text().length());
	}

}
