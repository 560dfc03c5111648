package dev.mailroom.contact;

import java.math.BigDecimal;
import java.util.Collection;
import java.util.Map;

import dev.mailroom.EmailAddress;
import dev.mailroom.FieldErrors;
import org.jspecify.annotations.Nullable;

/** Rules of the fields of a contact. */
final class ContactFields {

	private static final int MAX_NAME_LENGTH = 200;

	/** The limit of all properties together, in characters. */
	private static final int MAX_PROPERTIES_LENGTH = 10_000;

	/** The characters that a boolean or null counts as, and a number at least. */
	private static final int SCALAR_LENGTH = 8;

	private ContactFields() {
	}

	static void checkName(FieldErrors errors, String field, @Nullable String name) {
		if (name != null && name.length() > MAX_NAME_LENGTH) {
			errors.add(field, "must have at most " + MAX_NAME_LENGTH + " characters");
		}
		if (name != null && name.chars().anyMatch(EmailAddress::breaksALine)) {
			errors.add(field, "must not contain control characters");
		}
	}

	static void checkProperties(FieldErrors errors, @Nullable Map<String, @Nullable Object> properties) {
		if (properties == null) {
			return;
		}
		if (containsNul(properties)) {
			errors.add("properties", "must not contain the character NUL");
		}
		if (isTooLong(properties)) {
			errors.add("properties", "must have at most " + MAX_PROPERTIES_LENGTH + " characters");
		}
	}

	static boolean isTooLong(Map<String, @Nullable Object> properties) {
		return length(properties) > MAX_PROPERTIES_LENGTH;
	}

	/** PostgreSQL cannot store NUL in text. */
	private static boolean containsNul(@Nullable Object value) {
		return switch (value) {
			case String text -> text.indexOf('\0') >= 0;
			case Map<?, ?> map ->
				map.entrySet().stream().anyMatch((it) -> containsNul(it.getKey()) || containsNul(it.getValue()));
			case Collection<?> list -> list.stream().anyMatch(ContactFields::containsNul);
			case null, default -> false;
		};
	}

	private static long length(@Nullable Object value) {
		return switch (value) {
			case String text -> text.length() + 2L;
			case Map<?, ?> map ->
				map.entrySet().stream().mapToLong((it) -> length(it.getKey()) + length(it.getValue())).sum();
			case Number number -> Math.max(SCALAR_LENGTH, digits(number));
			case Collection<?> list -> SCALAR_LENGTH + list.stream().mapToLong(ContactFields::length).sum();
			case null, default -> SCALAR_LENGTH;
		};
	}

	/** The digits of a number without an exponent, as PostgreSQL returns it. */
	private static long digits(Number number) {
		if (number instanceof Double value && !Double.isFinite(value)) {
			return SCALAR_LENGTH;
		}
		BigDecimal decimal = new BigDecimal(number.toString());
		return decimal.precision() + Math.abs((long) decimal.scale());
	}

}
