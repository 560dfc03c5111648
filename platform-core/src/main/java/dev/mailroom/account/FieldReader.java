package dev.mailroom.account;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

import dev.mailroom.EmailAddress;
import dev.mailroom.Refusal;
import dev.mailroom.Refused;
import org.jspecify.annotations.Nullable;

/** Reads the fields of one request and remembers what is wrong with each. */
public final class FieldReader {

	private static final int SHORTEST_PASSWORD = 12;

	private static final int LONGEST_PASSWORD = 256;

	private static final int LONGEST_NAME = 200;

	private static final int LONGEST_TOKEN = 512;

	private final List<Refusal.Detail> faults = new ArrayList<>();

	FieldReader() {
	}

	/**
	 * Reads a request that has nothing but an address.
	 * @throws Refused where it has none
	 */
	public static EmailAddress requiredAddress(@Nullable String text) {
		FieldReader fields = new FieldReader();
		Optional<EmailAddress> address = fields.address(text);
		fields.settle();
		return address.orElseThrow();
	}

	/**
	 * Reads a request that has nothing but a token.
	 * @throws Refused where it has none
	 */
	public static Secret requiredToken(String field, @Nullable Secret token) {
		FieldReader fields = new FieldReader();
		Optional<Secret> read = fields.token(field, token);
		fields.settle();
		return read.orElseThrow();
	}

	Optional<EmailAddress> address(@Nullable String text) {
		if (text == null || text.isBlank()) {
			return fault("email", "is required");
		}
		Optional<EmailAddress> address = EmailAddress.parse(text.strip());
		return address.isPresent() ? address : fault("email", "is not an e-mail address");
	}

	/** A password to be set. */
	Optional<Secret> newPassword(@Nullable Secret password) {
		if (password != null && length(password) < SHORTEST_PASSWORD) {
			return fault("password", "must have at least " + SHORTEST_PASSWORD + " characters");
		}
		return password("password", password);
	}

	/** A password to be compared, which may be from before a rule. */
	Optional<Secret> password(String field, @Nullable Secret password) {
		if (password == null || password.text().isEmpty()) {
			return fault(field, "is required");
		}
		if (length(password) > LONGEST_PASSWORD) {
			return fault(field, "must have at most " + LONGEST_PASSWORD + " characters");
		}
		return Optional.of(password);
	}

	Optional<Secret> token(String field, @Nullable Secret token) {
		if (token == null || token.text().isBlank()) {
			return fault(field, "is required");
		}
		return (token.text().length() > LONGEST_TOKEN) ? fault(field, "is too long") : Optional.of(token);
	}

	/** A name; empty where none is given. */
	Optional<String> name(@Nullable String text) {
		String name = (text != null) ? text.strip() : "";
		if (name.length() > LONGEST_NAME) {
			return fault("name", "must have at most " + LONGEST_NAME + " characters");
		}
		return name.chars().anyMatch(EmailAddress::breaksALine) ? fault("name", "must not contain control characters")
				: Optional.of(name);
	}

	<T> Optional<T> fault(String field, String message) {
		this.faults.add(new Refusal.Detail(field, message));
		return Optional.empty();
	}

	/**
	 * Refuses the request where anything was wrong with it.
	 * @throws Refused with every field at fault
	 */
	void settle() {
		if (!this.faults.isEmpty()) {
			throw AccountRefusals.INVALID.because("The request has fields that cannot be used: see details.",
					this.faults);
		}
	}

	private static int length(Secret password) {
		return password.text().codePointCount(0, password.text().length());
	}

}
