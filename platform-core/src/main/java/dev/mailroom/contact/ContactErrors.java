package dev.mailroom.contact;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;

import dev.mailroom.EmailAddress;
import dev.mailroom.Refusal;
import org.jspecify.annotations.Nullable;

/** Collects the errors in the fields of a contact. */
final class ContactErrors {

	private static final int MAX_NAME_LENGTH = 200;

	/** The limit of all properties together, in characters. */
	private static final int MAX_PROPERTIES_LENGTH = 10_000;

	/** The characters that a boolean or null counts as, and a number at least. */
	private static final int SCALAR_LENGTH = 8;

	private static final int MAX_REPORTED = 100;

	private final List<Refusal.Detail> errors = new ArrayList<>();

	private final String path;

	ContactErrors(String path) {
		this.path = path;
	}

	void add(String field, String message) {
		this.errors.add(new Refusal.Detail(this.path + field, message));
	}

	void checkName(String field, @Nullable String name) {
		if (name != null && name.length() > MAX_NAME_LENGTH) {
			add(field, "must have at most " + MAX_NAME_LENGTH + " characters");
		}
		if (name != null && name.chars().anyMatch(EmailAddress::breaksALine)) {
			add(field, "must not contain control characters");
		}
	}

	void checkProperties(@Nullable Map<String, @Nullable Object> properties) {
		if (properties == null) {
			return;
		}
		if (containsNul(properties)) {
			add("properties", "must not contain the character NUL");
		}
		if (length(properties) > MAX_PROPERTIES_LENGTH) {
			add("properties", "must have at most " + MAX_PROPERTIES_LENGTH + " characters");
		}
	}

	boolean isEmpty() {
		return this.errors.isEmpty();
	}

	List<Refusal.Detail> all() {
		return List.copyOf(this.errors);
	}

	/**
	 * Refuses the request if there are errors; the first hundred are reported.
	 * @throws dev.mailroom.Refused {@code Invalid request data}
	 */
	static void refuseIfAny(List<Refusal.Detail> errors) {
		if (!errors.isEmpty()) {
			Refusal.Detail first = errors.getFirst();
			throw Refusal.INVALID_REQUEST.because(first.field() + " " + first.message(),
					errors.subList(0, Math.min(MAX_REPORTED, errors.size())));
		}
	}

	/** PostgreSQL cannot store NUL in text. */
	private static boolean containsNul(@Nullable Object value) {
		return switch (value) {
			case String text -> text.indexOf('\0') >= 0;
			case Map<?, ?> map ->
				map.entrySet().stream().anyMatch((it) -> containsNul(it.getKey()) || containsNul(it.getValue()));
			case Collection<?> list -> list.stream().anyMatch(ContactErrors::containsNul);
			case null, default -> false;
		};
	}

	private static long length(@Nullable Object value) {
		return switch (value) {
			case String text -> text.length() + 2L;
			case Map<?, ?> map ->
				map.entrySet().stream().mapToLong((it) -> length(it.getKey()) + length(it.getValue())).sum();
			case Number number -> Math.max(SCALAR_LENGTH, digits(number));
			case Collection<?> list -> SCALAR_LENGTH + list.stream().mapToLong(ContactErrors::length).sum();
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
